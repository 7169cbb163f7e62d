"""Bundles for the tests of `reports`, written by the real writer: no provider, no pytest, made-up traces.

`Trace` scripts the calls of a case; `write` turns results into a closed bundle.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tck.catalogue import Assertion, Catalogue
from tck.record import (
    Bundle,
    BundleWriter,
    Case,
    CatalogueRef,
    Claims,
    Deviation,
    DeviationUse,
    Environment,
    Fault,
    FindingRow,
    Kit,
    Outcome,
    ProfileRef,
    ProviderRef,
    Result,
    Run,
    Wait,
    begin,
    exit_code,
    finish,
    judge,
    worst,
)

HOSTILE_NAME = "queue:</script><script>alert(1)</script>\"'\u202eyrev\u202c\x00\x07" + "long" * 2000
HOSTILE_BODY = "<img src=x onerror=alert(2)>\u2066\x1b[31m]]>&amp;\ud800 {{ 7*7 }} {% raw %}"
START = 1_763_740_000_000_000_000


class Trace:
    """Script the events of one case."""

    def __init__(self, case: str) -> None:
        self.case = case
        self.events: list[dict[str, Any]] = []
        self._seq = itertools.count(1)
        self._now = START

    def _event(self, phase: str, who: tuple[str, str], op: str, call: int | None, more: dict[str, Any]) -> int:
        seq = next(self._seq)
        self._now += 137_000
        thread = more.pop("thread", "main")
        base = {
            "case": self.case,
            "seq": seq,
            "t_ns": self._now,
            "thread": thread,
            "actor": who[0],
            "on": who[1],
            "op": op,
        }
        rest = {"phase": phase, "call": call, "destination": None, "subscription": None, "message_id": None}
        self.events.append(base | rest | more)
        return seq

    def begin(self, actor: str, on: str, op: str, phase: str = "invoke", **more: Any) -> int:
        """Record that a call begins; return its number."""
        return self._event(phase, (actor, on), op, None, more)

    def end(self, call: int, phase: str = "ok", **more: Any) -> int:
        """Record how the call with a number ended."""
        first = next(event for event in self.events if event["seq"] == call)
        more.setdefault("thread", first["thread"])
        return self._event(phase, (first["actor"], first["on"]), first["op"], call, more)

    def call(self, actor: str, on: str, op: str, *, args: dict[str, Any] | None = None, **more: Any) -> int:
        """Record a whole call; return the number of its end."""
        first = self.begin(actor, on, op, **({"args": args} if args else {}))
        phase = "fail" if "error" in more else "ok"
        return self.end(first, phase, **more)

    def create(self, actor: str, on: str, op: str, label: str, kind: str, **settings: Any) -> None:
        """Record a call that makes an object."""
        created = {"label": label, "type": kind, "parent": on, **settings}
        self.call(actor, on, op, args=settings.pop("args", None), value=label, created=created)

    def send(self, session: str, producer: str, message: dict[str, Any], destination: str) -> int:
        """Record a send whose message gets its id and timestamp."""
        before = message | {"id": None, "timestamp": 0}
        args = {"message": message["label"], "destination": destination}
        first = self.begin(
            session, producer, "MessageProducer.send", args=args, message=before, destination=destination
        )
        return self.end(first, message=message, destination=destination, message_id=message["id"])

    def receive(self, session: str, consumer: str, message: dict[str, Any] | None, timeout: int = 5000) -> int:
        """Record a receive that gets the message, or null."""
        first = self.begin(session, consumer, "MessageConsumer.receive", args={"timeout": timeout})
        if message is None:
            return self.end(first, value=None)
        return self.end(first, value=message["label"], message=message, message_id=message["id"])


def message(label: str, number: int, body: Any, destination: str = "queue:tck.q.7", **facts: Any) -> dict[str, Any]:
    """Make the facts of a text message."""
    return {
        "label": label,
        "kind": "text",
        "id": f"ID:7f3a-{number:04d}",
        "timestamp": START // 1_000_000 + number,
        "correlation": None,
        "reply_to": None,
        "destination": destination,
        "mode": 2,
        "redelivered": False,
        "type": None,
        "expiration": 0,
        "delivery_time": START // 1_000_000 + number,
        "priority": 4,
        "count": 1,
        "properties": {},
        "digest": f"{number:016x}",
        "body": body,
    } | facts


def prelude(case: str, *, transacted: bool = False, destination: str = "queue:tck.q.7") -> Trace:
    """Script what most cases begin with: a connection, a sending and a receiving session."""
    trace = Trace(case)
    mode = 0 if transacted else 1
    trace.create("suite", "factory-1", "ConnectionFactory.create_connection", "connection-1", "Connection")
    for number in (1, 2):
        session = f"session-{number}"
        trace.create(
            "connection-1", "connection-1", "Connection.create_session", session, "Session", acknowledge_mode=mode
        )
    trace.create(
        "session-1", "session-1", "Session.create_producer", "producer-1", "MessageProducer", destination=destination
    )
    trace.create(
        "session-2", "session-2", "Session.create_consumer", "consumer-1", "MessageConsumer", destination=destination
    )
    trace.call("connection-1", "connection-1", "Connection.start")
    return trace


def conversation(case: str, bodies: Iterable[Any] = ("x", "marker"), destination: str = "queue:tck.q.7") -> Trace:
    """Script a case in which all went well."""
    trace = prelude(case, destination=destination)
    sent = [message(f"message-{n}", n, body, destination) for n, body in enumerate(bodies, start=1)]
    for each in sent:
        trace.send("session-1", "producer-1", each, destination)
    for each in sent:
        trace.receive("session-2", "consumer-1", each | {"label": f"message-{int(each['label'][8:]) + len(sent)}"})
    trace.call("suite", "connection-1", "Connection.close")
    return trace


def interleaved(case: str) -> tuple[Trace, tuple[int, ...]]:
    """Script a rollback whose messages come back in the wrong order, with a blocked receive and a listener's thread."""
    trace = prelude(case, transacted=True)
    bodies = ("first", "second", "third")
    sent = [message(f"message-{n}", n, body) for n, body in enumerate(bodies, start=1)]
    blocked = trace.begin(
        "session-2", "consumer-1", "MessageConsumer.receive", args={"timeout": 5000}, thread="receiver"
    )
    for each in sent:
        trace.send("session-1", "producer-1", each, "queue:tck.q.7")
    trace.call("session-1", "session-1", "Session.commit")
    trace.end(blocked, value="message-4", message=sent[0] | {"label": "message-4"})
    for n, each in enumerate(sent[1:], start=5):
        trace.receive("session-2", "consumer-1", each | {"label": f"message-{n}"})
    trace.call("session-2", "session-2", "Session.rollback")
    cites = []
    for n, each in enumerate((sent[1], sent[0], sent[2]), start=7):
        again = each | {"label": f"message-{n}", "redelivered": True, "count": 2}
        cites.append(trace.receive("session-2", "consumer-1", again))
    heard = trace.begin(
        "session-2",
        "listener-1",
        "MessageListener.on_message",
        "delivered",
        args={"message": "message-9"},
        message=sent[2],
        thread="provider-3",
    )
    trace.call(
        "session-2",
        "session-2",
        "Session.recover",
        thread="provider-3",
        error={"type": "IllegalStateException", "text": "the session is transacted", "code": "AMQ-71", "linked": None},
    )
    trace.end(heard)
    trace.begin("session-2", "consumer-1", "MessageConsumer.receive", args={"timeout": 5000}, thread="receiver")
    return trace, (cites[0], cites[1])


