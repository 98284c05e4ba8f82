"""Solving: runs, memory, progress, and being stopped."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import dab_solver as dab


def test_runs_and_memory_answer_alike(tmp_path):
    run = dab.solve("2x3", tmp_path / "run", progress=False)
    memory = dab.solve("2x3", progress=False)
    assert run.answer("2x3:7")["source"] == "run" and memory.answer("2x3:7")["source"] == "solved"
    masks = run.sample(1000)
    assert (run.scores(masks) == memory.scores(masks)).all()
    opened = dab.open(os.fspath(tmp_path / "run"))
    assert opened.summary()["digest"] == run.summary()["digest"] is not None
    assert repr(opened) == f"<dab.Table of 2x3:0, quiet space, in {tmp_path / 'run'}>"
    # Solving what is solved opens it.
    assert dab.solve("2x3", tmp_path / "run", progress=False).summary() == run.summary()


def test_options():
    table = dab.solve("2x3:3", penalty=2, space="full", threads=1, memory="1G", progress=False)
    assert (table.penalty, table.summary()["space"], str(table.start)) == (2, "full", "2x3:3")
    for options, message in [
        ({"threads": -1}, "-1 is out of range"),
        ({"memory": -1}, "-1 is out of range"),
        ({"penalty": 1 << 40}, "1099511627776 is out of range"),
        ({"space": "tiny"}, "unknown space 'tiny': expected quiet or full"),
        ({"memory": "1X"}, "'1X' is no size"),
        ({"memory": "1M"}, "need more memory with .*: 1M are allowed"),
        ({"penalty": -1}, "penalty -1 is out of range"),
    ]:
        with pytest.raises(ValueError, match=message) as refused:
            dab.solve("3x3", progress=False, **options)
        assert "--" not in str(refused.value)
    with pytest.raises(TypeError):
        dab.solve(3)


def test_scores_that_do_not_fit_in_memory_are_refused_before_solving():
    with pytest.raises(ValueError, match="4x4:0 .quiet space.: 2,260,859,918 positions need more memory") as refused:
        dab.solve("4x4", memory="1G", progress=False)
    assert "--" not in str(refused.value)


def test_directories_that_hold_something_else(tmp_path):
    dab.solve("2x2", tmp_path / "run", progress=False)
    with pytest.raises(dab.Error, match=str(tmp_path)) as refused:
        dab.solve("2x3", tmp_path / "run", progress=False)
    assert "--" not in str(refused.value)
    with pytest.raises(dab.Error, match="nowhere"):
        dab.open(tmp_path / "nowhere")


def test_damage_is_named(tmp_path):
    dab.solve("2x3", tmp_path / "run", progress=False)
    file = max((tmp_path / "run").iterdir(), key=lambda file: file.stat().st_size)
    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 0xFF
    file.write_bytes(damaged)
    with pytest.raises(dab.Error, match=file.name):
        table = dab.open(tmp_path / "run")
        table.scores(range(1 << 17))


def test_a_function_hears_of_progress():
    heard = []
    dab.solve("2x4", progress=lambda done, total: heard.append((done, total)))
    assert heard[-1] == (75_261, 75_261)
    assert [done for done, _ in heard] == sorted(done for done, _ in heard)


def test_an_exception_of_it_stops_the_solve(tmp_path):
    def progress(done, total):
        # Before that there may be no run.
        if done:
            raise KeyError(total)

    with pytest.raises(KeyError, match="2260859918"):
        dab.solve("4x4", tmp_path / "run", threads=1, progress=progress)
    with pytest.raises(dab.Error, match="layers are solved"):
        dab.open(tmp_path / "run")


def test_a_bar_is_cleared(capsys, monkeypatch):
    monkeypatch.setattr("dab_solver._solve.PATIENCE", 0.0)
    # A log is no terminal.
    dab.solve("2x4")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    dab.solve("2x4")
    shown = capsys.readouterr().err
    assert "75,261 of 75,261 positions" in shown and shown.endswith(" \r")
    dab.solve("2x4", progress=False)
    assert capsys.readouterr().err == ""


STOPPED = """
import signal, sys, dab_solver as dab
# Whoever runs the tests in the background may have turned it off.
signal.signal(signal.SIGINT, signal.default_int_handler)
print("ready", flush=True)
try:
    dab.solve("4x4", sys.argv[1], threads=1, progress=False)
except KeyboardInterrupt:
    print("stopped")
"""


def test_ctrl_c_stops_a_solve_that_goes_on_later(tmp_path):
    run = tmp_path / "run"
    process = subprocess.Popen([sys.executable, "-c", STOPPED, run], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    while not list(run.glob("layer-*.score")) and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert (process.returncode, output) == (0, "stopped\n")
    with pytest.raises(dab.Error, match="only [0-9]+ of 41 layers are solved") as refused:
        dab.open(run)
    assert "--" not in str(refused.value)


def test_other_threads_run_meanwhile():
    counted, done = 0, threading.Event()

    def solve():
        dab.solve("3x4", progress=False)
        done.set()

    thread = threading.Thread(target=solve)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0)
    thread.join()
    assert counted > 10
