"""The states of a page in its body: what goes in comes out, and what is damaged is a page all the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dowse.core.rendered_pages import STATES, StateDocument, pack_states, unpack_states

TEXTS = st.text(st.characters(codec="utf-8"))
DOCUMENTS = st.lists(st.builds(StateDocument, TEXTS, TEXTS | st.just("<script></script><!-- -->")), max_size=3)


@given(TEXTS, TEXTS, DOCUMENTS)
def test_states_come_out_as_they_went_in(document: str, hidden: str, states: list[StateDocument]) -> None:
    body, lengths = pack_states(document, hidden, tuple(states))
    assert unpack_states({STATES: lengths} if lengths else {}, body) == (document.encode(), states)
    assert b"</script>" not in body[len((document + hidden).encode()) :].removesuffix(b"</script>")


@given(st.text(), st.binary())
def test_whatever_a_server_sends(header: str, body: bytes) -> None:
    document, _states = unpack_states({STATES: header}, body)
    assert body.startswith(document)


def test_half_a_character_is_no_reason_to_fail() -> None:
    body, lengths = pack_states("a\ud800", "", (StateDocument("click", "b\udc00"),))
    assert unpack_states({STATES: lengths}, body) == (b"a?", [StateDocument("click", "b?")])
    assert unpack_states({STATES: lengths}, body[:-20]) == (b"a?", [])
