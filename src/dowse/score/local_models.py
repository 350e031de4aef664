"""Language models that run on this machine: their weights, and the parts of words that they know."""

from __future__ import annotations

from typing import Any

from xxhash import xxh3_64

from dowse.core.optional_libraries import install_command

_PIECES = f"{__file__.rpartition('/')[0]}/word_pieces.txt"
"""The parts of words that all of them know, in the order of their numbers."""

_ERRORS_ONLY = 3
_BLOCK = 1 << 20


class NoModel(Exception):
    """A model cannot be used; the message says what to do."""


def checksum(file: str, cure: str) -> str:
    """The checksum of the weights of a model. Raises NoModel, which says what may help."""
    made = xxh3_64()
    try:
        with open(file, "rb") as stream:
            while block := stream.read(_BLOCK):
                made.update(block)
    except OSError as error:
        raise _unreadable(file, error, cure) from error
    return made.hexdigest()


def open_model(file: str, longest: int, cure: str) -> tuple[Any, Any]:
    """A model, and what cuts texts into so many tokens at the most. Raises NoModel, which says what may help."""
    try:
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import BertWordPieceTokenizer
    except ModuleNotFoundError as error:
        raise NoModel(f"this needs {error.name}: {install_command('context')}") from error
    except ImportError as error:
        raise NoModel(f"a library of the extra context is installed but does not load: {error}") from error
    options = SessionOptions()
    options.log_severity_level = _ERRORS_ONLY
    # The machine's cores are for workers. More threads take longer on one that is busy.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    try:
        # By its path: given as bytes it would be in memory twice.
        session = InferenceSession(file, options, providers=["CPUExecutionProvider"])
        return session, text_cutter(BertWordPieceTokenizer, longest)
    except Exception as error:  # both libraries have exceptions of their own for each kind of trouble
        raise _unreadable(file, error, cure) from error


def text_cutter(tokenizer: Any, longest: int) -> Any:
    """Cuts texts into tokens; `tokenizer` is the class that does. Of two together too many are left out, from the end
    of the longer one."""
    made = tokenizer(_PIECES, lowercase=True)
    made.enable_truncation(longest)
    return made


def _unreadable(file: str, error: Exception, cure: str) -> NoModel:
    return NoModel(f"the model {file} cannot be read: {error}; {cure}")
