"""`grade`: how far a player falls short of best play."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._dab import Position, Table
from ._solve import solve


@dataclass(frozen=True)
class Grade:
    """The moves of a player, held against best play."""

    lines: npt.NDArray[np.int64]
    """The line that the player drew in each position, shape (n,)."""
    losses: npt.NDArray[np.int64]
    """Boxes that each of them loses against a best line, at least 0, shape (n,)."""

    @property
    def blunder_rate(self) -> float:
        """Part of the lines that lose anything, 0 to 1."""
        return float(np.mean(self.losses > 0))

    @property
    def mean_loss(self) -> float:
        """Boxes lost by a line, on average."""
        return float(np.mean(self.losses))

    def __repr__(self) -> str:
        return f"<dab.Grade of {len(self.lines)} lines: blunder rate {self.blunder_rate:.3f}, mean loss {self.mean_loss:.3f}>"


def grade(
    player: Callable[[Position], int],
    positions: Iterable[Position],
    table: Table | None = None,
) -> Grade:
    """Ask a player for a line in each position, and hold it against best play.

    player: a function from a Position to the number of an open line, as an action of OpenSpiel's ``dots_and_boxes`` is.
    positions: unfinished positions of one board. table: scores that hold all of them; without it the lines that they have
    in common are solved in memory first.

    Raises ValueError if there is no position, if one is finished or of another board, or if a line is not open.
    """
    positions, table = with_table(positions, table)
    lines = np.array([int(player(position)) for position in positions], dtype=np.int64)
    return Grade(lines, table.regret(positions, lines).astype(np.int64))


def with_table(positions: Iterable[Position], table: Table | None) -> tuple[list[Position], Table]:
    """The positions to grade, checked, and the table that grades them."""
    positions = list(positions)
    if not positions:
        raise ValueError("there are no positions to grade")
    boards = {position.board for position in positions}
    if len(boards) > 1:
        raise ValueError(f"positions of one board can be graded together, not of {' and '.join(sorted(boards))}")
    if table is None:
        common = positions[0].mask
        for position in positions:
            common &= position.mask
        table = solve(Position.of_mask(positions[0].board, common), progress=False)
    elif boards != {table.board}:
        raise ValueError(f"the positions are of board {boards.pop()}, but {table!r} answers others")
    for position in positions:
        if not position.undrawn:
            raise ValueError(f"{position} is finished: there is no line to draw")
    return positions, table
