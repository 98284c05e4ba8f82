"""`masks`, `to_bits`, `from_bits` and `load`: positions as masks, masks as rows of zeros and ones, and masks from files."""

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._dab import Position

BITS = 64
"""Bits of a mask in an array."""


def masks(positions: Iterable[Position | str]) -> npt.NDArray[np.uint64]:
    """The masks of positions of one board, as a uint64 array: bit i is set if line i is drawn.

    positions: Positions, or texts in any notation. Raises ValueError if they are of several boards, or of one with more than
    64 lines.
    """
    all_of_them = [Position(position) if isinstance(position, str) else position for position in positions]
    boards = {position.board: position.n_lines for position in all_of_them}
    if len(boards) > 1:
        raise ValueError(f"masks are of one board, not of {' and '.join(sorted(boards))}")
    for board, n_lines in boards.items():
        _check_bits(board, n_lines)
    return np.array([position.mask for position in all_of_them], dtype=np.uint64)


def to_bits(masks: npt.ArrayLike, board: str) -> npt.NDArray[np.uint8]:
    """The lines of each mask as zeros and ones: a uint8 array with one more dimension, an element for each line of the board.

    masks: array of integers. board: such as ``"3x4"``. Raises ValueError if a mask draws a line that the board does not have.
    """
    n_lines = Position(board).n_lines
    _check_bits(board, n_lines)
    given = np.asarray(masks)
    if given.size and given.dtype.kind not in "ui":
        raise TypeError(f"masks are an array of integers, not of {given.dtype}")
    if given.size and (int(given.min()) < 0 or int(given.max()) >> n_lines):
        raise ValueError(f"masks of board {board} are at least 0 and less than 2^{n_lines}")
    octets = np.require(given, "<u8", "C")[..., np.newaxis].view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=n_lines, bitorder="little")


def from_bits(bits: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    """The masks of rows of zeros and ones: the inverse of ``to_bits``.

    bits: array of numbers or truth values; the last dimension has an element for each line. Raises ValueError if it has more than
    64, or if there is something else than zeros and ones.
    """
    given = np.asarray(bits)
    if given.ndim == 0 or given.shape[-1] > BITS:
        raise ValueError(f"a row of bits has at most {BITS} elements, but the shape is {given.shape}")
    if not ((given == 0) | (given == 1)).all():
        raise ValueError("bits are zeros and ones")
    octets = np.zeros((*given.shape[:-1], BITS // 8), dtype=np.uint8)
    packed = np.packbits(given.astype(bool), axis=-1, bitorder="little")
    octets[..., : packed.shape[-1]] = packed
    return octets.view("<u8")[..., 0].astype(np.uint64)


def load(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """The rows that ``table.export`` and ``dab export --format npy`` write, as a structured array.

    Its fields are ``drawn`` and ``best``, masks, ``score`` and ``layer``; and ``mark`` if the table has marks. The file is mapped, so
    only the rows that are asked for are read. Raises ValueError if it is something else.
    """
    try:
        rows = np.load(path, mmap_mode="r")
    except (EOFError, ValueError) as error:
        raise ValueError(f"{os.fspath(path)} is no exported array: {error}") from None
    if not isinstance(rows, np.ndarray) or (rows.dtype.names or ())[:4] != ("drawn", "best", "score", "layer"):
        raise ValueError(f"{os.fspath(path)} holds no positions that dab has exported")
    return rows


def _check_bits(board: str, n_lines: int) -> None:
    if n_lines > BITS:
        raise ValueError(f"board {board} has {n_lines} lines, but a mask in an array has {BITS} bits")
