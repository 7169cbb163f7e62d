"""Walks through the calls of a trace in order, and tracks objects and the open unit of work.

The result is rows, with deliveries not yet matched (`conversion` does that). May import the bookkeeping modules `calls`,
`endpoints`, `senders`, `sessions`; must not judge.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tck.check.columns import AUTO, CLIENT, DUPS_OK, MOST, NEVER, NONE, TRANSACTED, Closer, End, Op, Out
from tck.check.from_events.calls import FAIL, OK, Call, Facts, kind_of
from tck.check.from_events.endpoints import Consumer, Endpoint, EndpointRegistry, destination_of
from tck.check.from_events.senders import Producer, Sent, send_options
from tck.check.from_events.sessions import Branch, Clients, Connection, Session
from tck.check.from_events.walk import Delivery, TimedOutReceive, WalkResult, outcome

_XA_UNDONE: Final = range(100, 108)
_XA_READ_ONLY: Final = 3
_XA_JOINING: Final = 0x08200000
"""TMJOIN or TMRESUME."""
_XA_REFUSED: Final = (-5, -6)
"""XAER_INVAL and XAER_PROTO: the call was not allowed and did nothing."""
_WAITED: Final = 900_000
"""Nanoseconds per millisecond of a timeout after which a receive counts as timed out; clocks are coarse."""


class Timeline:
    """The state of the walk, and its result."""

    def __init__(self) -> None:
        self.clients = Clients()
        self.registry = EndpointRegistry()
        self.result = WalkResult()
        self._producers: dict[str, Producer] = {}
        self._requestors: dict[str, str | None] = {}
        self._overridden_destinations: set[str] = set()

    def walk(self, calls: Iterable[Call]) -> None:
        """Process every call. A receive counts from its return with a message, all others from their beginning."""
        for call in sorted(calls, key=_order):
            if call.created is not None:
                self._create(call, call.created)
            if call.callback:
                self._called_back(call)
            else:
                self._called(call)

    def _called(self, call: Call) -> None:  # noqa: C901, PLR0912 - a table of calls
        match call.kind, call.name:
            case "producer", "send" | "publish":
                self._send(call)
            case "producer", _:
                self._producers.setdefault(call.on, Producer()).note(call)
            case "consumer", "receive" | "receive_no_wait" | "receive_body" | "receive_body_no_wait":
                self._receive(call)
            case "consumer" | "connection-consumer", "close":
                self._close_consumer(call)
            case "enumeration", _:
                self._browse(call)
            case "session" | "context", "commit" | "rollback" | "recover":
                self._settle(call, call.name)
            case "message" | "context" | "session", "acknowledge":
                self._settle(call, "acknowledge")
            case "session" | "context", "close":
                self._close_session(call)
            case "connection", "close":
                self._close_connection(call)
            case "connection" | "context", "start" | "stop" | "client_id" | "auto_start":
                self._configure(call)
            case "session" | "context", "unsubscribe":
                self._unsubscribe(call)
            case "temporary-queue" | "temporary-topic", "delete":
                self._delete(call)
            case "requestor", "request":
                call.destination = self._requestors.get(call.on)
                call.after = None  # the reply
                self._producers.setdefault(call.on, Producer()).set_by_producer.add("reply_to")
                self._send(call)
            case "resource", _:
                self._branch(call)
            case "provider", _:
                self._provider(call)
            case _:
                pass

    def _called_back(self, call: Call) -> None:
        if call.type == "MessageListener":
            consumer = self.registry.by_label.get(call.subscription or "")
            self._deliver(call, call.before, consumer, call.t0, call.t1)
        elif call.type == "CompletionListener":
            self._complete(call)
        elif call.type == "ExceptionListener":
            connection = self.clients.connection(call.actor)
            if connection is not None:
                self.result.row(call, Op.EXCEPTION, connection.pseudo_session)

    # -- objects -------------------------------------------------------------------------------------------------

    def _create(self, call: Call, created: Facts) -> None:
        label = str(created["label"])
        self.clients.create(call, created)
        kind = kind_of(label)
        connection = self.clients.connection(label)
        if kind in ("temporary-queue", "temporary-topic") and connection is not None:
            self.registry.owners[destination_of(label)] = connection.number
        if connection is not None and connection.stopped is not None and connection.stopped.seq == call.seq:
            self.result.row(call, Op.STOP, connection.pseudo_session, Out.UNKNOWN)
        if kind == "requestor":
            self.clients.parents[label] = str(call.argument("session"))
            self._requestors[label] = call.argument("queue", "topic")
        if kind in ("consumer", "connection-consumer") and connection is not None:
            session = self.clients.session(label)
            number = NONE if session is None or kind != "consumer" else session.number
            if call.type == "JMSContext" and connection.starts_itself:
                self.clients.start(connection, call)
            self.registry.consume(call, number, connection.number, connection.client)

    def _configure(self, call: Call) -> None:
        connection = self.clients.connection(call.on)
        if connection is None:
            return
        if call.name == "client_id" and call.args and call.out == OK:
            connection.client = call.argument("value")
        elif call.name == "auto_start" and call.args and call.out == OK:
            connection.starts_itself = call.argument("value") is not False
        elif call.name == "start" and not call.refused:
            self.clients.start(connection, call)
        elif call.name == "stop" and not call.refused:
            self.clients.stop(connection, call)
            if call.out == OK:
                self.result.row(call, Op.STOP, connection.pseudo_session)

    # -- sending -------------------------------------------------------------------------------------------------

    def _send(self, call: Call) -> None:
        session = self._session(call)
        if session is None or call.destination is None:
            return
        producer = self._producers.setdefault(call.on, Producer())
        destination = destination_of(call.destination)
        simplified = call.type == "JMSProducer"
        asynchronous = producer.asynchronous if simplified else call.argument("completion_listener") is not None
        mode, priority, ttl, delay = send_options(call, producer, destination in self._overridden_destinations)
        unit = session.unit
        msg = self.result.next_message(session.label if simplified else call.on, unit if session.branch else NONE)
        sent = Sent(
            call,
            msg,
            session.number,
            unit,
            destination,
            asynchronous,
            mode,
            priority,
            ttl,
            delay,
            frozenset(producer.set_by_producer),
            call.before or call.after or {},
            None if asynchronous else call.after,
        )
        self.result.sends.append(sent)

    def _complete(self, call: Call) -> None:
        facts = call.before or {}
        session = self.clients.session(call.actor)
        waiting = [
            each for each in self.result.sends if each.asynchronous and session and each.session == session.number
        ]
        labelled = [each for each in waiting if each.facts.get("label") and each.facts["label"] == facts.get("label")]
        candidates = labelled or waiting
        if not candidates or session is None:
            return
        sent = min(candidates, key=lambda each: (each.completed, each.call.seq))
        sent.completed += 1
        if call.name == "on_completion" and facts:
            sent.head = facts
        row = self.result.row(call, Op.COMPLETE, session, Out.OK if call.name == "on_completion" else Out.FAIL)
        row |= {"msg": sent.msg, "unit": sent.unit}

    # -- receiving -----------------------------------------------------------------------------------------------

    def _receive(self, call: Call) -> None:
        consumer = self.registry.by_label.get(call.on)
        if consumer is None or call.refused:
            return
        body_only = call.name.startswith("receive_body")
        if call.out != OK:
            self.registry.add_unseen_holder(consumer.endpoint, call.t0, call.t1)
        elif call.after is not None:
            self._deliver(call, call.after, consumer, call.t1, call.t1)
        elif call.value is None:
            timeout = call.argument("timeout")
            waited = isinstance(timeout, int) and timeout > 0 and call.t1 - call.t0 >= timeout * _WAITED
            if waited:
                self.result.timed_out.append(TimedOutReceive(consumer, call.t0, call.t1))
            elif body_only:
                self.registry.add_unseen_holder(
                    consumer.endpoint, call.t0, call.t1
                )  # a message whose body is null looks the same

    def _deliver(self, call: Call, facts: Facts | None, consumer: Consumer | None, t0: int, t1: int) -> None:
        session = self._session(call)
        if facts is None or session is None:
            return
        destination = facts.get("destination")
        place = destination_of(destination) if isinstance(destination, str) else ""
        endpoint: Endpoint | None = None
        if consumer is not None:
            endpoint, place = consumer.endpoint, consumer.endpoint.destination
        elif place.startswith("queue:"):
            endpoint = self.registry.queue(place)
        row = self.result.row(call, Op.DELIVER, session)
        flag, count = facts.get("redelivered"), facts.get("count")
        readable = isinstance(flag, bool)
        row |= {
            "t0": t0,
            "t1": t1,
            "consumer": NONE if consumer is None else consumer.number,
            "end": NONE if endpoint is None else endpoint.number,
            "unit": session.unit,
            "auto": session.mode in (AUTO, DUPS_OK),
            "red": flag is not False,  # an unreadable flag must raise no finding here
            "count": min(max(count, NONE), MOST) if isinstance(count, int) and readable else NONE,
        }
        self.result.deliveries.append(Delivery(call, facts, row, consumer, endpoint, place))

    def _browse(self, call: Call) -> None:
        session = self._session(call)
        if call.after is None or call.out != OK or session is None or not call.destination:
            return
        place = destination_of(call.destination)
        endpoint = self.registry.queue(place)
        row = self.result.row(call, Op.BROWSE, session)
        row |= {"end": endpoint.number}
        self.result.deliveries.append(Delivery(call, call.after, row, None, endpoint, place, browsed=True))

    # -- settling ------------------------------------------------------------------------------------------------

    def _settle(self, call: Call, name: str) -> None:
        session = self._session(call)
        if session is None or session.xa or session.ended or call.refused:
            return
        op, modes = _SETTLING[name]
        if session.mode not in modes:
            return
        out = outcome(call)
        if out == Out.FAIL and op != Op.ROLLBACK and "RolledBack" not in call.error:
            out = Out.UNKNOWN
        if op == Op.ACK:
            session.ack0, session.ack1 = min(session.ack0, call.t0), max(session.ack1, call.t1)
        elif op != Op.COMMIT or out != Out.OK:
            session.undo0 = min(session.undo0, call.t0)
        self._end_unit(call, op, session, out)

    def _end_unit(self, call: Call, op: int, session: Session, out: int) -> None:
        row = self.result.row(call, op, session, out)
        if not session.xa:
            row["unit"] = session.unit
            session.epoch += op != Op.CLOSE or session.ended

    def _close_consumer(self, call: Call) -> None:
        consumer = self.registry.by_label.get(call.on)
        session = self._session(call)
        if consumer is None or call.refused or (session is not None and session.ended):
            return
        closed = call.out == OK
        known = self.registry.end_consumer(consumer, call.t0, call.t1 if closed else NEVER)
        if known and session is not None:
            self.result.row(call, Op.CLOSE, session)["consumer"] = consumer.number

    def _close_session(self, call: Call) -> None:
        session = self._session(call)
        if session is None or call.refused:
            return
        session.closer = Closer.CONTEXT if call.kind == "context" else Closer.SESSION
        self._end_sessions(call, [session], Op.CLOSE)
        connection = self.clients.connection(call.on)
        last = connection is not None and all(each is session for each in self.clients.of_connection(connection))
        if call.kind == "context" and connection is not None and last:
            self._end_connection(call, connection)

    def _close_connection(self, call: Call) -> None:
        connection = self.clients.connection(call.on)
        if connection is None or call.refused:
            return
        self._end_sessions(call, self.clients.of_connection(connection), Op.CLOSE)
        self._end_connection(call, connection)

    def _end_connection(self, call: Call, connection: Connection) -> None:
        if not connection.ended:
            connection.ended = call.out == OK
            self.registry.end_temporaries(connection.number, call.t0, call.t1 if call.out == OK else NEVER)

    def _end_sessions(self, call: Call, sessions: list[Session], op: int) -> None:
        sure = call.out == OK
        sessions = [each for each in sessions if not each.ended]
        for session in sessions:
            # One whose close failed may still be open, with all that belongs to it.
            session.ended = sure or op == Op.CRASH
            self._end_unit(call, op, session, Out.OK if sure else Out.UNKNOWN)
            for branch in session.branches:
                if branch.prepared:
                    continue
                # A branch that was ended in order may still be decided through another resource, unless the provider itself fell.
                undone = branch is session.branch or call.name in ("restart", "kill")
                kind, returned = (End.UNDONE, call.t1 if session.ended else NEVER) if undone else (End.DOUBT, NEVER)
                branch.decide(kind, call.t0, returned, reported=False)
        noticed = call.t1 if sure and call.name != "sever" else NEVER
        self.registry.end_sessions((each.number for each in sessions), call.t0, noticed)

    def _unsubscribe(self, call: Call) -> None:
        connection = self.clients.connection(call.on)
        if connection is not None and not call.removed_nothing:
            self.registry.unsubscribe(connection.client, call.argument("name"), call.t0, call.returned)

    def _delete(self, call: Call) -> None:
        # A temporary destination in use is not to be deleted (4.1.5-9, 4.2.7-9).
        if not (call.out == FAIL and self.registry.in_use(call.on)):
            self._remove(call, call.on)

    def _remove(self, call: Call, label: object) -> None:
        if isinstance(label, str) and not call.removed_nothing:
            self.registry.drop(label, call.t0, call.returned)

    # -- branches ------------------------------------------------------------------------------------------------

    def _branch(self, call: Call) -> None:
        session = self._session(call)
        if session is None or "xid" not in call.args:
            return
        xid = repr(call.args["xid"])
        if call.name == "start" and call.out == OK:
            flags = call.argument("flags")
            joins = isinstance(flags, int) and flags & _XA_JOINING != 0
            session.branch = self.clients.begin_branch(xid, session.conn, joins=joins)
            session.branches.append(session.branch)
            return
        branch = self.clients.branch_of.get(xid)
        if branch is None:
            return
        if call.name == "end":
            session.branch = None
            if _code(call) in _XA_UNDONE:  # marked for rollback: it may be undone from now on
                branch.decide(End.UNDONE, call.t0, NEVER, reported=False)
        elif call.name == "prepare" and call.out == OK:
            branch.prepared, branch.p1 = call.value != _XA_READ_ONLY, call.t1
            branch.over |= not branch.prepared
            self.result.row(call, Op.PREPARE, branch.pseudo_session)["unit"] = branch.unit
        elif call.name in ("commit", "rollback") or (call.name == "prepare" and _code(call) in _XA_UNDONE):
            self._decide(call, branch)

    def _decide(self, call: Call, branch: Branch) -> None:
        code = _code(call)
        if code in _XA_REFUSED:
            return
        self.result.row(call, Op.END_BRANCH, branch.pseudo_session)["unit"] = branch.unit
        if call.out == OK:
            branch.decide(End.DONE if call.name == "commit" else End.UNDONE, call.t0, call.t1)
        elif code in _XA_UNDONE:
            branch.decide(End.UNDONE, call.t0, call.t1)
        else:
            branch.decide(End.DOUBT, call.t0, NEVER, reported=False)

    # -- the provider --------------------------------------------------------------------------------------------

    def _provider(self, call: Call) -> None:
        if call.name in ("restart", "kill"):
            self.result.restarts.append({"t0": call.t0, "t1": call.t1})
            for connection in self.clients.connections:
                self._lose(call, connection)
        elif call.name == "sever":
            severed = self.clients.connection(str(call.argument("connection")))
            if severed is not None:
                self._lose(call, severed)
        elif call.name == "drop":
            self._remove(call, call.argument("destination"))
        elif call.name == "administer" and call.argument("action") == "override":
            given = call.argument("arguments")
            given = given.get("value", given) if isinstance(given, dict) else {}
            destination = given.get("destination")
            if isinstance(destination, str):
                self._overridden_destinations.add(destination_of(destination))

    def _lose(self, call: Call, connection: Connection) -> None:
        self._end_sessions(call, self.clients.of_connection(connection), Op.CRASH)
        self._end_connection(call, connection)

    def _session(self, call: Call) -> Session | None:
        return self.clients.session(call.on) or self.clients.session(call.actor)


_SETTLING: Final = {
    "commit": (Op.COMMIT, (TRANSACTED,)),
    "rollback": (Op.ROLLBACK, (TRANSACTED,)),
    "recover": (Op.RECOVER, (AUTO, CLIENT, DUPS_OK)),
    "acknowledge": (Op.ACK, (CLIENT,)),
}


def _code(call: Call) -> int:
    """Return the error code of a call that failed, 0 if there is none."""
    known = call.out == FAIL and call.code is not None and call.code.lstrip("-").isdigit()
    return int(call.code or 0) if known else 0


def _order(call: Call) -> int:
    return (
        call.end_seq if call.after is not None and not call.callback and call.name.startswith("receive") else call.seq
    )
