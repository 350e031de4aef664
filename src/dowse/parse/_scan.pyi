from collections.abc import Callable

def scan(
    body: bytes, resolve: Callable[[str], str] | None, /
) -> (
    tuple[
        str,
        list[tuple[str, str | None, str, str | None, str | None]],
        list[tuple[str, dict[str, str]]],
        tuple[str, int, list[tuple[str, str, str]], list[str]] | None,
    ]
    | None
): ...
def anchors(
    body: bytes, words: frozenset[bytes], /
) -> tuple[list[tuple[int, int, int, int, int, str, int]], int, list[int]]: ...
def anchor_parts(body: bytes, before: int, start: int, inner: int, /) -> tuple[dict[str, str], str, str]: ...
