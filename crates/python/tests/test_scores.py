"""Arrays of scores against reference values, against single answers, and against each other."""

import multiprocessing
import pickle
import subprocess
import sys
import threading
from collections import Counter

import numpy as np
import pytest
from conftest import rows

import dab_solver as dab


def random_masks(n: int, n_lines: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << n_lines, n, dtype=np.uint64)


def unaligned(masks: np.ndarray) -> np.ndarray:
    """The same masks in records of nine bytes, as rows of `dab export --format npy` lie at any byte."""
    records = np.zeros(masks.shape, dtype=[("score", "i1"), ("drawn", "<u8")])
    records["drawn"] = masks
    assert not records["drawn"].flags.aligned
    return records["drawn"]


@pytest.mark.parametrize("board", ["3x3", "3x4"])
def test_golden_positions(tables, board):
    golden = [row for row in rows("positions.tsv") if f"{row[0]}x{row[1]}" == board]
    assert len(golden) > 100
    masks = np.array([int(row[2], 16) for row in golden], dtype=np.uint64)
    assert tables[board].scores(masks).tolist() == [int(row[3]) for row in golden]
    bits = [sum(1 << int(line) for line in row[4].split(",")) for row in golden]
    assert tables[board].best(masks).tolist() == bits


@pytest.mark.parametrize("board", ["2x3", "3x3"])
def test_golden_histograms(board):
    """Every subset of the lines."""
    table = dab.solve(board, progress=False)
    found = Counter()
    masks = np.arange(1 << table.start.n_lines, dtype=np.uint64)
    for part in np.array_split(masks, max(1, len(masks) >> 20)):
        pairs = np.stack([np.bitwise_count(part).astype(int), table.scores(part).astype(int)])
        for (drawn, score), n in zip(*np.unique(pairs.T, axis=0, return_counts=True)):
            found[int(drawn), int(score)] += int(n)
    golden = {(int(drawn), int(score)): int(n) for drawn, score, n in rows(f"hist_{board}.tsv")}
    assert found == golden


def test_golden_starts():
    for height, width, start, penalty, _, mask, score, *_ in rows("start_values.tsv"):
        if int(height) * int(width) <= 6:
            position = dab.Position(f"{height}x{width}:{mask}")
            table = dab.solve(position, penalty=int(penalty), progress=False)
            assert table.scores(position.mask) == int(score), (position, start)
            assert table.penalty == int(penalty)


@pytest.mark.parametrize("space", ["quiet", "full"])
def test_arrays_and_single_answers_agree(space):
    table = dab.solve("2x3", space=space, progress=False)
    masks = np.arange(1 << 17, dtype=np.uint64)[:: 1 if space == "quiet" else 37]
    scores, best = table.scores(masks), table.best(masks)
    for mask, score, lines in zip(masks[::53], scores[::53], best[::53]):
        answer = table.answer(mask)
        assert answer["score"] == score
        assert sum(1 << line for line in answer["best"]) == lines


def test_every_best_line_keeps_the_score(tables):
    table = tables["3x4"]
    masks = random_masks(20_000, 31)
    scores, best = table.scores(masks), table.best(masks)
    assert not (best & masks).any() and ((best == 0) == (masks == (1 << 31) - 1)).all()
    # The lowest best line leads to minus the score, or to the score less what it closes.
    lines = best & (~best + np.uint64(1))
    after = table.scores(masks | lines)
    for mask, score, line, rest in zip(masks[:2000], scores, lines, after):
        closed = dab.Position.of_mask("3x4", int(mask)).closes(int(line).bit_length() - 1)
        assert score == (closed + rest if closed else -rest)


