"""Checks the theory on every simple loony endgame of a solved board.

    python check_endgames.py RUN

Two formulas are held against the scores: the value of the theory (Allcock, theorem 4.1), and that of Buzzard and Ciere, by
which the value is the controlled value wherever that is at least 2.
"""

import sys

import numpy as np

import dab_solver as dab


def main(run: str) -> None:
    table = dab.open(run)
    n_endgames, by_control, names = 0, 0, set[str]()
    for layer in range(table.n_layers):
        masks, scores = table.layer(layer)
        found = [(name, score) for name, score in zip(dab.endgames(table.board, masks), scores) if name]
        values, controlled = dab.endgame_values([name for name, _ in found])
        # The controller has just moved: her value is minus the score for the player to move.
        assert (values == -np.array([score for _, score in found], dtype=np.int64)).all()
        is_controlled = controlled >= 2
        assert (values[is_controlled] == controlled[is_controlled]).all()
        n_endgames += len(found)
        by_control += int(is_controlled.sum())
        names |= {name for name, _ in found}
    print(f"{table.board}: {n_endgames} simple loony endgames of {len(names)} kinds, {by_control} of them worth their control")
    print("every value is minus the score")


if __name__ == "__main__":
    main(sys.argv[1])
