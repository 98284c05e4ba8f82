"""Perfect play for Kaggle's environment ``open_spiel_dots_and_boxes``; needs no package of Kaggle itself.

>>> env = kaggle_environments.make(
...     "open_spiel_dots_and_boxes", configuration={"openSpielGameParameters": {"num_rows": 4, "num_cols": 4}})
>>> env.run([dab.kaggle.agent, "random"])
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from ._dab import Position, Table, ask

Agent = Callable[[Mapping[str, Any], Any], dict[str, int]]


def position(observation: Mapping[str, Any]) -> Position:
    """The position of an observation. Raises ValueError if its board has more than 128 lines, as the 8x8 of Kaggle has."""
    state = json.loads(observation["observationString"])
    lines = [line for rows in (state["h_lines"], state["v_lines"]) for row in rows for line in row]
    mask = sum(1 << number for number, drawn_by in enumerate(lines) if drawn_by)
    return Position.of_mask(f"{state['num_rows']}x{state['num_cols']}", mask)


def agent_of(table: Table | None = None) -> Agent:
    """An agent that draws the lowest best line.

    table: scores that hold every position that it is asked; without it each is answered as by ``dab.ask``.
    """

    def agent(observation: Mapping[str, Any], configuration: Any = None) -> dict[str, int]:
        # Before the first move agents are called with nothing to see.
        if not observation.get("observationString"):
            return {"submission": -1}
        answer = ask if table is None else table.answer
        return {"submission": answer(position(observation))["best"][0]}

    return agent


agent = agent_of()
"""The agent without a table."""
