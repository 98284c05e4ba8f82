"""Grading players."""

import random

import numpy as np
import pytest

import dab_solver as dab


def open_positions(table, n):
    masks = np.random.default_rng(5).integers(0, 1 << 24, n, dtype=np.uint64)
    return [dab.Position.of_mask(table.board, int(mask)) for mask in masks if mask != (1 << 24) - 1]


def test_a_perfect_player_loses_nothing(table):
    grade = dab.grade(lambda position: table.answer(position)["best"][-1], open_positions(table, 200), table)
    assert (grade.blunder_rate, grade.mean_loss, grade.losses.max()) == (0.0, 0.0, 0)
    assert repr(grade) == "<dab.Grade of 200 lines: blunder rate 0.000, mean loss 0.000>"


def test_losses_are_those_of_single_answers(table):
    positions, rng = open_positions(table, 300), random.Random(2)
    grade = dab.grade(lambda position: rng.choice(position.undrawn), positions, table)
    for position, line, loss in zip(positions, grade.lines, grade.losses):
        answer = table.answer(position)
        reached = next(move["score"] for move in answer["moves"] if move["line"] == line)
        assert loss == answer["score"] - reached
    assert grade.blunder_rate == np.count_nonzero(grade.losses) / 300 > 0
    assert grade.mean_loss == grade.losses.sum() / 300 > 0


def test_positions_are_solved_without_a_table(table):
    positions = [dab.Position("3x3:fff"), dab.Position("3x3:2fff"), dab.Position("3x3:ff")]
    lowest = lambda position: position.undrawn[0]
    assert dab.grade(lowest, positions).losses.tolist() == dab.grade(lowest, positions, table).losses.tolist()


def test_wrong_players_and_positions(table):
    start = table.start
    for player, positions, message in [
        (lambda position: 99, [start], "there is no line 99: the last one is 23"),
        (lambda position: 0, [start.draw(0)], "line 0 is drawn already"),
        (lambda position: 0, [], "there are no positions to grade"),
        (lambda position: 0, [dab.Position("3x3:ffffff")], "3x3:ffffff is finished"),
        (lambda position: 0, [start, dab.Position("2x2")], "not of 2x2 and 3x3"),
        (lambda position: 0, [dab.Position("2x2")], "of board 2x2, but <dab.Table of 3x3:0"),
    ]:
        with pytest.raises(ValueError, match=message):
            dab.grade(player, positions, table)
    with pytest.raises(TypeError):
        dab.grade(lambda position: None, [start], table)
