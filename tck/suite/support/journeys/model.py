"""The axes of a journey, their values, and the combinations that no journey may have, each with its reason: all as data.

Knows nothing of providers and cases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Final

from tck.catalogue.versions import ASYNCHRONOUS_SENDS, DELIVERY_DELAYS, SHARED_SUBSCRIPTIONS, offers


@dataclass(frozen=True, slots=True)
class Journey:
    """One combination of conditions; each field is an axis, described in `AXES`."""

    interface: str
    place: str
    delivery: str
    ack: str
    receipt: str
    provenance: str
    sending: str
    session: str
    mode: str
    priority: str
    ttl: str
    delay: str
    ids: str
    timestamps: str
    producer: str
    setting: str
    consumer: str
    selector: str
    look: str
    no_local: str

    @property
    def conditions(self) -> Mapping[str, str]:
        """Return the value of each axis, by the axis's name."""
        return {axis.name: getattr(self, axis.name) for axis in fields(self)}

    @property
    def domain(self) -> str:
        """`queue` or `topic`."""
        return "queue" if self.place == "queue" else "topic"

    @property
    def sends_in_transaction(self) -> bool:
        """Whether the sending session is transacted."""
        return self.sending.endswith("transacted")

    @property
    def asynchronous(self) -> bool:
        """Whether messages are sent with a completion listener."""
        return self.sending.startswith("asynchronous")

    @property
    def sent_on(self) -> bool:
        """Whether the messages were received before they are sent."""
        return self.provenance.startswith("sent on")

    @property
    def lasting(self) -> bool:
        """Whether messages wait at the destination without a consumer."""
        return self.place in LASTING

    @property
    def repeats(self) -> bool:
        """Whether messages are delivered, returned and delivered again."""
        return self.delivery in REPEATED or (self.broken and self.ack in UNSETTLED and self.consumer == "before")

    @property
    def broken(self) -> bool:
        """Whether the link or the provider fails on the way."""
        return self.delivery in BREAKS

    def offered(self, version: str) -> bool:
        """Whether a version of the specification has all that the journey needs."""
        needs = [self.interface]
        needs += [DELIVERY_DELAYS] if self.delay != "none" else []
        needs += [ASYNCHRONOUS_SENDS] if self.asynchronous else []
        needs += [SHARED_SUBSCRIPTIONS] if self.place in SHARED else []
        return all(offers(version, part) for part in needs)


AXES: Final[Mapping[str, Sequence[str]]] = {
    "interface": ("classic", "simplified", "domain-specific"),
    "place": ("queue", "topic", "durable", "shared", "shared durable"),
    "delivery": (
        "first",
        "after rollback",
        "after recover",
        "after a failed listener",
        "after a closed consumer",
        "after a closed session",
        "after a severed link",
        "after a restart",
        "after a kill",
    ),
    "ack": ("auto", "client", "dups_ok", "transacted"),
    "receipt": ("receive", "receive with timeout", "receive without wait", "listener", "receive body"),
    "provenance": ("fresh", "sent twice", "filled again", "sent on", "sent on after redelivery", "foreign"),
    "sending": ("synchronous", "asynchronous", "transacted", "asynchronous transacted"),
    "session": ("same session", "other session", "other connection"),
    "mode": ("persistent", "non-persistent"),
    "priority": ("default", "lowest", "highest", "mixed"),
    "ttl": ("none", "long", "some expire"),
    "delay": ("none", "short"),
    "ids": ("enabled", "disabled"),
    "timestamps": ("enabled", "disabled"),
    "producer": ("identified", "unidentified"),
    "setting": ("producer", "arguments"),
    "consumer": ("before", "after", "resumed"),
    "selector": ("none", "property", "header"),
    "look": ("none", "browser"),
    "no_local": ("no", "yes"),
}
"""The values of each axis. `consumer` is when it is opened: before or after the send, or on a subscription that another made."""

LASTING: Final = frozenset({"queue", "durable", "shared durable"})
"""Places that keep messages without a consumer."""
SHARED: Final = frozenset({"shared", "shared durable"})
"""Places that came with 2.0."""
IN_ONE_SESSION: Final = frozenset({"after rollback", "after recover", "after a failed listener"})
"""Deliveries for the second time to the same session."""
REPEATED: Final = frozenset({*IN_ONE_SESSION, "after a closed consumer", "after a closed session"})
"""Deliveries that a message has for the second time."""
BREAKS: Final = frozenset({"after a severed link", "after a restart", "after a kill"})
"""Deliveries after a failure."""
UNSETTLED: Final = frozenset({"client", "transacted"})
"""Acknowledge modes in which the client settles."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A combination that no journey has: it holds where each axis named has one of the values named."""

    reason: str
    values: Mapping[str, frozenset[str]]

    def meets(self, conditions: Mapping[str, str]) -> bool:
        """Whether these conditions, which may be a part of a journey's, are excluded for certain."""
        return all(conditions.get(axis) in values for axis, values in self.values.items())


def _not(axis: str, *values: str) -> frozenset[str]:
    return frozenset(AXES[axis]) - set(values)


def _excluded(reason: str, **values: str | Sequence[str] | frozenset[str]) -> Exclusion:
    return Exclusion(
        reason,
        {axis: frozenset((found,) if isinstance(found, str) else found) for axis, found in values.items()},
    )


