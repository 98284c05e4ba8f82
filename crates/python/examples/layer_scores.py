"""Plots the scores of every stored position of a layer.

    python layer_scores.py RUN LAYER OUT

OUT is the name of a picture, .svg or .png.
"""

import sys

import matplotlib
import numpy as np

import dab

matplotlib.use("Agg")
from matplotlib import pyplot


def main(run: str, layer: int, out: str) -> None:
    table = dab.open(run)
    _, scores = table.layer(layer)
    values, counts = np.unique(scores, return_counts=True)
    title = f"layer {layer} of {table.board}: {len(scores):,} positions"
    pyplot.figure(figsize=(7, 4), layout="constrained")
    pyplot.bar(values, counts / len(scores))
    pyplot.title(title)
    pyplot.xlabel("score: net boxes for the player to move")
    pyplot.ylabel("part of the positions")
    pyplot.savefig(out)
    print(f"{title}, mean score {scores.mean():.2f}, in {out}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
