"""Arrays of scores against reference values, against single answers, and against each other."""

import multiprocessing
import threading
from collections import Counter

import numpy as np
import pytest
from conftest import rows

import dab


def random_masks(n: int, n_lines: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << n_lines, n, dtype=np.uint64)


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
        np.repeat(masks, 2, axis=2)[:, :, ::2],
    ]:
        assert (table.scores(same) == scores).all()
    assert table.scores(0).shape == () and table.scores(0) == -3
    assert table.scores([]).shape == (0,) and table.best(np.zeros((0, 3), dtype=np.uint64)).shape == (0, 3)
    assert table.scores(masks.astype(np.uint32)[0, 0]).shape == (4,)


def test_wrong_masks_are_refused(table):
    with pytest.raises(ValueError, match="3x3:1000000 does not arise from 3x3:0"):
        table.scores([0, 1 << 24])
    with pytest.raises(ValueError, match="3x3:1ffffff does not arise"):
        table.best([(1 << 25) - 1])
    with pytest.raises(ValueError, match="at least 0"):
        table.scores([0, -1])
    for wrong in [[0.5], ["3x3"], [True, None]]:
        with pytest.raises(TypeError, match="masks are an array of integers, not of"):
            table.scores(wrong)
    wide = dab.solve(dab.Position.of_mask("5x6", (1 << 71) - 1 - 7), progress=False)
    assert wide.answer(wide.start)["score"] == 3
    for question in [wide.scores, wide.best]:
        with pytest.raises(ValueError, match="5x6 has 71 lines, but a mask in an array has 64 bits"):
            question([0])


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


def test_threads_share_a_table(table):
    masks = random_masks(30_000, 24)
    expected, found = table.scores(masks), {}
    threads = [threading.Thread(target=lambda i=i: found.update({i: table.scores(masks)})) for i in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(found) == 4 and all((scores == expected).all() for scores in found.values())


def _scores(masks):
    return TABLE.scores(masks)


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_forked_processes_share_a_table(table):
    """As the workers of a data loader do."""
    global TABLE
    TABLE = table
    masks = random_masks(10_000, 24)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for scores in pool.map(_scores, [masks, masks]):
            assert (scores == table.scores(masks)).all()
