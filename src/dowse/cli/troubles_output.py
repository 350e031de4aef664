"""What commands print of what did not go as it was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dowse.cli.wording import printable, wrapped
from dowse.core.troubles import Trouble


def troubles_text(troubles: Sequence[Trouble]) -> Iterator[str]:
    """Each trouble with the page to look at."""
    if troubles:
        yield "Not as asked:"
        for trouble in troubles:
            yield f"  {wrapped(printable(trouble.text), 4, 2)}"
            if trouble.url:
                yield f"    look at {printable(trouble.url)}"
        yield ""


def not_done(troubles: Sequence[Trouble]) -> str:
    """Why a crawl could not do what was asked; "" if it could."""
    fatal = [trouble for trouble in troubles if trouble.fatal]
    if not fatal:
        return ""
    more = f" (and {len(fatal) - 1} more of that kind)" if len(fatal) > 1 else ""
    where = f"; look at {fatal[0].url}" if fatal[0].url else ""
    return printable(f"{fatal[0].text}{where}{more}")
