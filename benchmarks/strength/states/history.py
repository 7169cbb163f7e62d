"""What a program has done with its messages so far, by endpoint and session: what waits, was delivered, and was given back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tck.programs.legality import Rules
from tck.programs.program import Json, Step
from tck.programs.state.objects import FOREVER, Capabilities, Endpoint, Producer


@dataclass(slots=True)
class Sending:
    """A send. `waits`: nobody has received it so far."""

    number: int
    kind: str
    to: str
    mode: int
    priority: int
    ttl: int
    delay: int
    session: str
    headers: Mapping[str, Json] = field(default_factory=dict)
    waits: bool = True

    @property
    def expires(self) -> bool:
        """Whether it expires within the program."""
        return 0 < self.ttl < FOREVER

    @property
    def delayed(self) -> bool:
        """Whether it falls due within the program."""
        return 0 < self.delay < FOREVER


@dataclass(slots=True)
class End:
    """What was seen at an endpoint. `causes`: what gave messages back since they were delivered."""

    kind: str
    of: str
    causes: dict[Json, set[str]] = field(default_factory=dict)
    holders: dict[Json, str] = field(default_factory=dict)
    times: dict[Json, int] = field(default_factory=dict)
    takers: dict[str, str] = field(default_factory=dict)
    held: dict[Json, str] = field(default_factory=dict)
    failure: str | None = None


class History:
    """The state of a program under way, and what happened to its messages."""

    def __init__(self) -> None:
        self.rules = Rules(Capabilities((), (), (), virtual=True))
        self.sendings: list[Sending] = []
        self.ends: dict[str, End] = {}
        self.steps: list[Step] = []
        self.settings: dict[str, dict[str, Json]] = {}
        self.made: dict[str, Step] = {}
        self.counts: dict[tuple[str, str], int] = {}

    def count(self, *key: str) -> int:
        """Count a thing; return how often it was counted, this time included."""
        name = (key[0], " ".join(key[1:]))
        self.counts[name] = self.counts.get(name, 0) + 1
        return self.counts[name]

    def counted(self, *key: str) -> int:
        """Return how often a thing was counted."""
        return self.counts.get((key[0], " ".join(key[1:])), 0)

    def clear(self, *key: str) -> None:
        """Begin to count a thing anew."""
        self.counts.pop((key[0], " ".join(key[1:])), None)

    def end(self, found: Endpoint) -> End:
        """Return what was seen at an endpoint."""
        return self.ends.setdefault(found.key, End(found.kind, found.destination.name))

    def sent(self, step: Step, kind: str, count: int = 1) -> Iterator[Sending]:
        """Record a send; yield each message of it."""
        producer: Producer = self.rules.producers[step.args["on"]]
        given = self.settings.get(producer.name, {})
        to = step.args.get("to") or (producer.destination.name if producer.destination else "")
        found = self.rules.destinations.get(to)
        options: dict[str, Json] = {
            "mode": step.args.get("mode", given.get("mode", 2)),
            "priority": step.args.get("priority", given.get("priority", 4)),
            "ttl": step.args.get("ttl", producer.ttl),
            "delay": producer.delay,
            **({} if found is None else found.prescribed),
        }
        for _ in range(count):
            made = Sending(
                len(self.sendings),
                kind,
                to,
                options["mode"],
                options["priority"],
                options["ttl"],
                options["delay"],
                producer.session.name,
                self.arguments(step.args.get("message")).get("headers", {}),
            )
            self.sendings.append(made)
            yield made

    def waiting(self) -> list[Sending]:
        """Return the messages that nobody has received."""
        return [each for each in self.sendings if each.waits]

    def given_back(self, cause: str, session: str) -> None:
        """Record that a session has given back what it had received and not settled."""
        for end in self.ends.values():
            for message, holder in list(end.held.items()):
                if holder == session:
                    end.causes.setdefault(message, set()).add(cause)
                    del end.held[message]

    def settle(self, session: str) -> None:
        """Record that a session has settled what it had received."""
        for end in self.ends.values():
            for message in [each for each, holder in end.held.items() if holder == session]:
                del end.held[message]
                end.causes.pop(message, None)

    def held_by(self, session: str) -> list[str]:
        """Return the endpoints of which a session has unsettled messages, each once for a message."""
        return [key for key, end in self.ends.items() for holder in end.held.values() if holder == session]

    def arguments(self, name: str | None) -> Mapping[str, Json]:
        """Return the arguments of the step that made an object."""
        found = self.made.get(name or "")
        return {} if found is None else found.args