def run_row(catalogue: Catalogue, **changes: Any) -> Run:
    """Make the row of run.json."""
    run = Run(
        run="20251121T160412Z-4f21",
        kind="suite",
        kit=Kit("0.1.0"),
        catalogue=CatalogueRef(catalogue.digest),
        profile=ProfileRef(
            "acme",
            "ACME Broker",
            "sha256:" + "ab" * 32,
            "3.1",
            Claims("3.1", ("xa", "jndi"), ("classic", "simplified")),
            (
                Deviation(
                    "3.4.5-4",
                    "fails",
                    "byte[] correlation ids are refused",
                    link="https://example.org/issues/512",
                    line=41,
                ),
            ),
        ),
        provider=ProviderRef("ACME Broker", "2.7.1", "ACME", "3.1", "python", ("restart", "kill", "clock")),
        environment=Environment("3.11.7", "Linux-6.1-x86_64", 2, 2),
        seed=7,
        command=("tck", "run", "-p", "acme", "--seed", "7"),
        started="2025-11-21T16:04:12Z",
        points="all",
        clock="virtual",
    )
    return dataclasses.replace(run, **changes)


def case_row(row: Assertion, point: str = "queue/classic/auto", *, also: tuple[str, ...] = (), **changes: Any) -> Case:
    """Make the row of a case about an assertion."""
    keys = ("domain", "api", "ack", "variant")
    number = row.section.replace(".", "_")
    case = Case(
        case=f"{row.id}/{point}",
        node=f"tck/suite/{row.chapter}_x/test_{number}.py::test_{row.title.replace('-', '_')}[{row.id}/{point}]",
        assertions=(row.id, *also),
        axes=dict(zip(keys, point.split("/"), strict=False)),
        file=f"tck/suite/{row.chapter}_x/test_{number}.py",
        line=42,
        title=row.statement,
        features=row.features,
        worker="gw0",
    )
    return dataclasses.replace(case, **changes)


