"""Writes a data set for training, lines, scores and best lines: python training_data.py RUN N OUT.npz"""

import sys

import numpy as np

import dab_solver as dab

table = dab.open(sys.argv[1])
masks = table.sample(int(sys.argv[2]), seed=1)
best = dab.to_bits(table.best(masks), table.board)
np.savez_compressed(
    sys.argv[3],
    lines=dab.to_bits(masks, table.board),
    value=table.scores(masks),
    policy=best / np.maximum(best.sum(axis=1, keepdims=True), 1, dtype=np.float32),
)
