"""Grades a bot on random positions of a solved board: python grade_bot.py RUN N"""

import sys

import dab_solver as dab


def greedy(position: dab.Position) -> int:
    """Put a bot of your own here. Lines have the numbers of OpenSpiel's actions."""
    return max(position.undrawn, key=position.closes)


table = dab.open(sys.argv[1])
sample = [dab.Position.of_mask(table.board, int(mask)) for mask in table.sample(int(sys.argv[2]), seed=1)]
print(dab.grade(greedy, [position for position in sample if position.undrawn], table))
