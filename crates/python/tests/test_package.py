"""The package as its users meet it: examples, the README, documentation and types."""

import inspect
import subprocess
import sys
from pathlib import Path

from conftest import REPOSITORY

import dab

EXAMPLES = sorted((REPOSITORY / "crates/python/examples").glob("*.py"))


def run(*command, cwd):
    done = subprocess.run([sys.executable, *map(str, command)], cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_example_is_run():
    assert [example.name for example in EXAMPLES] == ["check_endgames.py", "grade_players.py", "layer_scores.py"]


def test_scores_of_a_layer_as_a_plot(runs, tmp_path):
    assert "layer 10 of 3x3" in run(EXAMPLES[2], runs / "3x3", 10, tmp_path / "plot.svg", cwd=tmp_path)
    assert "<svg" in (tmp_path / "plot.svg").read_text()


def test_graded_players(runs, tmp_path):
    greedy, random = run(EXAMPLES[1], runs / "3x3", 300, cwd=tmp_path).splitlines()
    assert greedy.startswith("greedy: ") and random.startswith("random: ")
    loss = [float(line.rsplit(" ", 1)[1]) for line in (greedy, random)]
    assert 0 < loss[0] < loss[1]


def test_checked_endgames(runs, tmp_path):
    said = run(EXAMPLES[0], runs / "3x4", cwd=tmp_path)
    assert said.startswith("3x4: ") and said.endswith("every value is minus the score\n")


def test_the_python_of_the_readme(tmp_path):
    for readme in [REPOSITORY / "README.md", REPOSITORY / "crates/python/README.md"]:
        code = readme.read_text().split("```python\n")[1].split("```")[0]
        run("-c", code, cwd=tmp_path)


def test_everything_is_documented():
    for name in dab.__all__:
        item = getattr(dab, name)
        assert name == "__version__" or inspect.getdoc(item), name
        if inspect.isclass(item) and item.__module__.startswith("dab"):
            for member in (member for member in vars(item) if not member.startswith("_")):
                assert inspect.getdoc(getattr(item, member)), f"{name}.{member}"


def test_stubs_say_what_there_is(tmp_path):
    run("-m", "mypy.stubtest", "dab._dab", cwd=tmp_path)


def test_examples_and_package_have_the_right_types(tmp_path):
    assert Path(dab.__file__).with_name("py.typed").exists()
    run("-m", "mypy", "--strict", *EXAMPLES, cwd=tmp_path)
    run("-m", "mypy", "--strict", REPOSITORY / "crates/python/python/dab", cwd=tmp_path)
