"""Rules from examples: the ways that lead to wanted links, and the smallest table along them.

    Page -> SeenPage -> Explored -> Ways (pages that lead there) -> Plan (steps between types) -> Proposal (a table)

Choices are weighed in bits: how long a description is, how much else it lets in, what is visited for nothing (plans.py,
steps.py). Nothing here fetches or reads anything.
"""
