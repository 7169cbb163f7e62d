"""Rules for plans beyond their schema: names exist and are used once, keys fit together.

May import the model and the syntax of selectors; reads no file.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from tck.catalogue.errors import did_you_mean
from tck.workload.model import ConsumerPlan, DestinationPlan, Plan, ProducerPlan, expanded
from tck.workload.selector import SelectorError, check_selector, is_identifier

Where = tuple[str | int, ...]
Broken = tuple[Where, str]


def broken_rules(plan: Plan, content: Mapping[str, Any]) -> Iterator[Broken]:
    """Yield each broken rule: its place, and the expectation.

    Args:
        plan: The plan.
        content: The document it was read from, without defaults.
    """
    yield from _names(plan)
    for number, message_kind in enumerate(plan.messages_of):
        yield from _of_properties((*_at("message", number), "properties"), message_kind.properties)
        if message_kind.delay[1] >= plan.drain * 1000:
            yield (
                (*_at("message", number), "delay"),
                f"drain is {plan.drain:g} s, too short for this delay",
            )
    sources = {each.name: each.kind for each in plan.destinations}
    room = {each.name: each.count for each in plan.destinations}
    for number, producer in enumerate(plan.producers):
        yield from (((*_at("producer", number), key), text) for key, text in _of_producer(producer))
    for number, consumer in enumerate(plan.consumers):
        given = content["consumer"][number]
        broken = _of_consumer(consumer, sources[consumer.source], room[consumer.source], given)
        yield from (((*_at("consumer", number), key), text) for key, text in broken)
        if consumer.selector:
            yield from _of_selector((*_at("consumer", number), "selector"), consumer.selector)
    for number, browser in enumerate(plan.browsers):
        if not sources[browser.source].endswith("queue"):
            yield (*_at("browser", number), "from"), f"{browser.source} is a {sources[browser.source]}; browse a queue"
        if browser.after and browser.after not in {
            each.name for each in plan.producers if each.session == "transacted"
        }:
            yield (*_at("browser", number), "after"), f'"{browser.after}" is not a producer with session = "transacted"'
    yield from _endless_forwards(plan)
    yield from _of_faults(plan)


def _at(key: str, number: int) -> Where:
    return (key, number)


# -- names -------------------------------------------------------------------------------------------------------------


def _names(plan: Plan) -> Iterator[Broken]:
    """Names are used once, and referenced names exist; later rules depend on it, so the first broken one must end the check."""
    actors = {
        "producer": [each.name for each in plan.producers],
        "consumer": [each.name for each in plan.consumers],
        "browser": [each.name for each in plan.browsers],
    }
    yield from _unique_names({"destination": [each.name for each in plan.destinations]})
    yield from _distinct_destinations(plan)
    yield from _unique_names({"message": [each.name for each in plan.messages_of]})
    yield from _unique_names(actors)
    destinations, message_kinds = [each.name for each in plan.destinations], [each.name for each in plan.messages_of]
    for number, producer in enumerate(plan.producers):
        yield from _names_exist((*_at("producer", number), "to"), producer.to, destinations)
        yield from _names_exist((*_at("producer", number), "messages"), producer.messages, message_kinds)
    for number, consumer in enumerate(plan.consumers):
        yield from _names_exist((*_at("consumer", number), "from"), (consumer.source,), destinations)
        yield from _names_exist((*_at("consumer", number), "accepts"), consumer.accepts, message_kinds)
        yield from _names_exist((*_at("consumer", number), "forward"), filter(None, (consumer.forward,)), destinations)
    for number, browser in enumerate(plan.browsers):
        yield from _names_exist((*_at("browser", number), "from"), (browser.source,), destinations)
    for number, fault in enumerate(plan.faults):
        yield from _names_exist((*_at("fault", number), "of"), fault.of, list(chain(*actors.values())))


def _unique_names(names: Mapping[str, Sequence[str]]) -> Iterator[Broken]:
    seen: set[str] = set()
    for key, listed in names.items():
        for number, name in enumerate(listed):
            if name in seen:
                yield (*_at(key, number), "name"), f'"{name}" is used twice; use each name once'
            seen.add(name)


def _distinct_destinations(plan: Plan) -> Iterator[Broken]:
    """No two destinations have one name after numbering by `count`. Labels of actors always end in a number, so they differ."""
    owner: dict[str, str] = {}
    for number, each in enumerate(plan.destinations):
        for name in expanded(each):
            if name in owner:
                of = f"of {each.name}, count {each.count}, and of {owner[name]}"
                yield (*_at("destination", number), "name"), f'"{name}" would be a destination {of}; rename one of them'
                break
            owner[name] = each.name


def _names_exist(where: Where, names: Any, known: Collection[str]) -> Iterator[Broken]:  # noqa: ANN401 - any iterable of names
    for name in names:
        if name not in known:
            listed = sorted(known)
            yield where, f'nothing is called "{name}"{did_you_mean(name, listed)}; there are {", ".join(listed)}'


# -- keys that go together ---------------------------------------------------------------------------------------------


def _of_producer(plan: ProducerPlan) -> Iterator[tuple[str, str]]:
    rules = (
        (
            "asynchronous",
            plan.asynchronous and plan.session == "xa",
            "not with an XA session; remove one of the two",
        ),
        ("rollback", plan.rollback and plan.session == "auto", 'needs session = "transacted" or "xa"'),
        ("lifetime", max(plan.lifetime) and plan.session == "xa", "not with an XA session; remove one of the two"),
        ("closes", plan.closes == "session" and plan.api == "simplified", "a context has one close; leave it out"),
        (
            "api",
            plan.api == "simplified" and plan.session == "xa",
            'XA producers use the classic API; take api = "classic"',
        ),
    )
    yield from ((key, text) for key, broken, text in rules if broken)


def _of_consumer(plan: ConsumerPlan, kind: str, room: int, given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    durable = plan.subscription in ("durable", "shared-durable")
    listens, settles = plan.how == "listener", plan.session in ("transacted", "client", "xa")
    temporary = kind.startswith("temporary")
    rules = (
        (
            "subscription",
            kind.endswith("queue") and "subscription" in given,
            f"{plan.source} is a {kind}; leave it out",
        ),
        ("subscription", kind == "temporary-topic" and durable, "a temporary topic has no durable subscriptions"),
        (
            "trespass",
            plan.trespass and not temporary,
            f"{plan.source} is a {kind}; only temporary destinations have owners",
        ),
        (
            "trespass",
            plan.trespass and (listens or plan.session != "auto"),
            'needs how = "receive" and session = "auto"',
        ),
        (
            "rival",
            plan.rival and (plan.subscription != "durable" or listens or plan.session == "xa"),
            'needs subscription = "durable", how = "receive", and no XA session',
        ),
        (
            "count",
            temporary and not plan.trespass and plan.count > room,
            f"each consumer owns a temporary destination; {plan.source} has {room}",
        ),
        (
            "accepts",
            plan.accepts and not plan.selector,
            "lists the messages that the selector accepts; there is not a selector",
        ),
        ("rollback", plan.rollback and not settles, 'needs session = "transacted", "client" or "xa"'),
        (
            "fail",
            plan.fail and (not listens or settles),
            'needs how = "listener" and session = "auto" or "dups-ok"',
        ),
        ("pause", plan.pause and not listens, 'needs how = "listener"'),
        ("together", plan.together and plan.session == "xa", "not with an XA session; remove one of the two"),
        (
            "session",
            plan.session == "xa" and (listens or plan.per_session > 1),
            'an XA consumer receives, and is alone in its session; take how = "receive"',
        ),
        (
            "per_session",
            plan.per_session > 1 and (not listens or plan.subscription == "durable"),
            'needs how = "listener", and no unshared durable subscription',
        ),
        (
            "subscriptions",
            plan.subscription.startswith("shared")
            and plan.count > plan.subscriptions
            and plan.subscriptions % room > 0,
            f"a subscription has one topic, and {plan.source} has {room}; give a multiple of {room}",
        ),
        ("unsubscribe", plan.unsubscribe and not durable, "needs a durable subscription"),
        ("unsubscribe", plan.unsubscribe and not max(plan.lifetime), "happens at the end of a lifetime; give one"),
    )
    yield from ((key, text) for key, broken, text in rules if broken)


def _of_faults(plan: Plan) -> Iterator[Broken]:
    for number, fault in enumerate(plan.faults):
        times = [name for name in ("at", "every", "random") if getattr(fault, name)]
        if len(times) != 1:
            yield _at("fault", number), f"expected one of at, every, random; saw {', '.join(times) or 'none'}"
        if fault.of and fault.kind != "sever":
            yield (*_at("fault", number), "of"), f"{fault.kind} affects the whole provider; leave it out"


def _of_selector(where: Where, text: str) -> Iterator[Broken]:
    try:
        check_selector(text)
    except SelectorError as error:
        yield where, f'"{text}" is not a selector (3.8.1.1): {error}'


# -- properties --------------------------------------------------------------------------------------------------------

_JMSX: Final = {"JMSXGroupID": str, "JMSXGroupSeq": int}
"""Names with JMS that a client may set, each with its type."""
_OURS: Final = "tckMsg"
"""The property with the kit's number of the message."""