def test_scores_of_moves_are_those_of_answers(tables):
    for table, n_lines in [(tables["3x3"], 24), (tables["3x4"], 31)]:
        masks = random_masks(3000, n_lines).reshape(30, 100)
        moves, best = table.move_scores(masks), table.best(masks)
        assert moves.shape == (30, 100, n_lines) and moves.dtype == np.int8
        assert ((moves == dab.DRAWN) == dab.to_bits(masks, table.board).astype(bool)).all()
        is_best = (moves == moves.max(axis=-1, keepdims=True)) & (moves != dab.DRAWN)
        assert (dab.from_bits(is_best) == best).all()
        for mask, row in zip(masks.flat[::29], moves.reshape(3000, n_lines)[::29]):
            scores = {move["line"]: move["score"] for move in table.answer(mask)["moves"]}
            assert [scores.get(line, dab.DRAWN) for line in range(n_lines)] == row.tolist()


def test_regret(tables):
    table = tables["3x4"]
    masks = random_masks(2000, 31) & ~np.uint64(1 << 7)
    moves = table.move_scores(masks).astype(int)
    regret = table.regret(masks, 7)
    assert regret.dtype == np.int16 and regret.shape == (2000,)
    assert (regret == moves.max(axis=1) - moves[:, 7]).all() and 0 == regret.min() < regret.max()
    lines = np.argmax(moves == moves.max(axis=1, keepdims=True), axis=1)
    assert not table.regret(masks, lines).any()
    # As numpy broadcasts them: every line of one position.
    start = np.zeros((1, 1), dtype=np.uint64)
    assert table.regret(start, np.arange(31)).shape == (1, 31)
    assert table.regret(dab.Position("3x4"), 0).shape == ()
    for lines, message in [
        ([7, 31], r"masks\[1\]: there is no line 31: the last one is 30"),
        ([7, -1], r"lines\[1\]: -1 is not at least 0"),
        ([1, 2, 3], "shape mismatch"),
    ]:
        with pytest.raises(ValueError, match=message):
            table.regret(masks[:2] * np.uint64(0), lines)
    with pytest.raises(ValueError, match=r"masks\[1\]: line 3 is drawn already in 3x4:8"):
        table.regret([0, 8], 3)
    with pytest.raises(TypeError, match="lines are an array of integers, not of float64"):
        table.regret([0], 0.5)


def test_shapes_and_types(table):
    masks = random_masks(24, 24).reshape(2, 3, 4)
    scores = table.scores(masks)
    assert scores.shape == (2, 3, 4) and scores.dtype == np.int8
    assert table.best(masks).shape == (2, 3, 4) and table.best(masks).dtype == np.uint64
    for same in [
        masks.astype(np.int64),
        masks.astype(">u8"),
        np.asfortranarray(masks),
        masks.tolist(),
        [[[dab.Position.of_mask("3x3", int(mask)) for mask in row] for row in rows] for rows in masks],
        masks.astype(object),
        unaligned(masks),
        np.repeat(masks, 2, axis=2)[:, :, ::2],
        np.frombuffer(b"\0" + masks.tobytes(), dtype="u8", offset=1).reshape(2, 3, 4),
    ]:
        assert (table.scores(same) == scores).all()
    assert table.scores(0).shape == () and table.scores(0) == -3
    assert table.scores([]).shape == (0,) and table.best(np.zeros((0, 3), dtype=np.uint64)).shape == (0, 3)
    assert table.scores(masks.astype(np.uint32)[0, 0]).shape == (4,)


