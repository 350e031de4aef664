"""Train the model that reads pages in context (src/dowse/score/page_reader.py), and write it into the package.

    python -m benchmarks.reader_training --base model.safetensors --wordnet /usr/share/wordnet [--minutes 90]
        [--from CHECKPOINT] [--checkpoint FILE] [--write]

`--base` are the published weights of all-MiniLM-L6-v2. The vectors of the parts of words stay as they are, so that rare
words keep what they mean; the six layers and a last sum learn to tell the odds. What they learn from is in
reader_pairs.py. How far they come depends on the machine, so two runs make two models, which are about as good. It
takes torch, transformers and onnx: pip install 'dowse-crawler[training]'.

The model that is shipped was trained like this for an hour and a half on two cores. Then it went on for most of an
hour, by a script that is not here: pairs that it was right and sure about were mostly left out (the others of their
kind weighing more for that), as were four nouns of five, and pages on topic were compared with pages off the same
topic. Its weights are a mean of both, three to seven. The second round brought little (docs/benchmarks.md).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file, save_file
from tokenizers import BertWordPieceTokenizer
from torch import Tensor, nn
from transformers import BertConfig, BertModel

from benchmarks.reader_pairs import Pair, manual_pairs, wordnet_pairs
from dowse.score import page_reader
from dowse.score.local_models import text_cutter

SIZE, LAYERS, HEADS, INNER, PIECES = 384, 6, 12, 1_536, 30_522
BATCH = 32
SORTED = 40
"""Batches among which texts are sorted by length, so that few are filled up."""

RATE, LAST_RATE = 8e-5, 1e-3
"""How fast the layers learn at first, and the last sum; both slow down to nothing."""

WARM_UP = 150
TOLD_EVERY = 50

Encoded = tuple[list[int], list[int], float, float]


class Reader(nn.Module):
    """Topic and page in, the logarithm of the odds out."""

    def __init__(self) -> None:
        super().__init__()
        shape = BertConfig(
            vocab_size=PIECES, hidden_size=SIZE, num_hidden_layers=LAYERS, num_attention_heads=HEADS,
            intermediate_size=INNER, attn_implementation="sdpa",
        )  # fmt: skip
        self.bert = BertModel(shape, add_pooling_layer=False)
        self.bert.embeddings.word_embeddings.weight.requires_grad = False
        self.head = nn.Linear(SIZE, 1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        made = self.bert(input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids)
        mask = attention_mask[..., None].to(made.last_hidden_state.dtype)
        mean = (made.last_hidden_state * mask).sum(1) / mask.sum(1)
        odds: Tensor = self.head(mean).squeeze(-1).float()
        return odds


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reader_training", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("--base", type=Path, required=True, metavar="FILE", help="weights of all-MiniLM-L6-v2")
    parser.add_argument("--wordnet", type=Path, required=True, metavar="DIR", help="the folder with data.noun")
    parser.add_argument("--minutes", type=float, default=90)
    parser.add_argument("--from", dest="begun", type=Path, metavar="FILE", help="go on with a checkpoint")
    parser.add_argument("--checkpoint", type=Path, default=Path("reader.safetensors"), metavar="FILE")
    parser.add_argument("--write", action="store_true", help="write the model into the package")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    torch.manual_seed(asked.seed)
    random.seed(asked.seed)
    reader = Reader()
    load(reader, asked.base, asked.begun)
    pairs = [*manual_pairs(asked.seed), *wordnet_pairs(asked.wordnet, asked.seed)]
    print(f"{len(pairs)} pairs, {sum(pair.is_on_topic for pair in pairs)} on topic", flush=True)
    if asked.minutes > 0:
        train(reader, encoded(pairs), 60 * asked.minutes)
    save_file(reader.state_dict(), asked.checkpoint)
    if asked.write:
        write(reader, Path(page_reader.WEIGHTS))
    return 0


def load(reader: Reader, base: Path, begun: Path | None) -> None:
    """The weights to begin with."""
    if begun is not None:
        reader.load_state_dict(load_file(begun))
        return
    known = {name: value.float() for name, value in load_file(base).items()}
    missing = reader.bert.load_state_dict(known, strict=False).missing_keys
    if missing:
        raise SystemExit(f"{base} is no model of this shape: it has no {missing[0]}")


def encoded(pairs: Sequence[Pair]) -> list[Encoded]:
    tokenizer = text_cutter(BertWordPieceTokenizer, page_reader.LONGEST)
    made = []
    for pair in pairs:
        tokens = tokenizer.encode(pair.topic, pair.shown)
        made.append((tokens.ids, tokens.type_ids, float(pair.is_on_topic), pair.weight))
    return made


def train(reader: Reader, examples: Sequence[Encoded], seconds: float) -> None:
    """Go through the examples until time is up."""
    body = [value for name, value in reader.named_parameters() if value.requires_grad and name[:5] == "bert."]
    groups = [{"params": body, "lr": RATE}, {"params": reader.head.parameters(), "lr": LAST_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    began, steps, usual = time.monotonic(), 0, 0.0
    reader.train()
    while (left := 1 - (time.monotonic() - began) / seconds) > 0:
        for batch in batches(examples):
            if (left := 1 - (time.monotonic() - began) / seconds) <= 0:
                break
            for group, rate in zip(optimizer.param_groups, (RATE, LAST_RATE), strict=True):
                group["lr"] = rate * left * min(1.0, steps / WARM_UP)
            loss = loss_of(reader, batch)
            loss.backward()
            nn.utils.clip_grad_norm_(body, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            steps += 1
            usual += (float(loss) - usual) / min(steps, TOLD_EVERY)
            if steps % TOLD_EVERY == 0:
                print(f"{steps} steps, loss {usual:.4f}, {left:.0%} of the time left", flush=True)


def loss_of(reader: Reader, batch: Sequence[Encoded]) -> Tensor:
    truth, weights = (torch.tensor([example[at] for example in batch]) for at in (2, 3))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        odds = reader(*filled(batch))
    lost = nn.functional.binary_cross_entropy_with_logits(odds, truth, reduction="none")
    return (lost * weights).mean()


def batches(examples: Sequence[Encoded]) -> Iterator[list[Encoded]]:
    """All examples in some order, those of a batch about as long."""
    order = random.sample(range(len(examples)), len(examples))
    for start in range(0, len(order), BATCH * SORTED):
        some = sorted(order[start : start + BATCH * SORTED], key=lambda at: len(examples[at][0]))
        starts = list(range(0, len(some), BATCH))
        for at in random.sample(starts, len(starts)):
            yield [examples[place] for place in some[at : at + BATCH]]


def filled(batch: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens, where there are any, and of which of the two texts they are."""
    longest = max(len(ids) for ids, *_ in batch)
    shape = len(batch), longest
    made = [torch.zeros(shape, dtype=torch.long) for _ in range(3)]
    for row, (ids, kinds, *_) in enumerate(batch):
        for tensor, values in zip(made, (ids, [1] * len(ids), kinds), strict=True):
            tensor[row, : len(ids)] = torch.tensor(values)
    return made[0], made[1], made[2]


def write(reader: Reader, file: Path) -> None:
    """The model with a byte for each weight. Half of the range of a byte is left free: some processors add up products
    of whole bytes in two bytes, which overflow."""
    reader.eval()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    example = torch.ones(1, 8, dtype=torch.long)
    with TemporaryDirectory() as folder:
        whole = f"{folder}/whole.onnx"
        torch.onnx.export(
            reader, (example, example, example), whole, input_names=names, output_names=["odds"], dynamo=False,
            dynamic_axes={name: {0: "text", 1: "token"} for name in names} | {"odds": {0: "text"}},
        )  # fmt: skip
        quantize_dynamic(whole, file, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
