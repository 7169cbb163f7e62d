"""The reference provider in a process of its own, which makes programs ahead and says what they must show.

A fault in the code of this process, such as a saboteur, does not reach it, and it works on the next programs while this
process runs the last one. The two speak JSON, one value on a line, over stdin and stdout.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import logging
import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, Final

from tck.adapters.working_directory import work_directory
from tck.explore.reference import Reference
from tck.programs.expectation import Expectation
from tck.programs.observing.environment import RunSettings
from tck.programs.program import Program
from tck.programs.state.objects import Capabilities
from tck.temporary import make_folder, remove_folder

AHEAD: Final = 6
"""So many programs are made ahead."""
ANSWER_SECONDS: Final = 120.0
"""An answer that takes longer never comes: then the process ends."""


class PartnerError(Exception):
    """The reference provider's side failed: a fault of the kit."""


class Partner:
    """The other process, as this one sees it; one thread at a time."""

    def __init__(self) -> None:
        self._directory = make_folder("programs", work_directory())  # a child that is killed does not remove it
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed by close()
        self._process = subprocess.Popen(  # noqa: S603 - this Python
            [sys.executable, "-m", __name__, str(self._directory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="ascii",
            start_new_session=True,  # ^C is for the parent to handle
        )
        self._asked: deque[int] = deque()
        self._early: deque[Expectation] = deque()

    def begin(self, version: str, capabilities: Capabilities, terms: RunSettings) -> None:
        """Send the version that the reference provider plays, and what programs may use; the first call of all."""
        self._ask("begin", version, asdict(capabilities), asdict(terms))
        self._answer()

    def programs(self, seed: int, numbers: Iterator[int]) -> Iterator[tuple[int, Expectation]]:
        """Yield the programs of a seed with these numbers, made ahead."""
        for number in numbers:
            self._ask("make", seed, number)
            self._asked.append(number)
            if len(self._asked) > AHEAD:
                yield self._next()
        while self._asked:
            yield self._next()

    def _next(self) -> tuple[int, Expectation]:
        found = self._early.popleft() if self._early else self._expectation()
        return self._asked.popleft(), found

    def run(self, program: Program) -> Expectation:
        """Run a program on the reference provider."""
        while len(self._early) < len(self._asked):
            self._early.append(self._expectation())
        self._ask("run", program.to_json())
        return self._expectation()

    def _ask(self, *question: object) -> None:
        assert self._process.stdin is not None  # noqa: S101 - a pipe, as opened above
        try:
            _write(self._process.stdin, question)
        except OSError as error:
            raise PartnerError(self._end()) from error

    def _expectation(self) -> Expectation:
        return Expectation.from_json(self._answer())

    def _answer(self) -> Any:
        assert self._process.stdout is not None  # noqa: S101 - a pipe, as opened above
        line = self._process.stdout.readline()
        if not line:
            raise PartnerError(self._end())
        kind, content = json.loads(line)
        if kind == "fault":
            raise PartnerError(content)
        return content

    def _end(self) -> str:
        self._errors.seek(0)
        last = self._errors.read().strip().rpartition("\n")[2]
        return f"the process of the reference provider ended: {last or 'without a word'}"

    def close(self) -> None:
        """End the process."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._errors.close()
        remove_folder(self._directory)


def _write(to: IO[str], value: object) -> None:
    to.write(json.dumps(value, separators=(",", ":")) + "\n")
    to.flush()


def _serve() -> None:
    """Answer questions until there are none."""
    answers = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # a stray print must not be taken for an answer
    logging.getLogger().addHandler(logging.NullHandler())
    _, version, capabilities, terms = json.loads(sys.stdin.readline())
    understood = (version, Capabilities.from_json(capabilities), RunSettings.from_json(terms))
    with Reference(*understood, Path(sys.argv[1])) as reference:
        _write(answers, ("answer", None))
        for line in sys.stdin:
            faulthandler.dump_traceback_later(ANSWER_SECONDS, exit=True)
            kind, *arguments = json.loads(line)
            try:
                found = reference.make(*arguments) if kind == "make" else reference.run(Program.from_json(*arguments))
            except Exception as error:  # noqa: BLE001 - the parent raises it again
                shown = f"program {arguments}" if kind == "make" else "a program that was given"
                _write(answers, ("fault", f"{shown}: {type(error).__name__}: {error}"))
            else:
                _write(answers, ("answer", found.to_json()))
            faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    _serve()
