"""The environment, with PettingZoo itself; left out where it is not installed."""

import random

import numpy as np
import pytest

import dab_solver as dab

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")
from dab_solver import envs  # noqa: E402
from pettingzoo.test import api_test  # noqa: E402


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("board", ["1x1", "2x3", "3x3", "3x3:fff"])
def test_the_api_of_pettingzoo(board):
    api_test(envs.env(board), num_cycles=300)


def test_rewards_add_up_to_the_boxes_that_a_perfect_player_gets(table):
    rng = random.Random(4)
    env = envs.env("3x3")
    env.reset()
    total = {"A": 0, "B": 0}
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        total[agent] += reward
        if termination:
            env.step(None)
            continue
        bits = dab.to_bits(env.position.mask, "3x3")
        assert (observation["observation"] == bits).all() and (observation["action_mask"] == 1 - bits).all()
        best = table.answer(env.position)["best"][0]
        env.step(best if agent == "B" else rng.choice(np.flatnonzero(observation["action_mask"])))
    assert total["A"] == -total["B"] and total["B"] >= 3 and total["B"] % 2 == 1


def test_lines_that_are_drawn_are_refused():
    env = envs.env("2x2", render_mode="ansi")
    env.reset()
    env.step(0)
    with pytest.raises(ValueError, match="line 0 is drawn already"):
        env.step(0)
    assert env.render() == "2x2:1" and env.agent_selection == "B"
