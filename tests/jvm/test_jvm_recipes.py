"""Recipes: what steps may do, on classes of Java itself; and a whole broker that a profile starts without code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tck.adapters.jvm.machine import find_java
from tck.adapters.jvm.recipe import filled
from tck.profile import AdapterError

ROOT = Path(__file__).parents[2]
INSIDE = Path(__file__).with_name("inside_recipes.py")


@pytest.fixture(scope="module", autouse=True)
def java():
    pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
    try:
        find_java(11)
    except AdapterError as error:
        pytest.skip(str(error))


def test_every_kind_of_step_and_argument():
    """In a process of its own, which may start a Java machine."""
    done = subprocess.run(
        [sys.executable, str(INSIDE)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "all hold\n"), done.stdout + done.stderr


def test_words_in_braces_are_replaced_and_an_unknown_one_is_an_error():
    assert filled("{a}:{b} {}", {"a": "1", "b": "2"}) == "1:2 {}"
    with pytest.raises(KeyError):
        filled("{a}:{c}", {"a": "1"})


def test_a_template_keeps_what_is_none_of_the_words():
    assert filled('{"port": {port}, "x": {y}}', {"port": "5"}, known_only=True) == '{"port": 5, "x": {y}}'
