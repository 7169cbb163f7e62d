"""Files that may not be read, places that may not be written to, paths that lead nowhere: one message with the path, exit code 4."""

import os
import re
import shutil
from pathlib import Path

import pytest
from pipeline_support import never, python, stored

from benchmarks.traces import Shape, generate
from tck.reports.pipeline.check import check
from tck.reports.pipeline.store import Store

BOUND = """
import ctypes, os, sys
if os.geteuid() == 0:
    for capability in (1, 2):  # to pass over permissions: to write, to read
        if ctypes.CDLL(None).prctl(24, capability, 0, 0, 0):
            sys.exit(77)
os.execv(sys.executable, [sys.executable, "-m", "tck", "pipeline", *sys.argv[1:]])
"""
"""What a command of somebody does whom permissions bind, also where the tests are root's."""


def bound(*words, cwd):
    done = python("-c", BOUND, *words, cwd=cwd)
    if done.returncode == 77:
        pytest.skip("permissions do not bind root here")
    return done


@pytest.fixture
def store(tmp_path):
    made = Store.make(tmp_path / "store")
    stored(made, generate(Shape(rounds=1)))
    check(made, "R1", spark=never)
    yield made
    for folder, _, _ in os.walk(tmp_path):
        Path(folder).chmod(0o700)  # so that it can be taken away


def shown(done, path):
    assert (done.returncode, done.stdout) == (4, ""), done.stderr
    assert re.fullmatch(rf"tck: \w+Error: {re.escape(str(path))}: [^\n]*\n", done.stderr), done.stderr


@pytest.mark.parametrize(
    ("shut", "mode", "words"),
    [
        ("store", 0o500, ("check", "--again")),
        ("store/.staging", 0o500, ("check", "--again")),
        ("store/checks", 0o500, ("check", "--again")),
        ("store/store.json", 0o000, ("check",)),
        ("store/runs", 0o000, ("check",)),
        ("store/runs/R1.json", 0o000, ("check",)),
        ("store/ops/run=R1/part-00000.parquet", 0o000, ("check", "--again")),
        ("store/trace_verdict/run=R1/part-0.parquet", 0o000, ("check",)),
        ("store/trace_verdict/run=R1", 0o000, ("check",)),
        ("store/checks", 0o000, ("check",)),
    ],
)
def test_what_permissions_refuse_is_one_message(store, tmp_path, shut, mode, words):
    shutil.rmtree(store.path / ".staging") if shut == "store" else None
    (tmp_path / shut).chmod(mode)
    done = bound(*words, "--store", "store", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (4, ""), done.stderr
    assert re.fullmatch(rf"tck: \w+Error: {shut}[^:]*: [^\n]*Permission denied[^\n]*\n", done.stderr), done.stderr


@pytest.mark.parametrize(
    "name", ["run.json", "end.json", "results.ndjson.zst", "operations/00000.npy", "objects.ndjson"]
)
def test_an_unreadable_file_of_a_bundle_is_named(workload_bundle, tmp_path, name):
    copy = shutil.copytree(workload_bundle, tmp_path / "copy")
    (copy / name).chmod(0)
    done = bound("ingest", str(copy), "--store", "store", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (4, ""), done.stderr
    assert done.stderr.startswith("tck: ")
    assert str(copy / name) in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("place", ["file/x", "/proc/nope"])
@pytest.mark.parametrize("words", [("check",), ("ingest", "BUNDLE"), ("history",)])
def test_a_store_where_none_can_be_is_one_message(workload_bundle, tmp_path, place, words):
    (tmp_path / "file").write_text("x")
    words = [str(workload_bundle) if each == "BUNDLE" else each for each in words]
    shown(bound(*words, "--store", place, cwd=tmp_path), place)
