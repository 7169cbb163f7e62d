"""Start Spark's Java machine on this computer at once, with what Spark's own scripts once said that they would start.

Those scripts cost a shell, a Java that only tells how Java is to be called, and a program that reads configuration: half a
second of CPU. Where nobody has configured Spark, they say the same each time, so they are asked once, and the answer is kept
beside the archive of classes. Wherever anything is unusual there is no machine of this module, and PySpark starts its own.
"""

from __future__ import annotations

import json
import os
import shlex
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tck.reports.pipeline.java import QUICK, archive_of, configured, spark_home, without_missing

_SUBMIT: Final = "org.apache.spark.deploy.SparkSubmit"
_GATEWAY: Final = "org.apache.spark.api.python.PythonGatewayServer"
"""What the former starts for PySpark, in the same machine."""
_LAUNCHER: Final = "org.apache.spark.launcher.Main"
_TELL: Final = "import json, os, sys; print(); print(json.dumps([sys.argv[1:], dict(os.environ)]))"
_TELLER: Final = """#!/bin/sh
case " $* " in *" {launcher} "*) exec {java} "$@";; esac
exec {python} -I -c {tell} "$@"
"""
"""Stands in for Java: makes way for what tells how Java is to be called, and tells how it then was."""
_PATIENCE: Final = 60
"""Seconds for Spark's scripts to say what they would start."""
_STDERR: Final = 2
_POLL: Final = 0.005


class Machine:
    """A Java machine that PySpark can be connected with; it ends with this process."""

    def __init__(self, words: Sequence[str], environment: dict[str, str]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tck-spark-", ignore_cleanup_errors=True)
        self._told = Path(self._folder.name) / "connection"
        try:
            self.process = subprocess.Popen(  # noqa: S603 - Java, as Spark calls it
                words,
                env={**environment, "_PYSPARK_DRIVER_CONN_INFO_PATH": str(self._told), "SPARK_CONNECT_MODE": "0"},
                stdin=subprocess.PIPE,  # it ends when this does
                stdout=_STDERR,  # Java tells there that it cannot start
                process_group=0,  # ^C is ours
            )
        except BaseException:
            self._folder.cleanup()
            raise

    def gateway(self) -> Any | None:  # noqa: ANN401 - py4j has no types
        """Give PySpark's way to the machine as soon as it listens; None if it has ended instead."""
        from pyspark.java_gateway import launch_gateway  # noqa: PLC0415 - an extra

        try:
            while not self._told.exists():
                if self.process.poll() is not None:
                    return None
                time.sleep(_POLL)
            told = self._told.read_bytes()
        finally:
            self._folder.cleanup()
        port, size = struct.unpack_from(">ii", told)
        variables = {"PYSPARK_GATEWAY_PORT": str(port), "PYSPARK_GATEWAY_SECRET": told[8 : 8 + size].decode()}
        os.environ.update(variables)  # the way that PySpark offers to whoever has a machine already
        try:
            found = launch_gateway()  # type: ignore[no-untyped-call]
        finally:
            for name in variables:
                del os.environ[name]
        found.proc = self.process
        return found

    def end(self) -> None:
        """End a machine that nobody wants any more."""
        self.process.kill()
        self.process.communicate()
        self._folder.cleanup()


def start_machine(java: Path, master: str, options: Sequence[str]) -> Machine | None:
    """Start Java as Spark's scripts would, or give None where those had better do it.

    Args:
        java: The home of the Java that will run.
        master: Where Spark will be; this is for masters in the same machine only.
        options: Options for Java, besides those that Spark always sets.
    """
    spark, archive = spark_home(), archive_of(java)
    if spark is None or archive is None or configured(spark, os.environ):
        return None
    if os.name != "posix" or not master.startswith("local"):
        return None
    kept = archive.with_suffix(".json")
    command = _kept(kept) or _asked(java, spark, kept)
    if command is None:
        return None
    words, variables = command
    at = words.index(_SUBMIT)
    called = [str(java / "bin" / "java"), *without_missing(java, words[:at]), *options, _GATEWAY]
    try:
        return Machine(called, {**os.environ, **variables, "SPARK_HOME": str(spark)})
    except OSError:
        return None


Command = tuple[list[str], dict[str, str]]


def _kept(path: Path) -> Command | None:
    """Give what was said before; None where nothing was, or nothing of use."""
    try:
        words, variables = json.loads(path.read_bytes())
    except (OSError, ValueError, TypeError):
        return None
    sound = isinstance(words, list) and isinstance(variables, dict)
    if not sound or _SUBMIT not in words or not all(isinstance(each, str) for each in [*words, *variables.values()]):
        return None
    return words, variables


def _asked(java: Path, spark: Path, keep: Path) -> Command | None:
    """Ask Spark's scripts what they would start, and keep the answer; None where they do not say."""
    with tempfile.TemporaryDirectory(prefix="tck-java-") as folder:
        program = Path(folder) / "bin" / "java"
        program.parent.mkdir()
        called, python = shlex.quote(str(java / "bin" / "java")), shlex.quote(sys.executable)
        teller = _TELLER.format(launcher=_LAUNCHER, java=called, python=python, tell=shlex.quote(_TELL))
        program.write_text(teller, encoding="utf-8")
        program.chmod(0o755)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        environment |= {"JAVA_HOME": folder, "SPARK_HOME": str(spark), "SPARK_LAUNCHER_OPTS": " ".join(QUICK)}
        try:
            done = subprocess.run(  # noqa: S603 - a script of Spark
                [str(spark / "bin" / "spark-submit"), "pyspark-shell"],
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PATIENCE,
                check=True,
            )
            words, variables = json.loads(done.stdout.splitlines()[-1])
        except (OSError, ValueError, IndexError, subprocess.SubprocessError):
            return None
    set_there = {
        name: value
        for name, value in variables.items()
        if name.startswith(("SPARK_", "PYTHON")) and environment.get(name) != value
    }
    if _SUBMIT not in words:
        return None
    with suppress(OSError):
        keep.parent.mkdir(parents=True, exist_ok=True)
        new = keep.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps([words, set_there]), encoding="utf-8")
        new.replace(keep)
    return words, set_there
