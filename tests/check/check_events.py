"""Events of a case, written tersely: what the recorder would leave behind, without a provider."""

from __future__ import annotations

from itertools import count

from tck.check import Margins, judge_events
from tck.check.from_events.conversion import trace_of
from tck.check.properties import PROPERTIES
from tck.check.stages import judge

MARGINS = Margins(redelivery=0, patience=50)
MS = 1_000_000
START = 1_763_740_000_000 * MS


class Log:
    """A growing list of events. Each call takes a millisecond, unless time is moved with `wait`."""

    def __init__(self):
        self.events = []
        self.now = START
        self._seq = count(1)
        self._numbers = {}
        self._ids = count(1)

    # -- the bare event --------------------------------------------------------------------------------------------

    def label(self, kind):
        """Give the next label of a kind."""
        number = self._numbers[kind] = self._numbers.get(kind, 0) + 1
        return f"{kind}-{number}"

    def wait(self, ms):
        """Let time pass."""
        self.now += ms * MS

    def event(self, phase, on, op, actor, **more):
        """Add one event; give its number."""
        self.now += MS // 2
        event = {
            "case": "case",
            "seq": next(self._seq),
            "t_ns": self.now,
            "thread": "main",
            "actor": actor,
            "on": on,
            "op": op,
            "phase": phase,
            "call": None,
            "destination": None,
            "subscription": None,
            "message_id": None,
            **more,
        }
        self.events.append(event)
        return event["seq"]

    def begin(self, on, op, actor="suite", phase="invoke", message=None, **args):
        """Begin a call; give its number."""
        more = {} if message is None else {"message": message}
        place = args.get("destination")
        return self.event(
            phase, on, op, actor, args=args, **more, destination=place if isinstance(place, str) else None
        )

    def end(self, call, phase="ok", **more):
        """End a call."""
        begun = next(each for each in self.events if each["seq"] == call)
        more = {"destination": begun["destination"], "subscription": begun["subscription"]} | more
        return self.event(phase, begun["on"], begun["op"], begun["actor"], **{"call": call} | more)

    def call(self, on, op, actor="suite", error=None, gives=None, created=None, **args):
        """Make a whole call; give the number of its beginning."""
        seq = self.begin(on, op, actor, **args)
        if error is not None:
            self.end(seq, "fail", error={"type": error, "text": "", "code": None, "linked": None})
        else:
            self.end(seq, value=gives, **({"created": created} if created else {}))
        return seq

    # -- objects ---------------------------------------------------------------------------------------------------

    def create(self, kind, on, op, parent=None, **settings):
        """Create an object; give its label."""
        label = self.label(kind)
        created = {"label": label, "type": kind.title(), "parent": parent or on, **settings}
        self.call(on, op, gives=label, created=created)
        return label

    def connection(self, start=True):
        """Open a connection, started unless told otherwise."""
        label = self.create("connection", "factory-1", "ConnectionFactory.create_connection")
        if start:
            self.call(label, "Connection.start", label)
        return label

    def session(self, connection=None, mode=1):
        """Open a session: 0 transacted, 1 auto, 2 client."""
        return self.create(
            "session",
            connection or self.connection(),
            "Connection.create_session",
            transacted=mode == 0,
            session_mode=mode,
        )

    def context(self, mode=1):
        """Open a context."""
        return self.create(
            "context", "factory-1", "ConnectionFactory.create_context", session_mode=mode, transacted=mode == 0
        )

    def producer(self, session, destination="queue:q"):
        """Create a producer, of a context if the session is one."""
        kind = "JMSContext" if session.startswith("context") else "Session"
        return self.create("producer", session, f"{kind}.create_producer", destination=destination)

    def consumer(self, session, destination="queue:q", op="create_consumer", **settings):
        """Create a consumer."""
        kind = "JMSContext" if session.startswith("context") else "Session"
        given = {
            "selector": None,
            "no_local": False,
            "durable": False,
            "shared": False,
            "subscription": None,
        } | settings
        return self.create("consumer", session, f"{kind}.{op}", destination=destination, **given)

    # -- messages --------------------------------------------------------------------------------------------------

    def facts(self, body="x", **more):
        """Describe a message before it is sent."""
        return {
            "label": self.label("message"),
            "kind": "text",
            "id": None,
            "timestamp": 0,
            "correlation": None,
            "reply_to": None,
            "destination": None,
            "mode": 2,
            "redelivered": False,
            "type": None,
            "expiration": 0,
            "delivery_time": 0,
            "priority": 4,
            "count": None,
            "properties": {},
            "digest": f"digest of {body}",
            "body": body,
        } | more

    def send(
        self, producer, body="x", *, destination="queue:q", ttl=0, error=None, cut=False, op=None, id_="new", **more
    ):
        """Send a message; give its facts as read after the send."""
        before = self.facts(body, **more)
        args = {
            "destination": destination,
            "time_to_live": ttl,
            "delivery_mode": before["mode"],
            "priority": before["priority"],
        }
        session = producer
        simplified = op == "JMSProducer.send"
        seq = self.begin(producer, op or "MessageProducer.send", session, message=before, **args)
        after = dict(before)
        if error is not None:
            self.end(seq, "fail", error={"type": error, "text": "", "code": None, "linked": None}, message=before)
            return before
        stamp = self.now // MS
        after |= {
            "id": f"ID:{next(self._ids)}" if id_ == "new" else id_,
            "timestamp": stamp,
            "expiration": stamp + ttl if ttl else 0,
            "delivery_time": stamp,
            "destination": destination,
        }
        if not cut:
            self.end(seq, message=after, value=producer if simplified else None)
        return after

    def receive(self, consumer, session, sent=None, *, timeout=1000, waits=0, again=0, **changed):
        """Receive a message, or nothing; `again` counts former deliveries. Gives the number of the returning event."""
        seq = self.begin(consumer, "MessageConsumer.receive", session, timeout=timeout)
        self.wait(waits)
        if sent is None:
            return self.end(seq, value=None, subscription=consumer)
        facts = dict(sent) | {"label": self.label("message"), "redelivered": again > 0, "count": again + 1}
        facts = facts | {"destination": sent["destination"] or "queue:q"} | changed
        return self.end(seq, value=facts["label"], message=facts, subscription=consumer)

    def time_out(self, consumer, session):
        """Receive nothing until the timeout, which is long enough to show that nothing is there."""
        self.receive(consumer, session, timeout=100, waits=110)

    def deliver(self, consumer, session, sent, *, takes=1, again=0, error=None):
        """Hand a message to a listener; give the number of the delivery."""
        facts = dict(sent) | {"label": self.label("message"), "redelivered": again > 0, "count": again + 1}
        seq = self.event(
            "delivered",
            "listener-1",
            "MessageListener.on_message",
            session,
            args={"message": facts["label"]},
            message=facts,
            subscription=consumer,
        )
        self.wait(takes)
        if error:
            self.end(seq, "fail", error={"type": error, "text": "", "code": None, "linked": None})
        else:
            self.end(seq)
        return seq


# -- what is judged of it ------------------------------------------------------------------------------------------------


def judged(log, **more):
    """Give the result of each property by name."""
    return {result.name: result for result in judge_events(log.events, margins=MARGINS, **more)}


def violations(log, **more):
    """Give the findings of each property that has some."""
    return {name: result.violations for name, result in judged(log, **more).items() if result.violations}


def broken(log):
    """Name the properties that are broken."""
    return set(violations(log))


def blamed(log):
    """Name the assertions that the violations of each property break."""
    trace = trace_of(log.events, MARGINS, None)
    tallies = judge(trace.rows, trace.tables, MARGINS)
    return {name: set(PROPERTIES[name].blamed(tally.blamed)) for name, tally in tallies.items() if len(tally.hits)}
