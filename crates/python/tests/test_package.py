"""The package as its users meet it: examples, the README, documentation and types."""

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
from conftest import REPOSITORY

import dab_solver as dab

EXAMPLES = REPOSITORY / "crates/python/examples"
SHORT = ["environment.py", "grade_bot.py", "q_values.py", "regret_by_layer.py", "training_data.py"]


def run(*command, cwd):
    done = subprocess.run([sys.executable, *map(str, command)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def example(name, *arguments, cwd):
    return run(EXAMPLES / name, *arguments, cwd=cwd)


def test_every_example_is_run():
    assert sorted(example.name for example in EXAMPLES.iterdir()) == sorted(["check_endgames.py", *SHORT])
    for name in SHORT:
        assert len((EXAMPLES / name).read_text().splitlines()) < 20


def test_values_of_lines(runs, table, tmp_path):
    said = example("q_values.py", runs / "3x3", "q.npz", cwd=tmp_path)
    assert said.endswith(" lines of 100000 positions, in q.npz\n")
    data = np.load(tmp_path / "q.npz")
    assert data["q"].shape == (100_000, 24) and (table.move_scores(data["masks"]) == data["q"]).all()


def test_a_graded_bot(runs, tmp_path):
    said = example("grade_bot.py", runs / "3x3", 300, cwd=tmp_path)
    assert said.startswith("<dab.Grade of ") and "blunder rate 0.000" not in said


def test_a_perfect_player_in_an_environment(table, tmp_path):
    ours, theirs = map(int, example("environment.py", cwd=tmp_path).split(" : "))
    assert ours + theirs == 9 and ours - theirs >= table.scores(0)


def test_regret_as_a_plot(runs, tmp_path):
    example("regret_by_layer.py", runs / "3x3", "plot.svg", cwd=tmp_path)
    assert "<svg" in (tmp_path / "plot.svg").read_text()


def test_data_for_training(runs, table, tmp_path):
    example("training_data.py", runs / "3x3", 5000, "data.npz", cwd=tmp_path)
    data = np.load(tmp_path / "data.npz")
    assert data["lines"].shape == data["policy"].shape == (5000, 24)
    assert (table.scores(dab.from_bits(data["lines"])) == data["value"]).all()
    assert (dab.from_bits(data["policy"] > 0) == table.best(dab.from_bits(data["lines"]))).all()
    assert np.isin(np.round(data["policy"].sum(axis=1), 5), [0, 1]).all()


def test_checked_endgames(runs, tmp_path):
    said = example("check_endgames.py", runs / "3x4", cwd=tmp_path)
    assert said.startswith("3x4: ") and said.endswith("every value is minus the score\n")


def test_the_python_of_the_readme(tmp_path):
    for readme in [REPOSITORY / "README.md", REPOSITORY / "crates/python/README.md"]:
        code = readme.read_text().split("```python\n")[1].split("```")[0]
        run("-c", code, cwd=tmp_path)


def test_everything_is_documented():
    for name in dab.__all__:
        item = getattr(dab, name)
        assert name == "__version__" or inspect.getdoc(item), name
        if inspect.isclass(item) and item.__module__.startswith("dab_solver"):
            for member in (member for member in vars(item) if not member.startswith("_")):
                assert inspect.getdoc(getattr(item, member)), f"{name}.{member}"


def test_stubs_say_what_there_is(tmp_path):
    run("-m", "mypy.stubtest", "dab_solver._dab", cwd=tmp_path)


def test_examples_and_package_have_the_right_types(tmp_path):
    assert Path(dab.__file__).with_name("py.typed").exists()
    for path in sorted(EXAMPLES.iterdir()):
        run("-m", "mypy", "--strict", path, cwd=tmp_path)
    run("-m", "mypy", "--strict", REPOSITORY / "crates/python/python/dab_solver", cwd=tmp_path)
    run("-m", "pyright", "--pythonpath", sys.executable, *sorted(EXAMPLES.iterdir()), Path(dab.__file__).parent, cwd=tmp_path)
