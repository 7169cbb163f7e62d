"""Runs of the reference provider with a saboteur, and programs written from them and run."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tck.record import Bundle
from tck.reports.read import CaseReport, RunReport, load

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 200


@dataclass(frozen=True)
class Recorded:
    """A run, and where it is."""

    folder: Path
    run: RunReport

    @property
    def broken(self) -> list[CaseReport]:
        return [case for case in self.run.cases if case.verdict == "violation"]

    def case(self, name: str) -> CaseReport:
        return next(case for case in self.run.cases if case.name == name)


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


def run(*words: str, cwd: Path = ROOT) -> Ended:
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def tck(*arguments: str) -> Ended:
    return run(sys.executable, "-m", "tck", *arguments)


def record(folder: Path, saboteur: str, *selectors: str) -> Recorded:
    """Run some rows on the reference provider with a fault."""
    options = ("--setting", f'saboteur="{saboteur}"', "--seed", "1", "-n", "0", "--no-report", "--out", str(folder))
    ended = tck("run", "-p", "reference", *options, *selectors)
    assert ended.code == 1, ended.err
    (bundle,) = (folder / "runs").iterdir()
    return Recorded(folder, load(Bundle.open(bundle)))


class Trace:
    """Scripts the events of a case, one call after another."""

    def __init__(self) -> None:
        self.events: list[dict[str, object]] = []

    def call(self, on: str, op: str, value: object = None, **more: object) -> int:
        """Record a call; give the number of its end. `args`, `error`, `message`, `destination` and `type` (of a new object) as needed."""
        number = len(self.events) + 1
        base = {"t_ns": 10**18 + number, "thread": "main", "actor": "suite", "on": on, "op": op}
        place = {"destination": more.get("destination")}
        self.events.append(
            {**base, **place, "seq": number, "phase": "invoke", "call": None, "args": more.get("args", {})}
        )
        end = {**base, **place, "seq": number + 1, "call": number, "phase": "fail" if "error" in more else "ok"}
        end |= {"error": more["error"]} if "error" in more else {"value": value}
        if "type" in more:
            created = {"label": value, "type": more["type"], "parent": on, "destination": more.get("destination")}
            end["created"] = created
        if "message" in more:
            end["message"] = more["message"]
        self.events.append(end)
        return number + 1

    def begin(self) -> None:
        """Record a session, a queue, a producer and a consumer."""
        queue = "queue:q"
        self.call("provider", "Provider.connection_factory", "factory-1")
        self.call("factory-1", "ConnectionFactory.create_connection", "connection-1", type="Connection")
        self.call("connection-1", "Connection.create_session", "session-1", type="Session")
        self.call("provider", "Provider.create_queue", queue, args={"name": "q"}, type="Queue")
        for kind, type_ in (("producer", "MessageProducer"), ("consumer", "MessageConsumer")):
            to = {"args": {"destination": queue}, "destination": queue}
            self.call("session-1", f"Session.create_{kind}", f"{kind}-1", type=type_, **to)

    def text(self, number: int, body: str) -> None:
        """Record a new text message."""
        self.call(
            "session-1", "Session.create_text_message", f"message-{number}", args={"text": body}, type="TextMessage"
        )

    def send(self, number: int, body: str) -> None:
        """Record a send to the queue."""
        facts = {"label": f"message-{number}", "kind": "text", "body": body, "priority": 4}
        args = {"message": f"message-{number}"}
        self.call("producer-1", "MessageProducer.send", args=args, message=facts, destination="queue:q")

    def receive(self, number: int, body: str | None) -> int:
        """Record a receive of a text message, or of none."""
        args = {"args": {"timeout": 100}, "destination": "queue:q"}
        if body is None:
            return self.call("consumer-1", "MessageConsumer.receive", None, **args)
        facts = {"label": f"message-{number}", "kind": "text", "body": body}
        return self.call("consumer-1", "MessageConsumer.receive", f"message-{number}", message=facts, **args)
