"""Plots what a random line loses, layer by layer: python regret_by_layer.py RUN OUT.svg"""

import sys

import numpy as np
from matplotlib.figure import Figure

import dab_solver as dab

table = dab.open(sys.argv[1])
regret: list[float] = []
for layer in range(table.n_layers - 1):
    q = table.move_scores(table.layer(layer)[0]).astype(np.float32)
    q[q == dab.DRAWN] = np.nan
    regret.append(float(np.nanmean(np.nanmax(q, axis=1, keepdims=True) - q)))
axes = (figure := Figure()).subplots()
axes.plot(regret)
axes.set(xlabel="drawn lines", ylabel="boxes lost by a random line", title=table.board)
figure.savefig(sys.argv[2])
