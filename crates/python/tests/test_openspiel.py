"""The bot and the judge, with OpenSpiel itself; left out where it is not installed."""

import numpy as np
import pytest

import dab_solver as dab

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
from dab_solver import openspiel  # noqa: E402

GAME = "dots_and_boxes(num_rows=3,num_cols=3,utility_margin=True)"


def states(n, seed=3):
    """Unfinished states of random games."""
    game, rng = pyspiel.load_game(GAME), np.random.default_rng(seed)
    for _ in range(n):
        state = game.new_initial_state()
        for line in rng.permutation(24)[: rng.integers(0, 24)]:
            state.apply_action(int(line))
        yield state


class Lowest(pyspiel.Bot):
    """Draws line 0, drawn or not."""

    def step(self, state):
        return 0


class Uniform:
    """A policy."""

    def action_probabilities(self, state, player_id=None):
        legal = state.legal_actions()
        return dict.fromkeys(legal, 1 / len(legal))


def test_positions_are_those_of_states():
    for state in states(50):
        assert openspiel.position(state).undrawn == state.legal_actions()
    game = pyspiel.load_game("dots_and_boxes(num_rows=2,num_cols=4)")
    assert openspiel.position(game.new_initial_state()) == dab.Position("2x4")
    with pytest.raises(ValueError, match="not of tic_tac_toe"):
        openspiel.position(pyspiel.load_game("tic_tac_toe").new_initial_state())


def test_the_bot_plays_to_the_score(table):
    game, bots = pyspiel.load_game(GAME), [openspiel.Bot(table), openspiel.Bot(table)]
    state = game.new_initial_state()
    assert pyspiel.evaluate_bots(state, bots, 1)[0] == table.scores(0) == -3
    for seed in range(10):
        random = pyspiel.make_uniform_random_bot(0, seed)
        assert pyspiel.evaluate_bots(game.new_initial_state(), [random, bots[1]], seed)[1] >= 3


def test_a_bot_without_a_table_asks():
    state = pyspiel.load_game("dots_and_boxes(num_rows=2,num_cols=2)").new_initial_state()
    assert openspiel.Bot().step(state) in dab.solve("2x2", progress=False).answer("2x2")["best"]


def test_a_perfect_bot_loses_nothing(table):
    grade = openspiel.grade(openspiel.Bot(table), states(100), table)
    assert (grade.mean_regret, grade.blunder_rate, grade.illegal_rate) == (0, 0, 0)


def test_a_policy_is_judged_by_its_probabilities(table):
    asked = list(states(100))
    grade = openspiel.grade(Uniform(), asked, table)
    for at, state in enumerate(asked):
        answer = table.answer(openspiel.position(state))
        losses = [answer["score"] - move["score"] for move in answer["moves"]]
        assert grade.regret[at] == pytest.approx(np.mean(losses))
        assert grade.blunders[at] == pytest.approx(np.mean([loss > 0 for loss in losses]))
    assert grade.mean_regret == pytest.approx(grade.regret.mean()) and grade.mean_regret > 0
    solved = openspiel.grade(Uniform(), asked[:1])
    assert solved.regret[0] == pytest.approx(grade.regret[0])


def test_illegal_actions_stand_apart(table):
    asked = list(states(100))
    grade = openspiel.grade(Lowest(), asked, table)
    is_drawn = np.array([0 not in state.legal_actions() for state in asked])
    assert (grade.illegal == is_drawn).all() and 0 < grade.illegal_rate < 1
    assert (grade.regret[is_drawn] == 0).all() and (grade.blunders[is_drawn] == 0).all()
    assert grade.mean_regret == pytest.approx(grade.regret.sum() / (~is_drawn).sum())
    assert repr(grade).startswith("<dab.openspiel.Grade of 100 states: mean regret ")


def test_wrong_states(table):
    with pytest.raises(ValueError, match="no positions to grade"):
        openspiel.grade(Lowest(), [], table)
    state = pyspiel.load_game(GAME).new_initial_state()
    for line in range(24):
        state.apply_action(line)
    with pytest.raises(ValueError, match="is finished"):
        openspiel.grade(Lowest(), [state], table)
