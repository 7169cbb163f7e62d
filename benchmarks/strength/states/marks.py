"""The states met so far in a program, and the history that decides the next ones."""

from __future__ import annotations

from benchmarks.strength.states.history import End, History
from tck.programs.program import Json
from tck.programs.state.objects import Consumer, Session


class Marks:
    """The states met so far."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.history = History()

    def add(self, *names: str) -> None:
        """Note states; a name that is in no table does not count."""
        self.found.update(names)

    def when(self, holds: object, *names: str) -> None:
        """Note states if something holds."""
        if holds:
            self.found.update(names)

    def kind_of(self, destination: str) -> str:
        """Return ``queue`` or ``topic``."""
        found = self.history.rules.destinations.get(destination)
        return "queue" if found is None else found.kind

    def delivered(self, consumer: Consumer, view: Json, way: str) -> None:
        """Note a message that a consumer was given by `receive`, `drain` or a listener."""
        end, session = self.history.end(consumer.end), consumer.session
        key = view["send"] if view["send"] is not None else repr(view.get("body"))
        self._again(end, key, consumer, way)
        end.times[key] = end.times.get(key, 0) + 1
        end.holders[key] = consumer.name
        if session.mode in {"client", "transacted"}:
            end.held[key] = session.name
        if isinstance(key, int) and key < len(self.history.sendings):
            self.history.sendings[key].waits = False
        self.history.count("taken", session.name)
        self._competing(end, consumer, way)
        self._view(view)

    def _again(self, end: End, key: Json, consumer: Consumer, way: str) -> None:
        if key not in end.times:
            return
        for cause in end.causes.get(key, ()):
            self.add(f"again after {cause} by {way}", f"again {end.kind} {cause}")
            self.when(end.holders[key] != consumer.name, f"again to another consumer after {cause}")
            self.when(end.times[key] > 1, f"again twice after {cause}")

    def _competing(self, end: End, consumer: Consumer, way: str) -> None:
        others = {name: other for name, other in end.takers.items() if name != consumer.name}
        rules = self.history.rules
        for name, other in others.items():
            found = rules.consumers[name]
            if found.state != "open":
                continue
            same = found.session is consumer.session
            self.add(f"compete {end.kind} {'one session' if same else 'two sessions'}")
            self.when("listener" in {way, other}, f"compete {end.kind} listener")
            self.when(any("rollback" in each for each in end.causes.values()), f"compete {end.kind} after rollback")
        end.takers[consumer.name] = way

    def _view(self, view: Json) -> None:
        headers = view["headers"]
        if headers.get("JMSRedelivered") is True:
            self.add(f"again kind {view['kind']}")
        self.when(headers.get("JMSType") not in (None, ["null", None]), "received with type")
        self.when(headers.get("JMSReplyTo"), "received with reply_to")
        self.when(headers.get("JMSCorrelationID") not in (None, ["null", None]), "received with correlation")
        given = self.given(view["send"])
        self.when("correlation_native" in given, "received with correlation_native")
        self.when({"id", "timestamp", "mode", "priority", "expiration"} & set(given), "received with preset")

    def given(self, send: Json) -> Json:
        """Return the headers that the program set on a message that it sent."""
        if not isinstance(send, int) or send >= len(self.history.sendings):
            return {}
        return self.history.sendings[send].headers

    def sessions(self) -> list[Session]:
        """Return the open sessions."""
        return [each for each in self.history.rules.sessions.values() if each.state == "open"]
