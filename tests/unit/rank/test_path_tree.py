"""Hosts and folders: what they brought, what may be hoped for in new ones, and where nothing is."""

from __future__ import annotations

import numpy as np
import pytest

from dowse.modes.focus.strategy import _tree_numbers
from dowse.rank.evidence import Rows, lead_type
from dowse.rank.path_tree import PathTree


def to(*folders: str) -> Rows:
    """Links into folders, given as host/folder/folder."""
    rows = np.zeros(len(folders), lead_type(4))
    rows["tree"] = [_tree_numbers("http://" + folder) for folder in folders]
    return rows


def hoped(tree: PathTree, *folders: str, best: float = 0.8) -> list[float]:
    """What one link each into folders is worth if it seems to be worth nothing."""
    return [round(float(each), 3) for each in tree.hope(to(*folders), np.zeros(len(folders)), best, 0)]


def test_a_folder_is_known_by_its_pages_and_by_those_of_the_folder_above() -> None:
    tree = PathTree()
    for _ in range(5):
        tree.note(to("a/lib/ssh"), 0.4, 0.0)
        tree.note(to("a/lib/wx"), -0.4, 0.0)
        tree.note(to("a/doc"), 0.2, 0.0)
    folders, hosts = tree.gains(to("a/lib/ssh", "a/lib/wx", "a/lib/new", "a/doc", "b"))
    assert folders[0] == pytest.approx(0.21, abs=0.03)
    assert folders[1] == pytest.approx(-0.19, abs=0.03)
    assert abs(folders[2]) < 0.03 < 0.1 < folders[3]
    assert len(set(hosts[:4].tolist())) == 1
    assert hosts[4] == 0


def test_sections_unfold_with_what_was_tried() -> None:
    tree = PathTree()
    assert hoped(tree, "a/lib/ssh", "a/lib/wx", "b") == [0.72, 0, 0.72]  # two hosts, and the first link to each
    tree.note(to("a"), 0.0, 0.8)
    assert hoped(tree, "a/lib/ssh", "a/lib/wx", "a/doc", "a") == [0.72, 0, 0.72, 0]
    tree.note(to("a/lib/ssh"), 0.0, 0.8)
    assert hoped(tree, "a/lib/ssh", "a/lib/wx", "a/lib/ssl/x", "a/lib/ssl/y") == [0, 0.72, 0.72, 0]


def test_the_better_link_to_a_new_section_is_first_and_never_worth_less_than_it_seems() -> None:
    worth = PathTree().hope(to("a", "b", "c"), np.array([0.1, 0.3, 0.9]), 0.8, 0)
    assert worth[0] < worth[1] < worth[2] == 0.9


def test_hope_shrinks_with_the_first_pages_of_other_folders_above_all_of_those_beside() -> None:
    tree = PathTree()
    tree.note(to("a/x"), 0.0, 0.8)
    tree.note(to("b/y"), 0.0, 0.8)
    before = hoped(tree, "a/new", "b/new")
    for number in range(4):
        tree.note(to(f"a/{number}"), 0.0, 0.1)
    beside, elsewhere = hoped(tree, "a/new", "b/new")
    assert beside < elsewhere < min(before)


def test_dead_hosts_that_one_host_names_say_nothing_of_those_that_others_name() -> None:
    tree = PathTree()
    by_manual, by_portal = to("far1", "far2", "far3", "far4"), to("manual")
    by_manual["source"], by_portal["source"] = 7, 9
    before = tree.hope(by_portal, np.zeros(1), 0.8, 0)[0]
    for number in range(3):
        tree.miss(by_manual[number : number + 1])
    assert tree.hope(by_manual[3:], np.zeros(1), 0.8, 0)[0] < 0.6 * before
    assert tree.hope(by_portal, np.zeros(1), 0.8, 0)[0] == before


def test_hope_is_renewed_with_the_pages_that_came() -> None:
    tree = PathTree()
    for number in range(8):
        tree.miss(to(f"host{number}"))
    soon, late = (float(tree.hope(to("new"), np.zeros(1), 0.8, pages)[0]) for pages in (0, 200))
    assert soon < 0.3 < 0.5 < late < 0.8


def test_the_chance_of_a_page_is_told_by_the_folder_and_by_those_above() -> None:
    tree = PathTree()
    for _ in range(20):
        tree.miss(to("a/gone"))
        tree.miss(to("a/people"))
        tree.note(to("a/people"), 0.3, 0.3)
        tree.note(to("a/courses"), 0.3, 0.3)
    gone, people, below, courses, new = tree.chance(
        to("a/gone", "a/people", "a/people/x", "a/courses", "a/new")
    ).tolist()
    assert gone < 0.2 < 0.45 < people < 0.55 < 0.85 < courses < 1
    assert below == people
    assert 0.4 < new < 0.6  # as the whole host
    worth, _ = tree.gains(to("a/people", "a/courses"))
    assert worth[0] == pytest.approx(worth[1])  # dead links say nothing of the pages that are there


def test_the_chance_of_a_new_host_is_that_of_others_that_the_same_one_named() -> None:
    tree = PathTree()
    by_hotlist, by_portal = to(*(f"far{number}" for number in range(9))), to("manual")
    by_hotlist["source"], by_portal["source"] = 7, 9
    for number in range(8):
        tree.miss(by_hotlist[number : number + 1])
    assert tree.chance(by_hotlist[8:])[0] < 0.15
    assert tree.chance(by_portal)[0] == 1


def test_the_tree_is_saved_as_it_is() -> None:
    tree, again = PathTree(), PathTree()
    again.note(to("z"), 0.1, 0.1)
    tree.note(to("a/b/c"), 0.1, 0.5)
    tree.miss(to("a/b/d"))
    again.load(tree.dump())
    assert again.dump() == tree.dump()
    assert hoped(again, "a/b/e", "z") == hoped(tree, "a/b/e", "z")


def test_a_folder_with_many_pages_is_worth_less_while_nothing_was_found() -> None:
    tree = PathTree()
    for _ in range(20):
        tree.note(to("a/x"), 0.0, 0.0)
    assert not tree.barren(to("a/x", "a/new")).any()
    for _ in range(20):
        tree.note(to("a/x"), 0.0, 0.0)
    assert tree.barren(to("a/x", "a/new")).tolist() == pytest.approx([0.1, 0.0])
    tree.likeliest = 0.99
    assert tree.barren(to("a/x"))[0] < 0.002
