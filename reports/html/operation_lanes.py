"""Lay out the operations of a workload as lanes: a lane for each session, a row for each call, bars for overlapping calls.

Builds the same diagram as `lanes`, from operations instead of events; times count from the first operation shown. May
import `tck.reports.violation_operations`; produces no markup.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tck.check.columns import NEVER, NONE, Kind, Op, Out
from tck.check.evidence import Names
from tck.reports import show
from tck.reports.html.lane_rows import TEXT, DestinationName, MessageToken, RowText, meaning
from tck.reports.html.lanes import Diagram, Lane, Step, shorten
from tck.reports.violation_operations import Operation, ViolationScene

_CALLS = {
    Op.ACK: "acknowledge",
    Op.COMMIT: "commit",
    Op.ROLLBACK: "rollback",
    Op.RECOVER: "recover",
    Op.CLOSE: "close",
    Op.CRASH: "the client died",
    Op.EXCEPTION: "on_exception",
    Op.PREPARE: "prepare",
    Op.END_BRANCH: "end of the branch",
    Op.START: "start",
    Op.STOP: "stop",
    Op.SUBSCRIBE: "subscribe",
    Op.UNSUBSCRIBE: "unsubscribe",
    Op.RESTART: "restart",
}
_OUTS = {Out.FAIL: "failed", Out.UNKNOWN: "outcome unknown"}
_HEARD = (Op.COMPLETE, Op.EXCEPTION)


@dataclass(frozen=True, slots=True)
class OperationRow:
    """One operation as a row of the table below the lanes."""

    number: int
    at: str
    took: str
    who: str
    call: str
    outcome: str
    facts: tuple[tuple[str, str], ...]
    cited: bool


class OperationLanes:
    """The lanes and the table of one violation's operations."""

    def __init__(self, scene: ViolationScene, names: Names, objects: Sequence[Mapping[str, Any]]) -> None:
        self.scene = scene
        self._names = names
        self._modes = {int(each["n"]): int(each["mode"]) for each in objects if each["kind"] == "session"}
        self._endpoints = {int(each["n"]): each for each in objects if each["kind"] == "endpoint"}
        self._start = min((each["t0"] for each in scene.operations), default=0)
        self._cites = frozenset(scene.finding.cites)
        self._tokens: dict[int, MessageToken] = {}
        self._places: dict[tuple[str, int], DestinationName] = {}
        self._lanes: dict[int, int] = {}

    @property
    def start(self) -> int:
        """The start of the first operation, in nanoseconds since the start of the run."""
        return self._start

    def diagram(self) -> Diagram:
        """Lay out the operations."""
        steps, gaps = shorten(self._steps())
        return Diagram(
            lanes=tuple(self._lane(session) for session in self._lanes),
            steps=steps,
            gaps=gaps,
            tokens=tuple(self._tokens.values()),
            places=tuple(self._places.values()),
            height=len(steps) + len(gaps),
            timed=True,
        )

    def facts(self, cites: Collection[int] = ()) -> list[OperationRow]:
        """Return every operation with all its recorded facts."""
        return [self._fact(each, cites or self._cites) for each in self.scene.operations]

    # -- rows ------------------------------------------------------------------------------------------------------------

    def _steps(self) -> list[Step]:
        """Return the rows: one for a call, or two if another operation begins before it returns."""
        rows: list[tuple[int, int, bool, Operation]] = []
        for each in self.scene.operations:
            rows.append((each["t0"], 0, False, each))
            if each.returned and each["t1"] > each["t0"]:
                rows.append((each["t1"], 1, True, each))
        rows.sort(key=lambda row: (row[0], row[1], row[3].number))
        steps: list[Step] = []
        open_at: dict[int, int] = {}
        for place, (_, _, returns, operation) in enumerate(rows):
            if returns and operation.number not in open_at:
                continue
            following = rows[place + 1] if place + 1 < len(rows) else None
            at_once = not returns and (
                (following is not None and following[3] is operation) or operation["t1"] == operation["t0"]
            )
            steps.append(self._step(len(steps) + 1, operation, returns=returns, whole=at_once))
            if returns:
                began = open_at.pop(operation.number)
                steps[began] = steps[began]._replace(until=len(steps))
            elif not at_once:
                open_at[operation.number] = len(steps) - 1
        for began in open_at.values():
            tags = (*steps[began].row_text.tags, "never returned")
            steps[began] = steps[began]._replace(until=len(steps), row_text=steps[began].row_text._replace(tags=tags))
        return steps

    def _step(self, row: int, operation: Operation, *, returns: bool, whole: bool) -> Step:
        lane = self._lanes.setdefault(operation["session"], len(self._lanes))
        heard = operation["op"] in _HEARD or (operation["op"] == Op.DELIVER and operation["t1"] > operation["t0"])
        kinds = ("delivery", "delivered") if heard else ("call", "invoke")
        at = ((operation["t1"] if returns else operation["t0"]) - self._start) / 1e6
        return Step(
            row,
            lane,
            () if returns else (operation.number,),
            f"{at:,.0f}" if at >= 1000 else f"{at:.1f}",
            "return" if returns else kinds[0] if whole else kinds[1],
            self._row_text(operation, returned=returns, whole=whole),
        )

    def _row_text(self, operation: Operation, *, returned: bool, whole: bool) -> RowText:
        op = operation["op"]
        token = self._token(operation["msg"]) if operation["msg"] >= 0 else None
        received = op in {Op.DELIVER, Op.BROWSE} and not self._heard(operation)
        member = self._member(operation)
        ended = returned or whole
        return RowText(
            subject="",
            about=None,
            member=member,
            given=None if received else token,
            arguments="" if returned else self._arguments(operation),
            returned=returned,
            got=token if received and not returned else None,
            answer=_OUTS.get(operation["out"], "") if ended else "",
            failed=ended and operation["out"] == Out.FAIL,
            tags=tuple(self._tags(operation)) if not returned else (),
            cited=operation.number in self._cites and not returned,
        )

    def _heard(self, operation: Operation) -> bool:
        return bool(operation["op"] == Op.DELIVER and operation["t1"] > operation["t0"])

    def _member(self, operation: Operation) -> str:
        match operation["op"]:
            case Op.SEND:
                return "send with a listener" if operation["auto"] else "send"
            case Op.DELIVER:
                return "on_message" if self._heard(operation) else "receive"
            case Op.BROWSE:
                return "browse"
            case Op.COMPLETE:
                return "on_exception" if operation["out"] == Out.FAIL else "on_completion"
            case Op.CLOSE if operation["consumer"] >= 0:
                return f"close of {self._names.consumer(operation['consumer'])}"
            case op:
                return _CALLS.get(op, Op.names().get(op, f"operation {op}").lower())

    def _arguments(self, operation: Operation) -> str:
        parts = []
        if operation["op"] == Op.SEND:
            parts.append(f"to {self._destination(operation['dest'])}")
            parts += [f"priority {operation['prio']}"] if operation["prio"] != 4 else []
            parts += [meaning("delivery_mode", operation["mode"])] if operation["mode"] == 1 else []
            parts += [f"lives {operation['ttl']:,} ms"] if operation["ttl"] > 0 else []
            parts += [f"delayed {operation['delay']:,} ms"] if operation["delay"] > 0 else []
        elif operation["end"] != NONE:
            word = "of" if operation["op"] in {Op.SUBSCRIBE, Op.UNSUBSCRIBE} else "from"
            parts.append(f"{word} {self._endpoint(operation['end'])}")
        return f" ({', '.join(parts)})" if parts else ""

    def _tags(self, operation: Operation) -> list[str]:
        if operation["op"] != Op.DELIVER:
            return []
        count = operation["count"]
        if operation["red"]:
            return [f"redelivered, delivery {count}" if count != NONE else "redelivered"]
        return [f"delivery {count}"] if count > 1 else []

    # -- names -----------------------------------------------------------------------------------------------------------

    def _token(self, msg: int) -> MessageToken:
        if msg not in self._tokens:
            number = len(self._tokens)
            letter = chr(ord("A") + number % 26) + (str(number // 26) if number >= 26 else "")
            self._tokens[msg] = MessageToken(
                letter, number % 8, self._names.message(msg), f"{msg >> 32}.{msg & 0xFFFFFFFF}"
            )
        return self._tokens[msg]

    def _destination(self, dest: int) -> str:
        label = self._names.destination(dest)
        return self._place("D", dest, "T" if label.startswith("topic") else "Q", label)

    def _endpoint(self, end: int) -> str:
        known = self._endpoints.get(end)
        if known is not None and int(known["type"]) == Kind.QUEUE:
            return self._destination(int(known["dest"]))
        of = f" of {self._names.destination(int(known['dest']))}" if known is not None else ""
        return self._place("E", end, "S", self._names.endpoint(end) + of)

    def _place(self, sort: str, number: int, letter: str, label: str) -> str:
        if (sort, number) not in self._places:
            count = 1 + sum(place.short.startswith(letter) for place in self._places.values())
            self._places[sort, number] = DestinationName(f"{letter}{count}", show.one_line(label, 2 * TEXT))
        return self._places[sort, number].short

    def _lane(self, session: int) -> Lane:
        mode = self._modes.get(session, NONE)
        return Lane(
            show.one_line(self._names.session(session), TEXT),
            meaning("session_mode", mode) + " session" if mode >= 0 else "no session",
        )

    # -- facts -----------------------------------------------------------------------------------------------------------

    def _fact(self, operation: Operation, cites: Collection[int]) -> OperationRow:
        facts: list[tuple[str, str]] = []
        if operation["msg"] >= 0:
            facts.append(("message", self._names.message(operation["msg"])))
        if operation["dest"] != NONE:
            facts.append(("destination", self._names.destination(operation["dest"])))
        if operation["end"] != NONE:
            facts.append(("of", self._names.endpoint(operation["end"])))
        if operation["consumer"] != NONE:
            facts.append(("consumer", self._names.consumer(operation["consumer"])))
        if operation["unit"] != NONE:
            facts.append(("unit of work", f"{operation['unit'] & 0xFFFFFFFF} of the session"))
        if operation["op"] in {Op.SEND, Op.DELIVER, Op.BROWSE}:
            sent = operation["op"] == Op.SEND
            facts += [
                (name, self._value(name, operation[column]))
                for name, column in _MESSAGE
                if self._known(operation, column) and not (sent and column in _SEEN)
            ]
        took = "" if not operation.returned else f"{(operation['t1'] - operation['t0']) / 1e6:,.3f}"
        return OperationRow(
            operation.number,
            f"{(operation['t0'] - self._start) / 1e6:,.3f}",
            took,
            show.one_line(self._names.session(operation["session"]), 2 * TEXT),
            self._member(operation),
            {Out.OK: "ok"}.get(operation["out"], _OUTS.get(operation["out"], ""))
            if operation.returned
            else "never returned",
            tuple((name, show.one_line(text, 4 * TEXT)) for name, text in facts),
            operation.number in cites,
        )

    def _known(self, operation: Operation, column: str) -> bool:
        value = operation[column]
        return value != NONE and value < NEVER and (value != 0 or column not in {"digest", "head", "jms"})

    def _value(self, name: str, value: int) -> str:
        code = meaning("delivery_mode", value) if name == "mode" else ""
        if name == "redelivered":
            return "true" if value else "false"
        if name in {"body", "header", "id"}:
            return f"{value & (2**64 - 1):016x}"
        return code or str(value)


_SEEN = frozenset({"red", "count"})
"""Columns that only a receiver can see."""

_MESSAGE = (
    ("priority", "prio"),
    ("mode", "mode"),
    ("time to live", "ttl"),
    ("delay", "delay"),
    ("redelivered", "red"),
    ("count", "count"),
    ("timestamp", "stamp"),
    ("expiration", "expires"),
    ("delivery time", "due"),
    ("body", "digest"),
    ("header", "head"),
    ("id", "jms"),
)