def result_row(
    catalogue: Catalogue, case: Case, outcome: Outcome, *, declared: str | None = None, **changes: Any
) -> Result:
    """Make the result of a case, judged by the real table."""
    verdicts = {each: judge(outcome, catalogue[each].level, declared) for each in case.assertions}
    witnesses = ("the marker arrived on the same path",) if outcome is Outcome.HELD else ()
    return Result(
        case.case, outcome, verdicts, worst(verdicts.values()), claim=case.title, ms=3.4, witnesses=witnesses, **changes
    )


def write(folder: Path, run: Run, recorded: Iterable[tuple[Case, Result, Iterable[dict[str, Any]]]]) -> Bundle:
    """Write and open a bundle."""
    begin(folder, run)
    cases: dict[str, Case] = {}
    results: list[Result] = []
    with closing(BundleWriter(folder, "gw0")) as writer:
        for position, (case, result, events) in enumerate(recorded):
            cases[case.case] = dataclasses.replace(case, position=position)
            results.append(writer.finish(result, list(events)))
    judged = [(result.outcome, verdict) for result in results for verdict in result.verdicts.values()]
    code = exit_code(judged, strict=run.strict)
    finish(folder, list(cases.values()), results, run=run.run, exit=code, seconds=4.2, finished="2025-11-21T16:04:17Z")
    return Bundle.open(folder)