def _of_properties(where: Where, properties: Mapping[str, Any]) -> Iterator[Broken]:
    for name, value in properties.items():
        here, bits = (*where, name), 32 if name in _JMSX else 64
        if name.startswith("JMS"):
            if type(value) is not _JMSX.get(name):
                yield (
                    here,
                    "names with JMS are reserved, except JMSXGroupID (a text) and JMSXGroupSeq (a number)",
                )
        elif not is_identifier(name):
            yield (
                here,
                f'"{name}" is not a valid property name (3.8.1.1): letters, digits, _ and $, no digit first, no reserved word',
            )
        elif name == _OURS:
            yield here, "the kit numbers messages by this property; take another name"
        if not isinstance(value, str | int | float):
            yield here, "expected a text, a number, true or false"
        elif isinstance(value, int) and not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            yield here, f"expected a whole number of at most {bits} bits"
        elif isinstance(value, float) and not math.isfinite(value):
            yield here, f"expected a finite number; saw {value}"


# -- forwarding --------------------------------------------------------------------------------------------------------

_HOPS: Final = 100
"""After this many hops a circle of forwards must have lost its messages."""
_NEGLIGIBLE: Final = 0.01
"""A smaller share of a message, on average, counts as lost."""
_REPEATS: Final = 0.2
"""A message that is returned again and again is forwarded at most five times by its consumer."""


