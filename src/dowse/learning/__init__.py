"""Rules from examples: what wanted links have in common, and the smallest table that leads to them.

    Page -> SeenPage -> Explored -> Idea (what is wanted) -> Routes (how to get there) -> RuleTable

Every choice weighs the same two things in bits: how long a description is, and how much else it would let in
(ideas.py). Nothing here fetches or reads anything.
"""
