"""^C, also where foreign code swallows it."""

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tck.plugin.interrupt import Interrupts


@pytest.fixture
def interrupts():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    made = Interrupts()
    yield made
    made.restore()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_raised_where_it_comes(interrupts):
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_that_was_swallowed_is_asked_for_again(interrupts):
    interrupts.check()
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        interrupts.check()


def test_a_handler_of_somebody_else_stays():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        Interrupts().restore()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


SWALLOWED = """
import sys
from tck.cli.main import main
from tck.plugin.interrupt import Interrupts
try:
    exec("raise KeyboardInterrupt")  # as while a data class is made
except KeyboardInterrupt:
    pass
{end}
"""


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("sys.exit(7)", -signal.SIGINT),  # what Python does, without the kit
        ("Interrupts().restore(); sys.exit(7)", 7),
        ("sys.exit(main(['--version']))", 0),
    ],
)
def test_an_interrupted_process_ends_with_the_exit_code_it_gives(tmp_path, end, code):
    (tmp_path / "interrupted.py").write_text(SWALLOWED.format(end=end), encoding="utf-8")
    path = f"{tmp_path}{os.pathsep}{Path(__file__).parents[2]}"
    done = subprocess.run(
        [sys.executable, "-m", "interrupted"],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == code