def test_wrong_masks_are_refused(table):
    for ask in [table.scores, table.move_scores, table.best]:
        with pytest.raises(ValueError, match=r"masks\[1\]: position 3x3:1000000 does not arise from 3x3:0"):
            ask([0, 1 << 24])
        with pytest.raises(ValueError, match=r"masks\[1, 0\]: position 3x3:1ffffff does not arise"):
            ask([[0, 1], [(1 << 25) - 1, 1 << 24]])
        with pytest.raises(ValueError, match="masks: position 3x3:1000000 does not arise"):
            ask(1 << 24)
        # numpy has no type for these.
        with pytest.raises(ValueError, match=r"masks\[1\]: position 3x3:10000000000000000 does not arise"):
            ask([0, 1 << 64])
        with pytest.raises(ValueError, match=r"masks\[1\]: -1 is not at least 0"):
            ask([0, -1])
        for wrong in [-1, 1 << 128]:
            with pytest.raises(ValueError, match=rf"masks\[1\]: {wrong} is out of range"):
                ask([1 << 64, wrong])
        with pytest.raises(ValueError, match=r"masks\[0\]: position 2x2:0 is not on board 3x3"):
            ask([dab.Position("2x2")])
        # Rows of zeros and ones, bytes of masks, and whatever else has too few bits.
        for dtype in [np.uint8, np.uint16, np.int16]:
            with pytest.raises(ValueError, match=f"masks of board 3x3 have 24 bits, .* {np.dtype(dtype)} has"):
                ask(np.zeros((5, 24), dtype=dtype))
    for wrong in [[0.5], ["3x3"], [True, None]]:
        with pytest.raises(TypeError, match="masks are an array of integers, not of"):
            table.scores(wrong)
    wide = dab.solve(dab.Position.of_mask("5x6", (1 << 71) - 1 - 7), progress=False)
    assert wide.answer(wide.start)["score"] == 3
    for question in [wide.scores, wide.best]:
        with pytest.raises(ValueError, match="5x6 has 71 lines, but a mask in an array has 64 bits"):
            question([0])


def test_numbers_out_of_range(table):
    for wrong in [
        lambda: table.sample(-1),
        lambda: table.sample(1, layer=-1),
        lambda: table.sample(1, seed=1 << 64),
        lambda: table.layer(-1),
    ]:
        with pytest.raises(ValueError, match="is out of range"):
            wrong()


def test_samples(tables):
    table = tables["3x4"]
    masks = table.sample(5000, layer=12, seed=3)
    assert masks.dtype == np.uint64 and masks.shape == (5000,)
    assert (np.bitwise_count(masks) == 12).all()
    assert (masks == table.sample(5000, layer=12, seed=3)).all()
    assert (masks != table.sample(5000, layer=12, seed=4)).any()
    stored, scores = table.layer(12)
    at = np.argsort(stored)
    place = at[np.searchsorted(stored[at], masks)]
    assert (stored[place] == masks).all()
    assert (scores[place] == table.scores(masks)).all()
    assert len(np.unique(np.bitwise_count(table.sample(5000)))) > 5
    with pytest.raises(ValueError, match="no scores of layer 99: it holds layers 0 to 31 of 32"):
        table.sample(1, layer=99)


def test_layers_hold_every_stored_position(table):
    layers = [table.layer(layer) for layer in range(table.n_layers)]
    assert [len(masks) for masks, _ in layers] == [layer["positions"] for layer in table.summary()["layers"]]
    assert sum(len(masks) for masks, _ in layers) == 394_868
    masks, scores = layers[10]
    assert (table.scores(masks) == scores).all()
    assert len(np.unique(masks)) == len(masks)


def test_exports_are_read_back(table, tmp_path):
    assert table.export(tmp_path / "layer.npy", layer=10) == len(table.layer(10)[0])
    rows = dab.load(tmp_path / "layer.npy")
    assert rows["drawn"].dtype == np.dtype("<u8") and (rows["layer"] == 10).all()
    masks, scores = table.layer(10)
    assert (rows["drawn"] == masks).all() and (rows["score"] == scores).all()
    assert (table.scores(rows["drawn"]) == rows["score"]).all() and (table.best(rows["drawn"]) == rows["best"]).all()
    assert table.export(str(tmp_path / "some.csv"), sample=100, seed=3) == 100
    text = (tmp_path / "some.csv").read_text().splitlines()
    assert text[0] == "position,layer,score,best" and len(set(text)) == 101
    for row in text[1:]:
        position, layer, score, best = row.split(",")
        assert (table.scores(dab.Position(position)), table.best(dab.Position(position))) == (int(score), int(best, 16))
    with pytest.raises(ValueError, match="has no layer 99"):
        table.export(tmp_path / "none.npy", layer=99)
    with pytest.raises(dab.Error, match="cannot write .*nowhere"):
        table.export(tmp_path / "nowhere" / "layer.npy")
    # Text, an array of something else, an archive, nothing at all.
    np.save(tmp_path / "other.npy", masks)
    np.savez(tmp_path / "other.npz", drawn=masks)
    (tmp_path / "empty.npy").touch()
    for other in ["some.csv", "other.npy", "other.npz", "empty.npy"]:
        with pytest.raises(ValueError, match=f"{other} (is no exported array|holds no positions)"):
            dab.load(tmp_path / other)
    with pytest.raises(FileNotFoundError):
        dab.load(tmp_path / "nowhere.npy")