_ASYNCHRONOUS: Final = ("asynchronous", "asynchronous transacted")
_SENDS_TRANSACTED: Final = ("transacted", "asynchronous transacted")

EXCLUSIONS: Final[Sequence[Exclusion]] = (
    # -- what an interface has not
    _excluded("the catalogue has no asynchronous sends for it", interface="domain-specific", sending=_ASYNCHRONOUS),
    _excluded(
        "a TopicSession of 2.0 opens no shared consumers",
        interface="domain-specific",
        place=("shared", "shared durable"),
    ),
    _excluded("a send of a JMSProducer has no arguments for them", interface="simplified", setting="arguments"),
    _excluded("each send of a JMSProducer names a destination", interface="simplified", producer="identified"),
    _excluded("JMSConsumer alone has it", receipt="receive body", interface=_not("interface", "simplified")),
    # -- sessions
    _excluded(
        "one session is transacted or not",
        session="same session",
        sending=_SENDS_TRANSACTED,
        ack=_not("ack", "transacted"),
    ),
    _excluded(
        "one session is transacted or not",
        session="same session",
        sending=("synchronous", "asynchronous"),
        ack="transacted",
    ),
    _excluded("a session with a listener is its listener's", session="same session", receipt="listener"),
    # -- subscriptions
    _excluded(
        "only lasting places keep messages for a consumer that comes later",
        consumer=("after", "resumed"),
        place=("topic", "shared"),
    ),
    _excluded(
        "a subscription must be there before the send; `resumed` opens it twice",
        consumer="after",
        place=("durable", "shared durable"),
    ),
    _excluded("a queue has no subscription", consumer="resumed", place="queue"),
    _excluded("noLocal belongs to unshared subscriptions", no_local="yes", place=("queue", "shared", "shared durable")),
    _excluded(
        "noLocal hides what the own connection sends", no_local="yes", session=_not("session", "other connection")
    ),
    _excluded("browsers are for queues", look="browser", place=_not("place", "queue")),
    _excluded(
        "an open consumer may hold messages that a browser then does not show",
        look="browser",
        consumer=_not("consumer", "after"),
    ),
    # -- deliveries
    _excluded("rollback needs a transaction", delivery="after rollback", ack=_not("ack", "transacted")),
    _excluded(
        "a session that is transacted or acknowledges by itself recovers nothing",
        delivery="after recover",
        ack=_not("ack", "client"),
    ),
    _excluded("only a listener fails", delivery="after a failed listener", receipt=_not("receipt", "listener")),
    _excluded(
        "a failure of a listener returns messages where its session settles them by itself",
        delivery="after a failed listener",
        ack=_not("ack", "auto"),
    ),
    _excluded(
        "two copies of one object cannot always be told apart while some of them fail",
        delivery="after a failed listener",
        provenance="sent twice",
    ),
    _excluded(
        "only a rollback returns what a closed consumer received",
        delivery="after a closed consumer",
        ack=_not("ack", "transacted"),
    ),
    _excluded(
        "only an open transaction or missing acknowledgement returns messages",
        delivery="after a closed session",
        ack=("auto", "dups_ok"),
    ),
    _excluded(
        "without a consumer the messages would be gone",
        delivery=("after a closed consumer", "after a closed session", *BREAKS),
        place=("topic", "shared"),
    ),
    _excluded(
        "the sender must live on", session="same session", delivery=("after a closed session", "after a severed link")
    ),
    _excluded("the sender must live on", session="other session", delivery="after a severed link"),
    _excluded(
        "a listener's session may be settled in its listener only",
        receipt="listener",
        delivery=("after a closed consumer", "after a closed session"),
    ),
    _excluded(
        "a listener has no moment between two deliveries at which all is still",
        receipt="listener",
        delivery=BREAKS,
        consumer="before",
    ),
    # -- bodies without headers
    _excluded("a body is known by its place in the order alone", receipt="receive body", priority="mixed"),
    _excluded("a body is known by its place in the order alone", receipt="receive body", delay="short"),
    _excluded(
        "a body is known by its place in the order alone", receipt="receive body", delivery=_not("delivery", "first")
    ),
    # -- time
    _excluded("only what nobody receives expires for certain", ttl="some expire", consumer="before"),
    _excluded("a delay and an expiry in one journey would depend on each other", ttl="some expire", delay="short"),
    # -- provenance
    _excluded(
        "one object cannot be on its way twice before the first completed",
        provenance=("sent twice", "filled again"),
        sending=_ASYNCHRONOUS,
    ),
    _excluded(
        "a message of foreign make is the client's own object in every call",
        provenance="foreign",
        receipt="receive body",
    ),
    _excluded(
        "a failure may lose NON_PERSISTENT messages",
        mode="non-persistent",
        delivery=("after a restart", "after a kill"),
    ),
)
"""Combinations that are illegal, impossible, or leave nothing to judge."""

TRIPLES: Final[Sequence[tuple[str, str, str]]] = (
    ("place", "delivery", "ack"),
    ("interface", "sending", "provenance"),
    ("interface", "place", "receipt"),
)
"""Axes of which all allowed triples are met as well; of all other axes, all allowed pairs."""


def excluded(conditions: Mapping[str, str]) -> Exclusion | None:
    """Return an exclusion that these conditions meet, if any."""
    return next((found for found in EXCLUSIONS if found.meets(conditions)), None)
