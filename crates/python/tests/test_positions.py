"""Positions: notations, pictures, lines."""

import copy
import pickle
import xml.dom.minidom

import numpy as np
import pytest

import dab_solver as dab


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
    position = dab.Position("1x2:35")
    assert repr(position) == "Position('1x2:35')" and eval(repr(position), vars(dab)) == position
    assert position.write("diagram") == "+---+   +\n|   |\n+---+   +"
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
    with pytest.raises(ValueError, match="-1 is out of range"):
        position.draw(-1)


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


def test_masks_and_bits():
    position = dab.Position("1x2:35")
    masks = dab.masks([position, "1x2", dab.Position("1110110", "1x2")])
    assert masks.dtype == np.uint64 and masks.tolist() == [0x35, 0, 0x37]
    bits = dab.to_bits(masks, "1x2")
    assert bits.dtype == np.uint8 and bits[0].tolist() == [1, 0, 1, 0, 1, 1, 0]
    assert (dab.from_bits(bits) == masks).all() and (dab.from_bits(bits.astype(bool)) == masks).all()
    assert dab.to_bits(0x35, "1x2").shape == (7,) and dab.from_bits(bits[0]) == 0x35
    many = np.random.default_rng(3).integers(0, 1 << 60, (2, 50, 3), dtype=np.uint64)
    assert dab.to_bits(many, "5x5").shape == (2, 50, 3, 60)
    assert (dab.from_bits(dab.to_bits(many, "5x5")) == many).all()
    assert dab.masks([]).shape == (0,) and dab.to_bits([], "1x2").shape == (0, 7)
    for wrong, message in [
        (lambda: dab.masks([position, "2x2"]), "of one board, not of 1x2 and 2x2"),
        (lambda: dab.masks(["5x6"]), "board 5x6 has 71 lines, but a mask in an array has 64 bits"),
        (lambda: dab.to_bits([1 << 7], "1x2"), "less than 2\\^7"),
        (lambda: dab.to_bits([-1], "1x2"), "at least 0"),
        (lambda: dab.from_bits([[0, 2]]), "zeros and ones"),
        (lambda: dab.from_bits(np.zeros((2, 65))), "at most 64 elements"),
    ]:
        with pytest.raises(ValueError, match=message):
            wrong()
    with pytest.raises(TypeError, match="not of float64"):
        dab.to_bits([0.5], "1x2")


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
    for mask in [-1, 1 << 128]:
        with pytest.raises(ValueError, match=f"{mask} is out of range"):
            dab.Position.of_mask("1x1", mask)


def test_boards_of_graph_files(tmp_path):
    file = tmp_path / "kite.txt"
    file.write_text("coin a\ncoin b\nstring a b\nstring a b\nstring a ground\nstring b ground\n")
    position = dab.Position(f"graph:{file}")
    assert position.n_lines == 4
    assert dab.solve(position, progress=False).scores(0) == dab.solve(position, progress=False).answer(position)["score"]
