"""Grades a greedy and a random player on random positions of a solved board.

    python grade_players.py RUN N

Put a player of your own in the place of `greedy`: a function from a position to one of its undrawn lines. Lines have the
numbers of OpenSpiel's actions, and `position.to_openspiel()` is its `state.dbn_string()`.
"""

import random
import sys

import dab


def greedy(position: dab.Position) -> int:
    """Closes as many boxes as a line can, and else avoids to leave a box that the opponent can close."""

    def gain(line: int) -> int:
        after = position.draw(line)
        left = max((after.closes(reply) for reply in after.undrawn), default=0)
        return 10 * position.closes(line) - left

    return max(position.undrawn, key=gain)


def at_random(position: dab.Position) -> int:
    return random.choice(position.undrawn)


def main(run: str, n: int) -> None:
    table = dab.open(run)
    stored = (dab.Position.of_mask(table.board, int(mask)) for mask in table.sample(2 * n, seed=1))
    positions = [position for position in stored if position.undrawn][:n]
    for name, player in [("greedy", greedy), ("random", at_random)]:
        grade = dab.grade(player, positions, table)
        print(f"{name}: blunder rate {grade.blunder_rate:.3f}, mean loss {grade.mean_loss:.3f}")


if __name__ == "__main__":
    random.seed(1)
    main(sys.argv[1], int(sys.argv[2]))