def test_threads_share_a_table(table):
    masks = random_masks(30_000, 24)
    expected, found = table.scores(masks), {}
    threads = [threading.Thread(target=lambda i=i: found.update({i: table.scores(masks)})) for i in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 4 and all((scores == expected).all() for scores in found.values())


STOPPED = """
import os, signal, sys, threading
import numpy as np
import dab_solver as dab
# Whoever runs the tests in the background may have turned it off.
signal.signal(signal.SIGINT, signal.default_int_handler)
table = dab.open(sys.argv[1])
masks = np.tile(table.sample(100_000), 100)
events = []
sys.setprofile(lambda frame, event, function: events.append(event) if getattr(function, "__name__", "") == "best" else None)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    table.best(masks)
except KeyboardInterrupt:
    sys.setprofile(None)
    print(events)
"""


def test_ctrl_c_stops_a_large_array(runs):
    done = subprocess.run([sys.executable, "-c", STOPPED, runs / "3x4"], capture_output=True, text=True)
    # The exception is that of the call: it did not return before.
    assert done.stdout == "['c_call', 'c_exception']\n", done.stderr


def test_closed_tables(runs):
    with dab.open(runs / "3x3") as table:
        assert table.scores(0) == -3
    for ask in [lambda: table.scores(0), lambda: table.best(0), lambda: table.board, table.__enter__().summary]:
        with pytest.raises(ValueError, match="<dab.Table of 3x3:0, .*3x3> is closed"):
            ask()
    assert "\n" not in repr(table)


def test_a_cache_changes_no_score(runs, tables):
    masks = random_masks(20_000, 31)
    with dab.open(runs / "3x4", cache="100M") as table:
        for _ in range(2):
            assert (table.move_scores(masks) == tables["3x4"].move_scores(masks)).all()


def _scores(masks):
    return TABLE.scores(masks), TABLE.best(masks)


def _solve_and_open(path):
    said = []
    for work in [lambda: dab.solve("2x2", progress=False), lambda: dab.open(path), lambda: dab.ask("2x2")]:
        try:
            work()
        except dab.Error as error:
            said.append(str(error))
    return said


def _of_table(table, masks):
    return table.scores(masks)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forked_processes_share_a_table(table):
    """As the workers of a data loader do."""
    global TABLE
    TABLE = table
    masks = random_masks(10_000, 24)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for scores, best in pool.map(_scores, [masks, masks]):
            assert (scores == table.scores(masks)).all() and (best == table.best(masks)).all()


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forked_processes_say_that_they_cannot_solve(runs):
    with multiprocessing.get_context("fork").Pool(1) as pool:
        said = pool.apply(_solve_and_open, [runs / "3x3"])
    assert len(said) == 3 and all("this process was forked" in error and "'spawn'" in error for error in said)


def test_tables_are_pickled_by_path(table, runs, monkeypatch):
    masks = random_masks(1000, 24)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert (pool.apply(_of_table, [table, masks]) == table.scores(masks)).all()
    # Wherever the other process is.
    monkeypatch.chdir(runs)
    pickled = pickle.dumps(dab.open("3x3"))
    monkeypatch.chdir("/")
    assert (pickle.loads(pickled).scores(masks) == table.scores(masks)).all()
    with pytest.raises(TypeError, match="cannot pickle <dab.Table of 2x2:0, .* in memory>.*: another process"):
        pickle.dumps(dab.solve("2x2", progress=False))
