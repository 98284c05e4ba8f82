"""Dots and Boxes, solved exactly: scores of every position as numpy arrays.

>>> import dab_solver as dab
>>> table = dab.solve("3x3")
>>> table.scores([0, 0xFFF])
array([-3, -1], dtype=int8)

A score is net boxes still to come for the player to move. A mask is a position of a board: bit i is line i, set if it
is drawn. Horizontal lines are numbered first, row by row, then vertical ones.

A wrong question raises ValueError; files that are missing, damaged or not finished raise dab.Error.
"""

from ._dab import (
    DRAWN,
    Error,
    Position,
    Table,
    __version__,
    ask,
    endgame,
    endgame_values,
    endgames,
    nimstring,
    open,
    review,
)
from ._grade import Grade, grade
from ._masks import from_bits, load, masks, to_bits
from ._solve import solve

__all__ = [
    "DRAWN",
    "Error",
    "Grade",
    "Position",
    "Table",
    "__version__",
    "ask",
    "endgame",
    "endgame_values",
    "endgames",
    "from_bits",
    "grade",
    "load",
    "masks",
    "nimstring",
    "open",
    "review",
    "solve",
    "to_bits",
]
