"""Positions: notations, pictures, lines."""

import copy
import pickle
import xml.dom.minidom

import pytest

import dab

def test_any_notation():
    position = dab.Position("1x2:37")
    assert (position.board, position.mask, position.n_lines, position.undrawn) == ("1x2", 0x37, 7, [3, 6])
    assert str(position) == "1x2:37"
    for text, board in [
        ("+---+---+\n|   |\n+---+   +", None),
        ("1110110", "1x2"),
        ("1. a2-b2 2. a1-a2 3. a1-b1 4. b1-b2, b2-c2", "1x2"),
    ]:
        assert dab.Position(text, board) == position, text
    for notation in ["compact", "diagram", "wilson", "bits", "lattice", "dots"]:
        assert dab.Position(position.write(notation), "1x2") == position
    assert dab.Position.of_mask("1x2", 0x37) == position


def test_pictures():
    assert repr(dab.Position("1x2:35")) == "Position('1x2:35')\n+---+   +\n|   |\n+---+   +"
    svg = dab.Position("3x3:fff")._repr_svg_()
    assert xml.dom.minidom.parseString(svg).documentElement.tagName == "svg"


def test_lines():
    position = dab.Position("1x2:5f")
    assert (position.closes(5), position.open_boxes) == (2, 2)
    assert position.draw(5) == dab.Position("1x2:7f") and position.draw(5).open_boxes == 0
    with pytest.raises(ValueError, match="line 0 is drawn already"):
        position.draw(0)
    with pytest.raises(ValueError, match="there is no line 7: the last one is 6"):
        position.closes(7)


def test_equal_positions():
    position = dab.Position("3x3:1f")
    assert position == dab.Position.of_mask("3x3", 31) and position != dab.Position("3x3:f")
    assert position != "3x3:1f"
    assert len({position, dab.Position("3x3:1f"), dab.Position("3x4:1f")}) == 2
    assert pickle.loads(pickle.dumps(position)) == position == copy.deepcopy(position)
    with pytest.raises(AttributeError):
        position.mask = 3


def test_openspiel():
    # One box above the other: OpenSpiel numbers the three horizontal lines first, then the vertical ones row by row.
    position = dab.Position("+---+\n|    \n+   +\n|    \n+---+")
    assert position.to_openspiel() == "1011010"
    assert dab.Position.from_openspiel("1011010", "2x1") == position
    assert dab.Position.from_openspiel("0" * 24) == dab.Position("3x3")
    with pytest.raises(ValueError, match="7 bits are the lines of 1x2 and of 2x1: say which"):
        dab.Position.from_openspiel("1011010")
    with pytest.raises(ValueError, match="2x2 has 12 lines, but there are 7 bits"):
        dab.Position.from_openspiel("1011010", "2x2")
    with pytest.raises(ValueError, match="for rectangles only, not for closed:3"):
        dab.Position("closed:3").to_openspiel()


def test_openspiel_agrees():
    """Against OpenSpiel itself, where it is installed."""
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("dots_and_boxes(num_rows=2,num_cols=3)")
    state, position = game.new_initial_state(), dab.Position("2x3")
    lead = {0: 0, 1: 0}
    for line in [5, 0, 16, 9, 3, 10, 12, 1, 13, 2, 15, 6, 7, 8, 11, 4, 14]:
        assert state.legal_actions() == position.undrawn
        player = state.current_player()
        closed = position.closes(line)
        lead[player] += closed
        state.apply_action(line)
        position = position.draw(line)
        assert state.dbn_string() == position.to_openspiel()
        assert dab.Position.from_openspiel(state.dbn_string(), "2x3") == position
        if not state.is_terminal():
            assert (state.current_player() == player) == (closed > 0)
    assert state.is_terminal() and position.open_boxes == 0
    assert (state.returns()[0] > 0) == (lead[0] > lead[1])


def test_wrong_texts_are_refused():
    for text, message in [
        ("3y3", "unknown board '3y3'"),
        ("3x3:1g", "character 2 of the mask is 'g'"),
        ("9x9", "at most 128"),
        ("a1-b1", "does not say how large the board is: name it"),
    ]:
        with pytest.raises(ValueError, match=message) as refused:
            dab.Position(text)
        assert "--" not in str(refused.value)
    with pytest.raises(dab.Error, match="cannot read nowhere: No such file"):
        dab.Position("graph:nowhere")
    with pytest.raises(ValueError, match="mask 10 draws line 4, but board 1x1 has only lines 0 to 3"):
        dab.Position.of_mask("1x1", 16)
    with pytest.raises(ValueError, match="unknown notation 'morse'"):
        dab.Position("3x3").write("morse")
    with pytest.raises(OverflowError):
        dab.Position.of_mask("1x1", -1)


def test_boards_of_graph_files(tmp_path):
    file = tmp_path / "kite.txt"
    file.write_text("coin a\ncoin b\nstring a b\nstring a b\nstring a ground\nstring b ground\n")
    position = dab.Position(f"graph:{file}")
    assert position.n_lines == 4
    assert dab.solve(position, progress=False).scores(0) == dab.solve(position, progress=False).answer(position)["score"]
