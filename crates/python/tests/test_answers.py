"""Answers as dicts: their fields are those that `dab.types` declares, their values those of arrays and of theory."""

import re
import subprocess
import sys
import typing
import xml.dom.minidom

import numpy as np
import pytest
from conftest import REPOSITORY, rows

import dab_solver as dab
from dab_solver import types

GAME = "1. a3-b3 2. b3-c3 3. a1-b1 4. b1-c1 5. a2-a3 6. a1-a2 7. c2-c3 8. c1-c2 9. a2-b2 10. b2-b3, b2-c2, b1-b2"


def check_type(value, declared):
    """Holds a value against its declared type, down to the last field."""
    origin, arguments = typing.get_origin(declared), typing.get_args(declared)
    if origin is list:
        for item in value:
            check_type(item, arguments[0])
    elif origin is typing.Literal:
        assert value in arguments
    elif typing.is_typeddict(declared):
        fields = typing.get_type_hints(declared)
        assert set(value) >= set(declared.__required_keys__) and set(value) <= set(fields), (declared, set(value))
        for name, field in value.items():
            check_type(field, fields[name])
    elif arguments:
        assert value is None and type(None) in arguments or check_type(value, arguments[0]) is None
    else:
        assert type(value) is declared, (value, declared)


def test_types(table, tmp_path):
    check_type(table.answer("3x3:fff"), types.Answer)
    check_type(table.summary(), types.Summary)
    marked = dab.solve("2x2", tmp_path / "marked", marks=True, progress=False)
    check_type(marked.summary(), types.Summary)
    answer = marked.answer("2x2:0")
    check_type(answer, types.Answer)
    assert {move["mark"] for move in answer["moves"]} <= {"v", "", "^"} and "mark" not in table.answer("3x3:0")
    check_type(dab.endgame("3^2+4+6l"), types.EndgameAnswer)
    check_type(dab.nimstring("3x3:fff"), types.NimAnswer)
    check_type(dab.nimstring("2x2:777"), types.NimAnswer)
    check_type(dab.review(GAME, board="2x2"), types.Review)
    check_type(dab.review("1. a1-b1", dab.solve("2x2", progress=False), board="2x2"), types.Review)


def test_answers(table):
    answer = table.answer("3x3:fff")
    assert answer == table.answer(0xFFF) == table.answer(np.uint64(0xFFF)) == table.answer(dab.Position("3x3:fff"))
    assert answer["score"] == -1 and answer["best"] == list(range(12, 24))
    assert {move["kind"] for move in answer["moves"]} == {"loony"}
    play = table.best_play("3x3:fff")
    assert sorted(play) == list(range(12, 24))
    with pytest.raises(ValueError, match="2x2:0 does not arise from 3x3:0"):
        table.answer(dab.Position("2x2"))
    with pytest.raises(ValueError, match="the text is about board 2x2, not 3x3"):
        table.answer("2x2")
    with pytest.raises(ValueError, match="mask 1000000 draws line 24"):
        table.answer(1 << 24)
    with pytest.raises(ValueError, match="-1 is out of range"):
        table.answer(-1)
    with pytest.raises(TypeError):
        table.answer(None)


def test_pictures_for_notebooks(table):
    svg = table.svg("3x3:fff")
    assert xml.dom.minidom.parseString(svg).documentElement.tagName == "svg"
    # Every line is worth as much, and has its number.
    scores = {move["score"] for move in table.answer("3x3:fff")["moves"]}
    assert len(scores) == 1 and len(re.findall(rf">.?{abs(scores.pop())}</text>", svg)) == 12
    assert svg != dab.Position("3x3:fff")._repr_svg_()
    html = table._repr_html_()
    assert "3x3:0, quiet space, in " in html and html.count("<tr>") == table.n_layers + 1
    with pytest.raises(ValueError, match="2x2:0 does not arise from 3x3:0"):
        table.svg(dab.Position("2x2"))


