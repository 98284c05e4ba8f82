"""`solve`: the native function with a progress bar."""

import os
import sys
import time
from collections.abc import Callable
from typing import TextIO

from . import _dab

PATIENCE = 1.0
"""Seconds: a solve that is over before has no bar."""


def solve(
    start: _dab.Position | str,
    out: str | os.PathLike[str] | None = None,
    *,
    space: str = "quiet",
    penalty: int = 0,
    marks: bool = False,
    memory: int | str | None = None,
    threads: int = 0,
    progress: bool | Callable[[int, int], object] = True,
) -> _dab.Table:
    """Solve every position that a start can lead to.

    start: a board such as ``"3x4"``, or a position. out: directory of a run, which a solve that was stopped goes on with;
    without it the scores are kept in memory, a byte a stored position. space: ``"quiet"`` or ``"full"``. penalty: boxes
    charged to the player who draws the last line. marks: whether loony marks are solved with the scores. memory: bytes at most, or a text such as ``"4G"``; half of the free memory
    if it is None. threads: 0 for as many as there are cores.

    progress: True for a bar on standard error once a second has passed, if that is a terminal or a notebook; or a function that
    is called with the numbers of positions solved and in all, about ten times a second; an exception in it stops the solve.
    Ctrl-C stops it, too. Finished layers stay in ``out``.
    """
    report: Callable[[int, int], object] | None
    if progress is True:
        report = _Bar() if _draws_again(sys.stderr) else None
    else:
        report = progress or None
    try:
        return _dab.solve(
            start,
            out,
            space=space,
            penalty=penalty,
            marks=marks,
            memory=memory,
            threads=threads,
            progress=report,
        )
    finally:
        if isinstance(report, _Bar):
            report.clear()


def _draws_again(stream: TextIO | None) -> bool:
    """Whether a line that is written again replaces the one before: in a terminal and in a notebook, not in a log."""
    return stream is not None and (stream.isatty() or type(stream).__module__.startswith("ipykernel"))


class _Bar:
    """One line on standard error."""

    def __init__(self) -> None:
        self.begin = time.monotonic()
        self.shown = 0

    def __call__(self, done: int, total: int) -> None:
        elapsed = time.monotonic() - self.begin
        if elapsed >= PATIENCE:
            part = done / total
            text = f"{'#' * int(40 * part):40} {part:4.0%}  {done:,} of {total:,} positions, {elapsed:.0f} s"
            self.write(text)

    def write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self.shown))
        sys.stderr.flush()
        self.shown = len(text)

    def clear(self) -> None:
        if self.shown:
            self.write("")
            sys.stderr.write("\r")
