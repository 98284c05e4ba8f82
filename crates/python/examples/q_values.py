"""Writes the scores of every line of 100,000 positions: python q_values.py RUN OUT.npz"""

import sys

import numpy as np

import dab_solver as dab

with dab.open(sys.argv[1]) as table:
    masks = table.sample(100_000, seed=1)
    q = table.move_scores(masks)  # dab.DRAWN where a line is drawn already
    scores = table.scores(masks)
assert (q.max(axis=1) == scores)[(q != dab.DRAWN).any(axis=1)].all()
np.savez_compressed(sys.argv[2], masks=masks, q=q)
print(f"{(q != dab.DRAWN).sum()} lines of {len(masks)} positions, in {sys.argv[2]}")
