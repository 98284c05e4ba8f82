"""Dots and Boxes as an environment of PettingZoo; needs the package ``pettingzoo``.

>>> env = dab.envs.env("3x3")
>>> env.reset()
"""

# Bases of PettingZoo and Gymnasium are typed in part.
# mypy: disable-error-code="import-not-found, import-untyped, misc, no-untyped-call, no-any-return, type-arg, override, unused-ignore"
# pyright: reportMissingImports=false

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ._dab import Position


class Env(AECEnv):
    """Two agents, "A" and "B", draw lines in turn; whoever closes a box draws again.

    Actions are lines. An observation has the lines, 1 where one is drawn, and the mask of actions, 1 where none is. The reward of a
    line is the number of boxes that it closes, and minus that for the other agent.
    """

    metadata = {"name": "dots_and_boxes_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, board: str = "3x3", render_mode: str | None = None) -> None:
        super().__init__()
        self.start = Position(board)
        self.render_mode = render_mode
        self.possible_agents = ["A", "B"]
        bits = spaces.Box(0, 1, (self.start.n_lines,), np.int8)
        observation = spaces.Dict({"observation": bits, "action_mask": bits})
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
        self.action_spaces = {agent: spaces.Discrete(self.start.n_lines) for agent in self.possible_agents}
        self.position = self.start

    def observation_space(self, agent: str) -> Any:
        """What ``observe`` returns."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The lines of the board."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; A is to move."""
        self.position = self.start
        self.agents = self.possible_agents[:]
        self.agent_selection = "A"
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> dict[str, Any]:
        """The lines and the mask of actions, the same for both agents."""
        mask = np.zeros(self.start.n_lines, np.int8)
        mask[self.position.undrawn] = 1
        return {"observation": 1 - mask, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Draw a line. Raises ValueError if it is not open."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        after = self.position.draw(int(action))
        closed = self.position.closes(int(action))
        self.position = after
        other = "B" if agent == "A" else "A"
        self._cumulative_rewards[agent] = 0
        self.rewards = {agent: closed, other: -closed}
        if not closed:
            self.agent_selection = other
        if not after.undrawn:
            self.terminations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The position as text, if the render mode is "ansi"."""
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing: there is no window."""


def env(board: str = "3x3", render_mode: str | None = None) -> Env:
    """An environment, as PettingZoo names its functions. board: a board, or a position to begin with."""
    return Env(board, render_mode)
