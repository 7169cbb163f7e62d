"""Which calls a program may make: those whose outcome the specification lays down, right ones and wrong ones alike.

`Legality.check` refuses a step whose outcome is open; `Legality.note` takes down what a step did. Both are fed with the
steps of a program in order, with what the reference provider answered. Knows objects and rules, no provider.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck.programs.program import Observation, Step
from tck.programs.rules.objects import (
    FOREVER,
    Browser,
    Capabilities,
    Connection,
    Consumer,
    Destination,
    Endpoint,
    Message,
    OpenOutcome,
    Producer,
    Session,
)


class Legality:
    """The state of a program under way, and the rules."""

    def __init__(self, abilities: Capabilities) -> None:
        self.abilities = abilities
        self.connections: dict[str, Connection] = {}
        self.sessions: dict[str, Session] = {}
        self.destinations: dict[str, Destination] = {}
        self.endpoints: dict[str, Endpoint] = {}
        self.consumers: dict[str, Consumer] = {}
        self.producers: dict[str, Producer] = {}
        self.browsers: dict[str, Browser] = {}
        self.messages: dict[str, Message] = {}
        self.ends: dict[str, Endpoint] = {}

    # -- what comes in ---------------------------------------------------------------------------------------------

    def check(self, step: Step) -> None:
        """Refuse a step that the specification does not settle.

        Raises:
            OpenOutcome: What it does is left open, or it needs an ability that is not there.
        """
        rule: Callable[[dict[str, Any]], None] | None = getattr(self, f"_check_{step.do}", None)
        if rule is not None:
            rule(dict(step.args))

    def note(self, step: Step, seen: Observation) -> None:
        """Record what a step did; a step that raised or was skipped did nothing."""
        if "ok" not in seen:
            return
        if step.do not in {"next", "enumerate", "message"}:
            for browser in self.browsers.values():
                browser.stale = True
        rule: Callable[[Step, Any], None] | None = getattr(self, f"_note_{step.do}", None)
        if rule is not None:
            rule(step, seen["ok"])

    def listening(self) -> bool:
        """Return whether a listener may be called."""
        return any(each.running and each.state == "open" for each in self.sessions.values())

    # -- clients ---------------------------------------------------------------------------------------------------

    def _check_connect(self, args: dict[str, Any]) -> None:
        wanted = args.get("client_id")
        if args["api"] not in self.abilities.apis:
            raise OpenOutcome(f"the interface {args['api']} is not claimed")
        if wanted and any(each.client_id == wanted and each.state == "open" for each in self.connections.values()):
            raise OpenOutcome("a client identifier that is in use should be refused, need not")  # 6.1.2-13

    def _note_connect(self, step: Step, _: object) -> None:
        made = Connection(step.name or "", step.args["api"], step.args.get("client_id"))
        self.connections[made.name] = made
        if made.simplified:
            self.sessions[made.name] = Session(made.name, made, step.args.get("mode", "auto"))

    def connection_of(self, name: str) -> Connection:
        """Return a connection by its name or by that of a context over it."""
        return self.connections[name] if name in self.connections else self.sessions[name].connection

    def _alive(self, name: str) -> Connection:
        found = self.connection_of(name)
        if found.state == "dead":
            raise OpenOutcome(f"{name} was lost in a failure")
        return found

    def _check_start(self, args: dict[str, Any]) -> None:
        self._alive(args["on"])

    _check_stop = _check_start
    _check_session = _check_start
    _check_sever = _check_start

    def _note_start(self, step: Step, _: object) -> None:
        self.connection_of(step.args["on"]).started = True

    def _note_stop(self, step: Step, _: object) -> None:
        found = self.connection_of(step.args["on"])
        found.started, found.stopped = False, True

    def _note_session(self, step: Step, _: object) -> None:
        name = step.name or ""
        self.sessions[name] = Session(name, self.connection_of(step.args["on"]), step.args.get("mode", "auto"))

    def _note_auto_start(self, step: Step, _: object) -> None:
        self.connection_of(step.args["on"]).auto_start = step.args["value"]

    def usable(self, name: str) -> Session:
        """Return a session that the program's thread may use, or one that is closed.

        Raises:
            OpenOutcome: It is lost, or its listeners run.
        """
        found = self.sessions[name]
        if found.state == "dead":
            raise OpenOutcome(f"{name} was lost in a failure")
        if found.state == "open" and found.running:
            raise OpenOutcome(f"{name} belongs to the thread that calls its listeners")  # 6.2.5-1
        return found

    # -- closing and failing ---------------------------------------------------------------------------------------

    def _check_close(self, args: dict[str, Any]) -> None:
        name = args["on"]
        if name in self.sessions or name in self.connections:
            self._alive(name)
        else:
            found = self._closable(name)
            if found.state == "dead":
                raise OpenOutcome(f"{name} was lost in a failure")
            if isinstance(found, (Producer, Browser)) and found.session.running:
                raise OpenOutcome(f"{name} belongs to the thread that calls the session's listeners")

    def _closable(self, name: str) -> Consumer | Producer | Browser:
        return self.consumers.get(name) or self.producers.get(name) or self.browsers[name]

    def _note_close(self, step: Step, _: object) -> None:
        name = step.args["on"]
        connection = self.connections.get(name)
        if connection is not None and not connection.simplified:
            connection.state = "closed"
            self._end(connection)
        elif name in self.sessions:
            self._close_session(self.sessions[name])
        else:
            found = self._closable(name)
            found.closed = True
            if isinstance(found, Consumer):
                self._leave(found)

    def _close_session(self, session: Session) -> None:
        session.closed = True
        session.held.clear()
        for consumer in self.consumers.values():
            if consumer.session is session:
                self._leave(consumer)
        connection = session.connection
        others = [each for each in self.sessions.values() if each.connection is connection and not each.closed]
        if connection.simplified and not others:
            connection.state = "closed"
            self._end(connection)

    def _end(self, connection: Connection) -> None:
        for consumer in self.consumers.values():
            if consumer.session.connection is connection:
                self._leave(consumer)
        for session in self.sessions.values():
            if session.connection is connection:
                session.held.clear()
        for destination in self.destinations.values():
            if destination.owner is connection:
                destination.deleted = True

    def _leave(self, consumer: Consumer) -> None:
        end = consumer.end
        end.consumers.discard(consumer.name)
        consumer.session.listening.discard(consumer.name)
        if not end.consumers and not end.durable:
            self.endpoints.pop(end.key, None)

    def _check_restart(self, _: dict[str, Any]) -> None:
        if "restart" not in self.abilities.hooks:
            raise OpenOutcome("the provider offers no hook restart")

    def _check_kill(self, _: dict[str, Any]) -> None:
        if "kill" not in self.abilities.hooks:
            raise OpenOutcome("the provider offers no hook kill")

    def _note_restart(self, _step: Step, _: object) -> None:
        for connection in self.connections.values():
            if connection.state == "open":
                connection.state = "dead"
                self._end(connection)

    _note_kill = _note_restart

    def _note_sever(self, step: Step, _: object) -> None:
        found = self.connection_of(step.args["on"])
        found.state = "dead"
        self._end(found)

    def _note_advance(self, step: Step, _: object) -> None:
        for destination in self.destinations.values():
            destination.due = max(0, destination.due - step.args["units"])

    def settled(self, destination: Destination) -> None:
        """Refuse to look at a destination whose messages expire or fall due by real time meanwhile.

        Raises:
            OpenOutcome: They do.
        """
        if destination.due and not self.abilities.virtual:
            raise OpenOutcome(f"what waits at {destination.name} changes by itself; let time pass first")

    # -- destinations ----------------------------------------------------------------------------------------------

    def _check_queue(self, args: dict[str, Any]) -> None:
        if args.get("on") is not None:
            self.usable(args["on"])

    _check_topic = _check_queue

    def _note_queue(self, step: Step, _: object) -> None:
        if step.name is not None:
            self.destinations[step.name] = Destination(step.name, step.do)

    _note_topic = _note_queue

    def _check_temporary(self, args: dict[str, Any]) -> None:
        self.usable(args["on"])

    def _note_temporary(self, step: Step, _: object) -> None:
        owner = self.sessions[step.args["on"]].connection
        name = step.name or ""
        self.destinations[name] = Destination(name, step.args["kind"], owner, temporary=True)

    def _check_delete(self, args: dict[str, Any]) -> None:
        found = self.destinations[args["on"]]
        if found.owner is None or found.owner.state != "open" or found.deleted:
            raise OpenOutcome("what delete does then is not laid down")
        if any(end.destination is found for each in self.sessions.values() for end in each.held.values()):
            raise OpenOutcome("messages of it are in hand")

    def _note_delete(self, step: Step, _: object) -> None:
        self.destinations[step.args["on"]].deleted = True

    def reachable(self, name: str | None, connection: Connection) -> Destination | None:
        """Return a destination that a call may name.

        Raises:
            OpenOutcome: It went with its connection, or another connection deleted it.
        """
        if name is None:
            return None
        found = self.destinations[name]
        if found.deleted and (found.owner is None or found.owner is not connection or connection.state != "open"):
            raise OpenOutcome(f"{name} is gone")
        return found

    # -- messages --------------------------------------------------------------------------------------------------

    def _check_message(self, args: dict[str, Any]) -> None:
        if args.get("on") is not None:
            self.usable(args["on"])

    def _note_message(self, step: Step, _: object) -> None:
        name = step.name or ""
        numbered = any(each[0] == "n" for each in step.args.get("properties", ()))
        made = Message(name, step.args["kind"], step.args.get("on") is None, numbered=numbered)
        self.messages[name] = made

    def _check_property(self, args: dict[str, Any]) -> None:
        found = self.messages[args["on"]]
        if found.foreign and (found.sent or args["name"] in {"", None} or args["type"] == "unsupported"):
            raise OpenOutcome("what a foreign message refuses is its own affair")

    def _check_reads(self, args: dict[str, Any]) -> None:
        producer = self.producers.get(args["on"])
        if producer is None:
            self._own(args)
        elif producer.state != "open" or producer.session.running:
            raise OpenOutcome("what it says then is left open")

    def _own(self, args: dict[str, Any]) -> None:
        if self.messages[args["on"]].foreign:
            raise OpenOutcome("what a foreign message does is its own affair")

    _check_attempts = _check_bodies = _check_write = _check_items = _own
    _check_clear_body = _check_clear_properties = _check_reset = _own

    # -- acknowledging ---------------------------------------------------------------------------------------------

    def _check_acknowledge(self, args: dict[str, Any]) -> None:
        name = args["on"]
        if name in self.sessions:
            self.usable(name)
            return
        message = self.messages[name]
        session = message.receiver
        if session is None or session.state == "dead" or message.epoch != session.epoch:
            raise OpenOutcome("the message is not in hand")
        if session.state == "closed" and session.mode != "client":
            raise OpenOutcome("modes that ignore it may ignore it then too")  # 6.1.8-36
        self.usable(session.name)

    def _note_acknowledge(self, step: Step, _: object) -> None:
        name = step.args["on"]
        session = self.sessions[name] if name in self.sessions else self.messages[name].receiver
        if session is not None and session.mode == "client":
            session.held.clear()

    def _check_recover(self, args: dict[str, Any]) -> None:
        if self.usable(args["on"]).mode == "dups_ok":
            raise OpenOutcome("what was acknowledged lazily may come again")

    def _check_commit(self, args: dict[str, Any]) -> None:
        self.usable(args["on"])

    _check_rollback = _check_commit

    def _note_recover(self, step: Step, _: object) -> None:
        self.sessions[step.args["on"]].epoch += 1

    def _note_commit(self, step: Step, _: object) -> None:
        found = self.sessions[step.args["on"]]
        found.held.clear()
        found.unsent.clear()
        found.epoch += 1

    def _note_rollback(self, step: Step, _: object) -> None:
        self._note_commit(step, None)

    # -- sending ---------------------------------------------------------------------------------------------------

    def _check_producer(self, args: dict[str, Any]) -> None:
        session = self.usable(args["on"])
        self.reachable(args.get("to"), session.connection)

    def _note_producer(self, step: Step, _: object) -> None:
        to = step.args.get("to")
        name, session = step.name or "", self.sessions[step.args["on"]]
        self.producers[name] = Producer(name, session, None if to is None else self.destinations[to])
        self.producers[name].publisher = session.connection.api == "topic" and not step.args.get("plain")

    def _check_set(self, args: dict[str, Any]) -> None:
        found = self.producers[args["on"]]
        self.usable(found.session.name)
        if found.session.connection.simplified and found.state != "open":
            raise OpenOutcome("only send is said to fail on a JMSProducer of a closed context")  # 6.1.8-43
        if args["what"] == "delay" and not self.abilities.modern:
            raise OpenOutcome("the version has no delays")

    def _note_set(self, step: Step, _: object) -> None:
        found, what, value = self.producers[step.args["on"]], step.args["what"], step.args.get("value")
        if what == "ttl":
            found.ttl = int(value or 0)
        elif what == "delay":
            found.delay = int(value or 0)
        elif what == "property":
            found.properties.add(step.args["name"])
        elif what == "clear_properties":
            found.properties.clear()

    def _check_send(self, args: dict[str, Any]) -> None:
        producer = self.producers[args["on"]]
        self.usable(producer.session.name)
        self.reachable(args.get("to"), producer.session.connection)
        if producer.destination is not None:
            self.reachable(producer.destination.name, producer.session.connection)
        if args.get("async") and not self.abilities.modern:
            raise OpenOutcome("the version has no asynchronous sends")
        if args.get("publish") and not producer.publisher:
            raise OpenOutcome("only a TopicPublisher publishes")
        message = self.messages.get(args.get("message", ""))
        if message is not None and message.foreign and producer.properties:
            raise OpenOutcome("what a foreign message refuses is its own affair")

    _check_send_body = _check_send

    def _check_send_many(self, args: dict[str, Any]) -> None:
        self._check_send(args)
        if self.usable(args["of"]).state != "open" or self.producers[args["on"]].state != "open":
            raise OpenOutcome("nothing to be learned")

    def _note_send(self, step: Step, _: object) -> None:
        args = step.args
        producer = self.producers[args["on"]]
        target = self.destinations[args["to"]] if args.get("to") else producer.destination
        message = self.messages.get(args.get("message", ""))
        if message is not None:
            message.sent = True
        if target is not None:
            if producer.session.mode == "transacted":
                producer.session.unsent.add(target.name)
            due = [units for units in (args.get("ttl", producer.ttl), producer.delay) if 0 < units < FOREVER]
            target.due = max([target.due, *due])

    _note_send_body = _note_send_many = _note_send
