"""The foreign bridge works by itself: JacORB and Artemis behind it, a client of omniORB before it, none of our bridge between."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tck.adapters.jvm.machine import find_java
from tck.profile import AdapterError

pytest.importorskip("omniORB", reason="omniORB is not installed: pip install 'jms-tck[corba]'")
pytest.importorskip("jpype", reason="JPype is not installed: pip install 'jms-tck[jvm]'")
PROGRAM = Path(__file__).with_name("adapters_foreign_cases.py")
CASES = "to_jms to_channel refusals headers fields bodies messages contents requested losses"


@pytest.fixture
def jdk():
    try:
        home = find_java(17).home
    except AdapterError as error:
        pytest.skip(str(error).splitlines()[0])
    if not (home / "bin" / "javac").is_file():
        pytest.skip("Java 17 or newer is no JDK: it has no javac, which compiles the bridge")


@pytest.mark.slow
@pytest.mark.java
@pytest.mark.usefixtures("jdk")
def test_the_foreign_bridge_does_what_the_rows_want(tmp_path):
    done = subprocess.run(
        [sys.executable, PROGRAM, tmp_path],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == CASES.split()