def every_verdict(folder: Path, catalogue: Catalogue, **changes: Any) -> Bundle:
    """Write a bundle in which each verdict occurs, with traces worth looking at and hostile text."""

    def entries() -> Iterable[tuple[Case, Result, Iterable[dict[str, Any]]]]:
        points = [
            f"{domain}/{api}/{ack}"
            for domain in ("queue", "topic")
            for api in ("classic", "simplified")
            for ack in ("auto", "client")
        ]
        plain = [
            "3.4.1-1",
            "3.4.1-3",
            "3.4.2-1",
            "3.4.3-3",
            "3.4.4-2",
            "3.4.10-1",
            "6.2.7-1",
            "6.2.7-3",
            "8.5-1",
            "8.5-2",
        ]
        for identifier in plain:
            for point in points:
                case = case_row(catalogue[identifier], point)
                waits = (Wait(100.0, "nothing proves that no second message follows"),) if identifier == "8.5-2" else ()
                yield case, result_row(catalogue, case, Outcome.HELD, waits=waits), conversation(case.case).events
        for point in points:
            case = case_row(catalogue["6.2.7-6"], point, also=("6.2.7-4",))
            broken = point.startswith("queue") and "client" not in point
            trace, cites = interleaved(case.case)
            text = f"after the rollback the messages came back as second, first, third: #{cites[0]} delivers before #{cites[1]} what was sent after it"
            findings = (FindingRow("order-per-stream", ("6.2.7-6",), text, cites),)
            if broken:
                yield (
                    case,
                    result_row(
                        catalogue,
                        case,
                        Outcome.BROKEN,
                        expected="first, second, third",
                        observed="second, first, third",
                        explanation=text,
                        cites=cites,
                        findings=findings,
                        phase="call",
                    ),
                    trace.events,
                )
            else:
                yield case, result_row(catalogue, case, Outcome.HELD), conversation(case.case).events
        yield _hostile(catalogue)
        case = case_row(catalogue["3.4.5-4"], "queue/classic/auto")
        link = "https://example.org/issues/512"
        deviation = DeviationUse("3.4.5-4", "fails", "byte[] correlation ids are refused", link, 41)
        yield (
            case,
            result_row(
                catalogue,
                case,
                Outcome.BROKEN,
                declared="fails",
                observed="UnsupportedOperationException",
                deviation=deviation,
            ),
            conversation(case.case).events,
        )
        case = case_row(catalogue["3.4.5-2"], "queue/classic/auto")
        deviation = DeviationUse("3.4.5-2", "fails", "ids are cut at 64 characters", "javascript:alert(3)", 52)
        yield (
            case,
            result_row(catalogue, case, Outcome.HELD, declared="fails", deviation=deviation),
            conversation(case.case).events,
        )
        case = case_row(catalogue["3.4.7-1"], "topic/simplified/client")
        yield (
            case,
            result_row(
                catalogue,
                case,
                Outcome.UNDECIDED,
                observed="the marker did not arrive within 5000 ms, so the fence proves nothing",
                phase="call",
            ),
            conversation(case.case).events,
        )
        case = case_row(catalogue["6.2.7-14"], "queue/classic/auto")
        yield case, result_row(catalogue, case, Outcome.NO_HOOK), ()
        case = case_row(catalogue["3.4.9-7"], "queue/classic/auto")
        yield (
            case,
            result_row(
                catalogue,
                case,
                Outcome.BROKEN,
                expected="no expired message",
                observed="the message expired 2 ms before it was delivered",
            ),
            conversation(case.case).events,
        )
        case = case_row(catalogue["3.4.8-2"], "queue/classic/auto")
        error = Fault(
            "KeyError",
            "'session-9'",
            "Traceback (most recent call last):\n  File \"adapter.py\", line 12, in send\n    self.sessions[name]\nKeyError: 'session-9'",
        )
        yield case, result_row(catalogue, case, Outcome.ERROR, error=error, phase="setup"), ()
        case = case_row(catalogue["11.3-1"], "queue/classic/auto")
        yield case, result_row(catalogue, case, Outcome.UNSUPPORTED, observed="the profile does not claim xa"), ()
        open_row = next(row for row in catalogue.values() if row.level == "UNDEFINED" and row.chapter == "ch03")
        case = case_row(open_row, "queue/classic/auto")
        yield (
            case,
            result_row(catalogue, case, Outcome.OBSERVED, behaviour="null-is-kept"),
            conversation(case.case).events,
        )
        case = case_row(catalogue["6.2.7-8"], "queue/classic/transacted")
        trace = prelude(case.case, transacted=True)
        trace.begin("session-1", "session-1", "Session.commit")
        yield (
            case,
            result_row(
                catalogue,
                case,
                Outcome.CUT,
                expected="commit returns",
                observed="commit had not returned after 20000 ms",
            ),
            trace.events,
        )

    return write(folder, run_row(catalogue, **changes), entries())


def _hostile(catalogue: Catalogue) -> tuple[Case, Result, list[dict[str, Any]]]:
    case = case_row(catalogue["3.4.6-2"], "queue/classic/auto")
    trace = conversation(case.case, (HOSTILE_BODY, "marker"), HOSTILE_NAME)
    result = result_row(
        catalogue,
        case,
        Outcome.BROKEN,
        expected=HOSTILE_NAME[:80],
        observed=HOSTILE_BODY,
        explanation=f"it answered {HOSTILE_BODY} in #12",
        cites=(12,),
    )
    return case, result, trace.events


def many(folder: Path, catalogue: Catalogue, count: int) -> Bundle:
    """Write a bundle of `count` cases over the judged rows, four points each, one in fifty broken."""
    points = ("queue/classic/auto", "queue/simplified/auto", "topic/classic/auto", "topic/simplified/auto")
    rows = catalogue.judged()

    def entries() -> Iterable[tuple[Case, Result, Iterable[dict[str, Any]]]]:
        pairs = (
            (row, f"{point}/v{turn}" if turn else point)
            for turn in itertools.count()
            for row in rows
            for point in points
        )
        for number, (row, point) in enumerate(itertools.islice(pairs, count)):
            case = case_row(row, point)
            outcome = Outcome.BROKEN if number % 50 == 0 else Outcome.HELD
            seen = {"expected": "x", "observed": "y"} if outcome is Outcome.BROKEN else {}
            yield case, result_row(catalogue, case, outcome, **seen), conversation(case.case).events

    return write(folder, run_row(catalogue), entries())
