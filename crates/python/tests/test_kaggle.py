"""The agent in Kaggle's own environment."""

import json

import pytest

import dab_solver as dab
from dab_solver import kaggle

BOARD = {"num_rows": 3, "num_cols": 3}


def observation(rows, cols, drawn=()):
    lines = [1 if line in drawn else 0 for line in range(2 * rows * cols + rows + cols)]
    split = (rows + 1) * cols
    cut = lambda lines, n: [lines[at : at + n] for at in range(0, len(lines), n)]
    state = {"num_rows": rows, "num_cols": cols, "h_lines": cut(lines[:split], cols), "v_lines": cut(lines[split:], cols + 1)}
    return {"observationString": json.dumps(state)}


def test_observations_are_positions(table):
    for position in map(dab.Position, ["3x3:0", "3x3:800001", "2x4:9f00", "3x3:fff"]):
        rows, cols = map(int, position.board.split("x"))
        drawn = set(range(position.n_lines)) - set(position.undrawn)
        assert kaggle.position(observation(rows, cols, drawn)) == position
    chains = observation(3, 3, range(12))
    assert kaggle.agent(chains, None) == {"submission": dab.ask("3x3:fff")["best"][0]}
    assert kaggle.agent_of(table)(chains) == kaggle.agent(chains)
    assert kaggle.agent({"remainingOverageTime": 12, "step": 0}, {}) == {"submission": -1}
    with pytest.raises(ValueError, match="at most 128"):
        kaggle.position(observation(8, 8))


@pytest.mark.filterwarnings("ignore")
def test_perfect_play_in_the_environment(table):
    environments = pytest.importorskip("kaggle_environments")
    start = table.answer("3x3")["score"]
    for seats, margin in [((0, 0), {start}), ((0, 1), range(start, 10)), ((1, 0), range(-9, start + 1))]:
        # The random player is told what is legal.
        told = {"openSpielGameParameters": BOARD, "includeLegalActions": True}
        env = environments.make("open_spiel_dots_and_boxes", configuration=told)
        players = [kaggle.agent_of(table), "random"]
        env.run([players[seat] for seat in seats])
        last = [json.loads(state.observation["observationString"]) for state in env.steps[-1]]
        assert all(state["is_terminal"] for state in last)
        ours, theirs = last[0]["scores"]
        assert ours - theirs in margin, seats