def test_questions_as_the_shell_answers_them(table):
    asked, answer = dab.ask("3x3:fff"), table.answer("3x3:fff")
    check_type(asked, types.Answer)
    assert asked == {**answer, "source": "solved"} == dab.ask(dab.Position("3x3:fff"), seconds=60, memory="1G")
    assert dab.ask("2x2", penalty=3)["penalty"] == 3
    with pytest.raises(ValueError, match="take more than .* may take at most 0.0 ms.*dab.solve.'3x4:0', directory"):
        dab.ask("3x4", seconds=0)
    for options, message in [
        ({"penalty": -1}, "penalty -1 is out of range"),
        ({"memory": "1X"}, "'1X' is no size"),
        ({"seconds": -1}, "-1 seconds are no time"),
    ]:
        with pytest.raises(ValueError, match=message):
            dab.ask("2x2", **options)
    # Books are found in the directory where a program starts.
    script = "import dab_solver as dab; answer = dab.ask('4x5'); print(answer['score'], answer['source'])"
    said = subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, capture_output=True, text=True)
    assert said.stdout == "0 book\n", said.stderr


def test_endgames():
    answer = dab.endgame("3^2+4+6l")
    assert (answer["value"], answer["controlled_value"], answer["open"]) == (2, 0, ["3", "4"])
    odd = dab.endgame("4+7l^2")
    assert (odd["value"], odd["controlled_value"], odd["case"]) == (4, 2, "any loops")
    assert dab.endgame("7l^100000000")["value"] == 4
    with pytest.raises(ValueError, match="a loop has an even number of boxes"):
        dab.endgame_values(["3+5l"])
    for wrong, message in [("3+2l", "a loop has at least 4 boxes"), ("", "column 1: expected the length")]:
        with pytest.raises(ValueError, match=message):
            dab.endgame(wrong)
        with pytest.raises(ValueError, match=message):
            dab.endgame_values(["3", wrong])


def test_golden_endgames():
    golden = [row for name in ["endgame_values.tsv", "endgame_values_huge.tsv"] for row in rows(name)]
    names = [row[0] for row in golden]
    values, controlled = dab.endgame_values(names)
    assert values.dtype == controlled.dtype == np.int64
    assert controlled.tolist() == [int(row[2]) for row in golden]
    assert values.tolist() == [int(row[3]) for row in golden]
    for row in golden[::97]:
        assert dab.endgame(row[0])["open"] == row[4].split(",")
    assert [array.shape for array in dab.endgame_values([])] == [(0,), (0,)]


def test_endgames_of_positions(table):
    # Nothing, three chains of 3, three chains one of which is opened, a finished game.
    masks = np.array([[0, 0xFFF], [0x1FFF, (1 << 24) - 1]], dtype=np.uint64)
    assert dab.endgames("3x3", masks) == [None, "3^3", "3^2", "0"]
    with pytest.raises(ValueError, match="mask 1000000 draws line 24"):
        dab.endgames("3x3", [1 << 24])
    with pytest.raises(ValueError, match="unknown board"):
        dab.endgames("3y3", [0])


def test_nimstring():
    assert dab.nimstring("3x3")["nimber"] == 2
    assert dab.nimstring("2x2:b73", memory="1M")["nimber"] == 0
    with pytest.raises(ValueError, match="fill the 100 bytes of memory allowed: allow more"):
        dab.nimstring("3x3", memory=100)


def test_reviews(table):
    review = dab.review(GAME, board="2x2")
    assert (review["lost"], review["end"]["boxes"]) == (review["lost"], [0, 4])
    assert sum(review["lost"]) == sum(mistake["cost"] for mistake in review["mistakes"]) > 0
    assert review == dab.review(GAME, dab.solve("2x2", progress=False), board="2x2")
    assert dab.review(GAME, board="2x2", penalty=3)["end"]["margin"] == -4 + 3
    littlegolem = (REPOSITORY / "data/notation/littlegolem-5x5.txt").read_text()
    assert dab.review(littlegolem)["end"]["boxes"] == [18, 7]
    for game, options, message in [
        ("2x2:3", {}, "2x2:3 is a position, no game"),
        (GAME, {}, "dots notation does not say how large the board is: name it"),
        ("1. a1-b1 2. a1-b1", {"board": "2x2"}, "a1-b1 is drawn already"),
        (GAME, {"board": "2x2", "penalty": -1}, "penalty -1 is out of range"),
        (GAME, {"board": "2x2", "table": table}, "the game is on board 2x2, but .* holds positions of 3x3:0"),
        ("1. a1-b1", {"board": "5x5"}, "the game ends in 5x5:.* too many to be solved in passing"),
    ]:
        with pytest.raises(ValueError, match=message) as refused:
            dab.review(game, **options)
        assert "--" not in str(refused.value)
