"""Which calls on consumers, browsers and subscriptions a program may make: the second half of `legality`."""

from __future__ import annotations

from typing import Any

from tck.programs.program import Step
from tck.programs.rules.legality import Legality
from tck.programs.rules.objects import Browser, Consumer, Destination, Endpoint, Message, OpenOutcome, Session

DURABLE = frozenset({"durable", "shared_durable"})


class Rules(Legality):
    """All rules of programs."""

    # -- consumers -------------------------------------------------------------------------------------------------

    def _check_consumer(self, args: dict[str, Any]) -> None:
        session = self.usable(args["on"])
        connection = session.connection
        destination = self.reachable(args.get("of"), connection)
        kind = args.get("kind", "plain")
        if kind in {"shared", "shared_durable"} and not self.abilities.modern:
            raise OpenOutcome("the version has no shared subscriptions")
        if destination is not None and destination.kind == "queue" and (args.get("no_local") or kind != "plain"):
            raise OpenOutcome("noLocal on a queue is left open")  # 8.2-5
        if connection.simplified and connection.stopped and not connection.started and connection.auto_start:
            raise OpenOutcome("whether a consumer starts what was stopped is stated in two ways")  # 8.4-8
        if session.state != "open" or destination is None:
            return
        if destination.kind == "topic" and any(
            destination.name in each.unsent for each in self.sessions.values() if each.state == "open"
        ):
            raise OpenOutcome("whether a new subscription gets what was sent before and committed after is left open")
        if kind in DURABLE and destination.temporary:
            raise OpenOutcome("durable subscriptions to temporary topics are left open")
        self._resumable(args, session, destination)

    def _resumable(self, args: dict[str, Any], session: Session, destination: Destination) -> None:
        """Refuse to resume a subscription while a session that does not consume from it any more has messages of it."""
        kind = args.get("kind", "plain")
        if kind not in DURABLE:
            return
        end = self.endpoints.get(self.key_of(args, session, destination))
        if end is None or end.consumers:
            return
        others = [each for each in self.sessions.values() if each.state == "open" and end.key in each.held]
        if others and (end.destination is not destination or not same_terms(end, args)):
            raise OpenOutcome("to replace a subscription with messages in hand is left open")  # 8.3.3-21, 8.3.3-22
        if others and session.connection.api == "topic":
            raise OpenOutcome("a TopicSession may refuse then")  # 8.3.3-42

    def key_of(self, args: dict[str, Any], session: Session, destination: Destination) -> str:
        """Return the identity of the endpoint that a consumer would have."""
        kind, client = args.get("kind", "plain"), session.connection.client_id or ""
        if destination.kind == "queue":
            return destination.name
        if kind in DURABLE:
            return f"durable {client}/{args.get('name')}"
        return f"shared {client}/{args.get('name')}" if kind == "shared" else ""

    def _note_consumer(self, step: Step, _: object) -> None:
        args, name = dict(step.args), step.name or ""
        session = self.sessions[args["on"]]
        destination = self.destinations[args["of"]]
        kind = "queue" if destination.kind == "queue" else args.get("kind", "plain")
        key = self.key_of(args, session, destination) or f"plain {name}"
        end = self.endpoints.get(key)
        if end is None or (not end.consumers and not self._resumes(end, args, destination)):
            end = Endpoint(key, kind, destination, args.get("selector") or None, bool(args.get("no_local")))
            self.endpoints[key] = end
        made = Consumer(name, session, end)
        end.consumers.add(name)
        if len(end.consumers) > 1:
            end.contended = True
        self.consumers[name] = made
        self.ends[name] = end
        if session.connection.simplified and session.connection.auto_start:
            session.connection.started = True

    @staticmethod
    def _resumes(end: Endpoint, args: dict[str, Any], destination: Destination) -> bool:
        return end.kind == "queue" or (end.destination is destination and same_terms(end, args))

    # -- receiving -------------------------------------------------------------------------------------------------

    def _check_receive(self, args: dict[str, Any]) -> None:
        found = self.consumers[args["on"]]
        session = self.usable(found.session.name)
        if found.state != "open":
            return
        if session.listening:
            raise OpenOutcome("a session with a listener is not used to receive")
        if found.end.destination.deleted:
            raise OpenOutcome("its destination is gone")
        self.settled(found.end.destination)

    _check_receive_body = _check_drain = _check_receive

    def _note_receive(self, step: Step, got: dict[str, Any]) -> None:
        consumer = self.consumers[step.args["on"]]
        found = got.get("got")
        if found is None:
            return
        self._hold(consumer)
        if step.name is not None:
            session = consumer.session
            self.messages[step.name] = Message(step.name, found["kind"], receiver=session, epoch=session.epoch)

    def _note_receive_body(self, step: Step, got: dict[str, Any]) -> None:
        if got.get("got") is not None:
            self._hold(self.consumers[step.args["on"]])

    def _note_drain(self, step: Step, got: dict[str, Any]) -> None:
        if got.get("got"):
            self._hold(self.consumers[step.args["on"]])

    def _hold(self, consumer: Consumer) -> None:
        if consumer.session.mode in {"client", "transacted"}:
            consumer.session.held[consumer.end.key] = consumer.end

    def _check_listen(self, args: dict[str, Any]) -> None:
        found = self.consumers[args["on"]]
        session = self.usable(found.session.name)
        if found.state == "open" and found.listening:
            raise OpenOutcome("to change a listener is left open")  # 8.7-17
        if found.state != "open" and not session.connection.simplified:
            return
        does = args.get("does", "take")
        if (does == "acknowledge" and session.mode != "client") or (does == "commit" and session.mode != "transacted"):
            raise OpenOutcome("nothing to settle so")

    def _note_listen(self, step: Step, _: object) -> None:
        found = self.consumers[step.args["on"]]
        found.listening = True
        found.session.listening.add(found.name)
        self._hold(found)

    def _check_unlisten(self, args: dict[str, Any]) -> None:
        found = self.consumers[args["on"]]
        self.usable(found.session.name)
        if found.state != "open":
            raise OpenOutcome("nothing to be learned")

    def _note_unlisten(self, step: Step, _: object) -> None:
        found = self.consumers[step.args["on"]]
        found.listening = False
        found.session.listening.discard(found.name)

    # -- browsing --------------------------------------------------------------------------------------------------

    def _check_browser(self, args: dict[str, Any]) -> None:
        session = self.usable(args["on"])
        found = self.reachable(args.get("of"), session.connection)
        if found is not None and (found.deleted or found.kind != "queue"):
            raise OpenOutcome("there is nothing to browse")

    def _note_browser(self, step: Step, _: object) -> None:
        session = self.sessions[step.args["on"]]
        self.browsers[step.name or ""] = Browser(step.name or "", session, self.destinations[step.args["of"]])

    def _check_browse(self, args: dict[str, Any]) -> None:
        found = self.browsers[args["on"]]
        session = self.usable(found.session.name)
        if found.state != "open" or not session.connection.started:
            raise OpenOutcome("what a browser shows then is left open")
        if found.queue.deleted:
            raise OpenOutcome("its queue is gone")
        self.settled(found.queue)

    _check_enumerate = _check_next = _check_browse

    def _note_enumerate(self, step: Step, _: object) -> None:
        found = self.browsers[step.args["on"]]
        self.browsers[step.name or ""] = Browser(step.name or "", found.session, found.queue, enumeration=True)

    def quiet(self, queue: str) -> bool:
        """Return whether nobody consumes from a queue, and nobody has messages of it in hand."""
        end = self.endpoints.get(queue)
        held = any(queue in each.held for each in self.sessions.values() if each.state == "open")
        return not held and (end is None or not end.consumers)

    def _check_select(self, args: dict[str, Any]) -> None:
        session = self.usable(args["on"])
        queue = self.reachable(args["of"], session.connection)
        if session.state != "open" or not session.connection.started or session.connection.api == "topic":
            raise OpenOutcome("what a browser shows then is left open")
        if queue is None or queue.deleted or queue.kind != "queue":
            raise OpenOutcome("there is nothing to browse")
        self.settled(queue)

    # -- waiting and asking ----------------------------------------------------------------------------------------

    def _check_close_waiting(self, args: dict[str, Any]) -> None:
        found = self.consumers[args["on"]]
        if found.state != "open" or found.session.listening or found.session.running or found.end.contended:
            raise OpenOutcome("nothing waits there")
        connection = found.session.connection
        if args["of"] not in {found.name, found.session.name, connection.name}:
            raise OpenOutcome("it would not end the receive")
        contexts = [each for each in self.sessions.values() if each.connection is connection and each.state == "open"]
        if connection.simplified and args["of"] == connection.name != found.session.name and len(contexts) > 1:
            raise OpenOutcome("it would not end the receive")
        self.settled(found.end.destination)

    def _note_close_waiting(self, step: Step, _: object) -> None:
        self._note_close(Step("close", {"on": step.args["of"]}), None)

    def _check_request(self, args: dict[str, Any]) -> None:
        session = self.usable(args["on"])
        if session.state != "open" or session.connection.api not in {"queue", "topic"} or session.listening:
            raise OpenOutcome("a requestor needs a session of its domain")
        if (
            session.mode not in {"auto", "dups_ok"}
            or not session.connection.started
            or session.consumers_of(self.consumers)
        ):
            raise OpenOutcome("a requestor assumes automatic acknowledgement")  # 9.2-35

    def _note_request(self, step: Step, _: object) -> None:
        self._close_session(self.sessions[step.args["on"]])

    # -- subscriptions ---------------------------------------------------------------------------------------------

    def _check_unsubscribe(self, args: dict[str, Any]) -> None:
        session = self.usable(args["on"])
        end = self.endpoints.get(f"durable {session.connection.client_id or ''}/{args.get('name')}")
        if end is None or session.state != "open":
            return
        if end.consumers or any(end.key in each.held for each in self.sessions.values() if each.state == "open"):
            raise OpenOutcome("to unsubscribe what is in use is left open")  # 8.3.3-20 to 8.3.3-22, 8.3.4-18, 8.3.4-19

    def _note_unsubscribe(self, step: Step, _: object) -> None:
        client = self.sessions[step.args["on"]].connection.client_id or ""
        self.endpoints.pop(f"durable {client}/{step.args.get('name')}", None)

    # -- getters ---------------------------------------------------------------------------------------------------

    def _check_get(self, args: dict[str, Any]) -> None:
        name = args["on"]
        if name in self.connections or name in self.sessions:
            self._alive(name)
            return
        found = self.consumers.get(name) or self.producers.get(name) or self.browsers.get(name)
        if found is None:
            return
        self.usable(found.session.name)
        simplified = found.session.connection.simplified
        if found.state != "open" and (isinstance(found, Browser) or (simplified and not isinstance(found, Consumer))):
            raise OpenOutcome("what it says then is left open")

    def _check_state(self, args: dict[str, Any]) -> None:
        name = args["on"]
        if name in self.sessions or name in self.connections:
            self._alive(name)
            found_state = self.sessions[name].state if name in self.sessions else self.connections[name].state
            if found_state != "open" or (name in self.sessions and self.sessions[name].running):
                raise OpenOutcome("it is closed, or in use")
            return
        found = self.consumers.get(name) or self.producers.get(name) or self.browsers[name]
        if found.state != "open" or found.session.running or (isinstance(found, Browser) and found.enumeration):
            raise OpenOutcome("it is closed, or in use")


def same_terms(end: Endpoint, args: dict[str, Any]) -> bool:
    """Return whether a consumer asks for the selector and noLocal that a subscription has."""
    return end.selector == (args.get("selector") or None) and end.no_local == bool(args.get("no_local"))
