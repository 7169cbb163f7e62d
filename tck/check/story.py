"""Renders a violation of a property as sentences that cite events, its story.

The same for a case of the suite and for a workload: the caller provides the rows of the message and of the sessions that the
hit names. May import `columns`, `evidence`, `registry`, `results`; must not judge.

How to write a story
--------------------

A story is a `str.format` template: a few sentences with fields in braces, passed to `on(..., story=...)` beside the function
that judges. A violation (a hit) names up to two rows: its own row and, where the function sets `Judged.other`, a second one.
The fields render these rows, the send of the message, its endpoint and its unit of work. Each event rendered is cited by its
number and added to `Finding.cites`. A field without its row renders a general phrase, so a story never fails.

A worked example, the property `count-rises` (the second row is the previous delivery, `other=d.previous`):

    {Sent}. {Other} with JMSXDeliveryCount {other.row.count}; then {this} once more, with JMSXDeliveryCount {row.count}.

renders, for a message recovered, and delivered again with count 1:

    message-1 was sent to queue:q by producer-1 (event 11). consumer-1 of session-1 got message-1 from queue:q (event 14) with
    JMSXDeliveryCount 1; then consumer-1 of session-1 got message-1 from queue:q (event 18) once more, with
    JMSXDeliveryCount 1.

Rules:

- A field with a capital letter begins a sentence: `{This}` is `{this}` with a capital letter, except before a label (`message-3`).
- A dot reads a column of a row (`columns.OPERATIONS`): `{row.prio}`, `{send.ttl}`, `{other.prio}`; of an endpoint a column of
  `columns.ENDPOINTS`: `{endpoint.open0}`. `{other.message}` is the name of the message. Columns with the name of a string method
  (`count`) need `row`: `{other.row.count}`.
- `:time` renders nanoseconds as milliseconds since the start: `{row.t0:time}` is `+12.300 ms`.
- `committed`, `difference` and `selector` may be empty and begin with a blank: write `{Sent}.{committed} {Drained}`.

| field | renders |
|---|---|
| `this`, `other` | the event of the hit's row, of the second row: a delivery, a callback, a close, a stop, another call |
| `sent`, `other_sent` | the send of the message, of the second row |
| `unit`, `this_unit`, `other_unit` | the end of the unit of work: of the send (without one, of the hit), of the row, of the second row |
| `committed` | that the transaction of the send was committed, or nothing |
| `drained` | the proof that the endpoint was empty: a receive that timed out, or a later message of the same producer |
| `shown`, `contrary` | the effect of a unit in doubt that the row shows, and the opposite effect that the second row shows |
| `contrary_this` | the effect that the row shows, where it contradicts a decision |
| `callbacks` | the completion callbacks of an asynchronous send |
| `row`, `send`, `endpoint` | the row of the hit, the send, the endpoint; for columns only |
| `end`, `destination` | the name of the endpoint, of the destination |
| `owner`, `conn` | the connection that owns a temporary destination, the connection of the row |
| `late`, `early` | milliseconds of a delivery after the expiration, before the delivery time |
| `in_send`, `browse` | the citation of the send, of the browsing |
| `selector` | the text of the selector, or nothing |
| `difference` | the differences between delivery and send, or nothing |
| `outcome` | whether the call threw or returned |

A new field is a method `_field_NAME` of `StoryFields`, and a row of this table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from tck.check.columns import ALWAYS, NONE, Op, Out
from tck.check.evidence import Evidence, EvidenceRow, RowText
from tck.check.registry import Property
from tck.check.results import Finding


def finding_of(kind: Property, hit: Mapping[str, int], evidence: Evidence) -> Finding:
    """Return the finding of one violation, with its story."""
    fields = StoryFields(hit, evidence)
    text = kind.story.format_map(fields)
    key = f"{kind.name}/{hit['msg']}@{hit['end']}/{hit['session']}.{hit['seq']}"
    return Finding(key, text, tuple(sorted(fields.cited)))


class StoryFields(Mapping[str, object]):
    """The fields of a story, rendered on demand; `cited` collects the events they cite."""

    def __init__(self, hit: Mapping[str, int], evidence: Evidence) -> None:
        self.hit = hit
        self.evidence = evidence
        self.names = evidence.names
        self.cited: set[int] = set()
        self._row = evidence.at(hit["session"], hit["seq"])
        self._other = evidence.at(hit["other_session"], hit["other_seq"])

    def __iter__(self) -> Iterator[str]:
        return (name.removeprefix("_field_") for name in dir(self) if name.startswith("_field_"))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, key: str) -> object:
        rendered = getattr(self, f"_field_{key.lower()}")()
        if key[0].isupper() and isinstance(rendered, RowText):
            return RowText(_sentence(rendered), rendered.row)
        return rendered

    # -- rows ----------------------------------------------------------------------------------------------------

    def _field_row(self) -> object:
        return self._row

    def _field_send(self) -> object:
        return self.evidence.send_of(self.hit["msg"])

    def _field_endpoint(self) -> object:
        return EvidenceRow(self.evidence.tables.endpoints.row(self.hit["end"]), "")

    # -- events --------------------------------------------------------------------------------------------------

    def _field_sent(self) -> RowText:
        return self._sent(self.evidence.send_of(self.hit["msg"]) or self._row)

    def _field_other_sent(self) -> RowText:
        return self._sent(self._other)

    def _field_this(self) -> RowText:
        return self._happened(self._row)

    def _field_other(self) -> RowText:
        return self._happened(self._other)

    def _field_unit(self) -> RowText:
        unit = self.hit["unit"]
        send = self.evidence.send_of(self.hit["msg"])
        if send is not None and self.hit["msg"] >= 0:
            unit = send.values["unit"]
        return self._ended(unit, None)

    def _field_this_unit(self) -> RowText:
        return self._ended(self._row.values["unit"], self._row) if self._row else RowText("")

    def _field_other_unit(self) -> RowText:
        return self._ended(self._other.values["unit"], self._other) if self._other else RowText("")

    def _field_committed(self) -> str:
        send = self.evidence.send_of(self.hit["msg"])
        ending = self.evidence.end_of_unit(send.values["unit"]) if send else None
        if ending is None or ending.values["op"] != Op.COMMIT:
            return ""
        return f" Its transaction was committed {self._cite(ending)}."

    def _field_drained(self) -> RowText:
        end, rows = self.hit["end"], self.evidence.rows
        stream, position = self.hit["msg"] >> 32, self.hit["msg"] & 0xFFFFFFFF
        later = (rows.op == Op.DELIVER) & (rows.end == end) & (rows.msg >> 32 == stream) & ~rows.red
        fence = self.evidence.first(later & (rows.msg & 0xFFFFFFFF > position))
        place = self.names.endpoint(end)
        if self.evidence.tables.endpoints.drained[end] > ALWAYS:
            return RowText(f"a later receive from {place} timed out")
        if fence is None:
            return RowText(f"{place} was emptied later")
        return RowText(f"{fence.message}, sent later by the same producer, came out of {place} {self._cite(fence)}")

    def _field_shown(self) -> RowText:
        return self._about_unit(self._row)

    def _field_contrary(self) -> RowText:
        return self._about_unit(self._other)

    def _field_contrary_this(self) -> RowText:
        return self._about_unit(self._row)

    # -- details -------------------------------------------------------------------------------------------------

    def _field_end(self) -> str:
        return self.names.endpoint(self.hit["end"])

    def _field_destination(self) -> str:
        return self.names.destination(self._row.values["dest"]) if self._row else "unknown"

    def _field_owner(self) -> str:
        return self.names.connection(int(self.evidence.tables.endpoints.owner[self.hit["end"]]))

    def _field_conn(self) -> str:
        return self.names.connection(self._row.values["conn"]) if self._row else "another connection"

    def _field_late(self) -> str:
        send, row = self.evidence.send_of(self.hit["msg"]), self._row
        if send is None or row is None:
            return "some"
        return f"{(row.values['t0'] - send.values['t1']) / 1e6 - send.values['ttl']:.3f}"

    def _field_early(self) -> str:
        send, row = self.evidence.send_of(self.hit["msg"]), self._row
        if send is None or row is None:
            return "some"
        return f"{send.values['delay'] - (row.values['t0'] - send.values['t0']) / 1e6:.3f}"

    def _field_in_send(self) -> str:
        return self._cite(self.evidence.send_of(self.hit["msg"]))

    def _field_selector(self) -> str:
        consumers, endpoints = self.evidence.tables.consumers, self.evidence.tables.endpoints
        row = self._row
        selector = int(endpoints.selector[self.hit["end"]]) if self.hit["end"] >= 0 else NONE
        if selector < 0 and row is not None and row.values["consumer"] >= 0:
            selector = int(consumers.selector[row.values["consumer"]])
        text = self.names.selectors.get(selector)
        return f" The selector is: {text}" if text else ""

    def _field_difference(self) -> str:
        return self.evidence.differences.get((self.hit["session"], self.hit["seq"]), "")

    def _field_outcome(self) -> str:
        return "the call threw" if self._row and self._row.values["out"] == Out.FAIL else "the call returned"

    def _field_callbacks(self) -> str:
        rows = self.evidence.rows
        number = int(np.count_nonzero((rows.op == Op.COMPLETE) & (rows.msg == self.hit["msg"])))
        if not number:
            return "no callback came before its session was closed"
        times = "one callback" if number == 1 else f"{number} callbacks"
        return f"{times} came, {self._field_other()}" if self._other else f"{times} came"

    def _field_browse(self) -> str:
        rows = self.evidence.rows
        mask = (rows.op == Op.BROWSE) & (rows.msg == self.hit["msg"]) & (rows.end == self.hit["end"])
        return self._cite(self.evidence.first(mask))

    # -- pieces --------------------------------------------------------------------------------------------------

    def _cite(self, row: EvidenceRow | None) -> str:
        if row is None:
            return "(not on record)"
        place = (row.values["session"], row.values["seq"])
        if self.evidence.events is None:
            self.cited.add(place[1])
            return f"({self.names.session(place[0])}, no. {place[1]})"
        number = self.evidence.events.get(place, (place[1],))[0]
        self.cited.add(number)
        return f"(event {number})"

    def _sent(self, row: EvidenceRow | None) -> RowText:
        if row is None:
            return RowText("a message was sent")
        values = row.values
        if values["op"] != Op.SEND:
            return RowText(f"{row.message} has no send on record", row)
        by = self.names.stream(values["msg"] >> 32)
        to = self.names.destination(values["dest"])
        return RowText(f"{row.message} was sent to {to} by {by} {self._cite(row)}", row)

    def _happened(self, row: EvidenceRow | None) -> RowText:
        if row is None:
            return RowText("something else happened")
        values, cite = row.values, self._cite(row)
        who = self.names.session(values["session"])
        match values["op"]:
            case Op.SEND:
                return self._sent(row)
            case Op.DELIVER:
                consumer, place = self.names.consumer(values["consumer"]), self.names.endpoint(values["end"])
                text = f"{consumer} of {who} got {row.message} from {place} {cite}"
            case Op.COMPLETE:
                text = f"the completion callback for {row.message} ran {cite}"
            case Op.EXCEPTION:
                text = f"the exception listener of {self.names.connection(values['conn'])} was called {cite}"
            case Op.CLOSE:
                what = self.names.consumer(values["consumer"]) if values["consumer"] >= 0 else who
                text = f"{what} was closed {cite}"
            case Op.STOP if values["out"] == Out.UNKNOWN:
                text = f"{self.names.connection(values['conn'])} was created, not yet started {cite}"
            case Op.STOP:
                text = f"{self.names.connection(values['conn'])} was stopped {cite}"
            case _:
                text = f"{who} called {Op.names()[values['op']].lower()} {cite}"
        return RowText(text, row)

    def _ended(self, unit: int, row: EvidenceRow | None) -> RowText:
        if row is not None and row.values["op"] == Op.DELIVER and row.values["auto"]:
            return RowText("its return acknowledged it")
        branches = self.evidence.tables.branches
        if unit in branches.unit.tolist():
            at = branches.unit.tolist().index(unit)
            rows = self.evidence.rows
            decisions = (rows.unit == unit) & (rows.op == Op.END_BRANCH)
            decision = self.evidence.first(decisions & (rows.out == Out.OK)) or self.evidence.first(decisions)
            return RowText(f"the branch ended {_BRANCH_ENDS[int(branches.kind[at])]} {self._cite(decision)}", decision)
        ending = self.evidence.end_of_unit(unit)
        if ending is None:
            return RowText("nothing ended that unit of work")
        values = ending.values
        who, what = self.names.session(values["session"]), _ENDINGS[values["op"]]
        result = {Out.OK: "", Out.FAIL: ", which failed,", Out.UNKNOWN: ", without a known result,"}[values["out"]]
        return RowText(f"{who} {what}{result} {self._cite(ending)}", ending)

    def _about_unit(self, row: EvidenceRow | None) -> RowText:
        """Render what a message shows about the unit of the hit."""
        if row is None:
            return RowText("something in it does not fit")
        unit = self.hit["unit"]
        if row.values["op"] == Op.SEND:
            return RowText(f"{row.message}, sent in it {self._cite(row)}, never came", row)
        if row.values["unit"] == unit:
            return RowText(f"{row.message}, received in it {self._cite(row)}, did not come again", row)
        send = self.evidence.send_of(row.values["msg"])
        if send is not None and send.values["unit"] == unit:
            return RowText(f"{self._happened(row)}, which was sent in it {self._cite(send)}", row)
        return RowText(f"{self._happened(row)}, which was received in it, once more", row)


_ENDINGS: Final[Mapping[int, str]] = {
    Op.ACK: "acknowledged",
    Op.COMMIT: "called commit",
    Op.ROLLBACK: "called rollback",
    Op.RECOVER: "called recover",
    Op.CLOSE: "was closed",
    Op.CRASH: "died",
}
_BRANCH_ENDS: Final = ("without a decision", "in commit", "in rollback", "in recovery", "in doubt", "", "")


def _sentence(text: str) -> str:
    """Capitalize the first letter, but not that of a label such as `message-3` or `queue:x`."""
    word = text.split(" ", 1)[0]
    return text if any(each.isdigit() or each == ":" for each in word) else text[:1].upper() + text[1:]
