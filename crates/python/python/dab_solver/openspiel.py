"""Perfect play for OpenSpiel's ``dots_and_boxes``, and a judge of its bots and policies; needs the package ``open_spiel``.

Actions of OpenSpiel are lines of dab: both number the horizontal lines first, row by row.
"""

# OpenSpiel has no types.
# mypy: disable-error-code="import-not-found, import-untyped, misc, no-untyped-call, no-any-return, unused-ignore"
# pyright: reportMissingImports=false

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from ._dab import Position, Table, ask
from ._grade import with_table


def position(state: Any) -> Position:
    """The position of a state. Raises ValueError if it is one of another game."""
    game = state.get_game()
    if game.get_type().short_name != "dots_and_boxes":
        raise ValueError(f"a state of dots_and_boxes is needed, not of {game.get_type().short_name}")
    sides = game.get_parameters()
    return Position.from_openspiel(state.dbn_string(), f"{sides['num_rows']}x{sides['num_cols']}")


class Bot(pyspiel.Bot):
    """A perfect player: it draws the lowest best line.

    table: scores that hold every position that it is asked; without it each is answered as by ``dab.ask``.
    """

    def __init__(self, table: Table | None = None) -> None:
        super().__init__()
        self.table = table

    def step(self, state: Any) -> int:
        """The best action in a state."""
        answer = ask if self.table is None else self.table.answer
        return answer(position(state))["best"][0]

    def restart_at(self, state: Any) -> None:
        """Nothing: the bot remembers no game."""


@dataclass(frozen=True)
class Grade:
    """A bot or a policy held against best play, in arrays of shape (n,), an element for each state."""

    regret: npt.NDArray[np.float64]
    """Boxes that its legal lines lose against a best one, each weighed with its probability."""
    blunders: npt.NDArray[np.float64]
    """The probability of a legal line that loses anything."""
    illegal: npt.NDArray[np.float64]
    """The probability of an action that is no open line."""

    @property
    def mean_regret(self) -> float:
        """Boxes lost by a legal line, on average; nan if there is none."""
        return self._per_legal_line(self.regret)

    @property
    def blunder_rate(self) -> float:
        """Part of the legal lines that lose anything, 0 to 1; nan if there is none."""
        return self._per_legal_line(self.blunders)

    @property
    def illegal_rate(self) -> float:
        """Part of all actions that are no open line, 0 to 1."""
        return float(self.illegal.mean())

    def _per_legal_line(self, sums: npt.NDArray[np.float64]) -> float:
        legal = float((1 - self.illegal).sum())
        return float(sums.sum()) / legal if legal > 0 else float("nan")

    def __repr__(self) -> str:
        return (
            f"<dab.openspiel.Grade of {len(self.regret)} states: mean regret {self.mean_regret:.3f}, "
            f"blunder rate {self.blunder_rate:.3f}, illegal {self.illegal_rate:.3f}>"
        )


def grade(player: Any, states: Iterable[Any], table: Table | None = None) -> Grade:
    """Hold a bot or a policy of OpenSpiel against best play.

    player: a bot, which is asked by ``step``, or a policy, by ``action_probabilities``, on a copy of each state. states:
    unfinished states of one board. table: scores that hold all of them; without it the lines that they have in common are
    solved in memory first.

    Raises ValueError if there is no state, if one is finished, or of another board or game.
    """
    states = list(states)
    positions, table = with_table([position(state) for state in states], table)
    n = len(positions)
    regret, blunders, illegal = np.zeros(n), np.zeros(n), np.zeros(n)
    chosen: list[tuple[int, int, float]] = []
    for at, state in enumerate(states):
        legal = set(positions[at].undrawn)
        for action, probability in _probabilities(player, state.clone()).items():
            if action in legal:
                chosen.append((at, action, probability))
            else:
                illegal[at] += probability
    if chosen:
        at_state, lines, weights = map(np.array, zip(*chosen))
        losses = table.regret([positions[at] for at in at_state], lines)
        np.add.at(regret, at_state, weights * losses)
        np.add.at(blunders, at_state, weights * (losses > 0))
    return Grade(regret, blunders, illegal)


def _probabilities(player: Any, state: Any) -> dict[int, float]:
    if hasattr(player, "action_probabilities"):
        return dict(player.action_probabilities(state))
    return {int(player.step(state)): 1.0}
