"""Tables that several tests ask, and the reference values of independent programs."""

from pathlib import Path

import pytest

import dab_solver as dab

REPOSITORY = Path(__file__).resolve().parents[3]
GOLDEN = REPOSITORY / "data" / "golden"


def rows(name: str) -> list[list[str]]:
    """The rows of a table of reference values, without comments."""
    lines = (GOLDEN / name).read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the runs 3x3 and 3x4."""
    runs = tmp_path_factory.mktemp("runs")
    for board in ["3x3", "3x4"]:
        dab.solve(board, runs / board, progress=False)
    return runs


@pytest.fixture(scope="session")
def table(runs: Path) -> dab.Table:
    """The run 3x3."""
    return dab.open(runs / "3x3")


@pytest.fixture(scope="session")
def tables(runs: Path) -> dict[str, dab.Table]:
    """Both runs by their boards."""
    return {board: dab.open(runs / board) for board in ["3x3", "3x4"]}