def _endless_forwards(plan: Plan) -> Iterator[Broken]:
    """A circle of forwards must lose messages: otherwise work never ends, and a virtual clock never advances."""
    passed: dict[str, dict[str, float]] = {each.name: {} for each in plan.destinations}
    for destination in plan.destinations:
        for consumer in plan.consumers:
            if consumer.source == destination.name and consumer.forward and consumer.forward_share:
                before = passed[destination.name].get(consumer.forward, 0.0)
                share = consumer.forward_share * _copies(consumer, destination)
                add = max if destination.kind.endswith("queue") else float.__add__
                passed[destination.name][consumer.forward] = add(before, share)
    for number, consumer in enumerate(plan.consumers):
        if consumer.forward and _share_returning(passed, consumer.source) > _NEGLIGIBLE:
            text = f"messages of {consumer.source} would be forwarded in a circle without end"
            yield (*_at("consumer", number), "forward"), f"{text}; forward elsewhere, or lower forward_share"


def _copies(consumer: ConsumerPlan, destination: DestinationPlan) -> float:
    """How often the consumers of a group receive one message, on average and at most."""
    again = max(_REPEATS, 1 - consumer.rollback) if consumer.session == "client" else 1.0
    if destination.kind.endswith("queue"):
        return 1 / again
    shared = consumer.subscription.startswith("shared")
    return (min(consumer.count, consumer.subscriptions) if shared else consumer.count) / destination.count / again


def _share_returning(passed: Mapping[str, Mapping[str, float]], start: str) -> float:
    """The share of one message to a destination that still returns to it after many hops."""
    there, back = {start: 1.0}, 0.0
    for hop in range(_HOPS + len(passed)):
        coming: dict[str, float] = {}
        for name, much in there.items():
            for to, share in passed[name].items():
                coming[to] = coming.get(to, 0.0) + much * share
        there = coming
        back += there.get(start, 0.0) if hop >= _HOPS else 0
    return back
