"""Which messages selectors choose at a provider.

On a queue each selector browses the same messages, to the end of the browser. On a topic each has a consumer, and a
fence follows the messages: a second copy of one that the selector wants, or, for a selector that wants none,
`(selector) OR tck_fence IS NOT NULL` and a message with that property.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tck import api
from tck.catalogue.versions import OLDEST
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.clients.client import Consumer
from tck.suite.support.clients.link import Link
from tck.suite.support.harness.outcome import Broken, Undecided
from tck.suite.support.values.seen import body

Sample: TypeAlias = Mapping[str, object]
Samples: TypeAlias = dict[str, dict[str, object]]
"""Messages by name, as tests write them."""

_COPY = "a copy of one that is wanted"
_FENCE = "fence"
_UNENDED = "(and nothing after)"
"""What stands at the end of a choice whose end never came."""
_HEADERS: Mapping[str, str] = {
    "JMSType": "jms_type",
    "JMSCorrelationID": "jms_correlation_id",
    "JMSReplyTo": "jms_reply_to",
}
_OPTIONS: Mapping[str, str] = {"JMSPriority": "priority", "JMSDeliveryMode": "mode"}
_SETTERS: Mapping[type, str] = {
    bool: "boolean",
    int: "int",
    float: "double",
    str: "string",
    type(None): "string",
    api.Byte: "byte",
    api.Short: "short",
    api.Int: "int",
    api.Long: "long",
    api.Float: "float",
    api.Double: "double",
}


def chosen(
    case: Case, samples: Mapping[str, Sample], wanted: Mapping[str, str], *, fenced: bool = False
) -> dict[str, str]:
    """Show which samples each selector of `wanted` chooses; it judges only that the selectors are accepted.

    Args:
        case: the running case.
        samples: the messages, by name.
        wanted: selectors, each with the names it should choose, divided by blanks.
        fenced: on a topic, fence every selector by a property, for samples that may overtake each other.

    Raises:
        Undecided: the messages cannot be seen without a selector either.
    """
    if case.domain == "queue":
        return _browsed(case, samples, wanted)
    return _delivered(case, samples, wanted, fenced=fenced)


def refused(case: Case, texts: Iterable[str], *, neighbour: str) -> None:
    """Demand that a consumer with each of these selectors is refused, after one with `neighbour` was seen accepted."""
    link = case.link(consumes=False)
    for text in texts:
        expect.raises(
            case.thrown(api.InvalidSelectorException),
            lambda text=text: link.client.consumer(link.destination, text),  # type: ignore[misc]
            what=f"a consumer with the selector {text!r}",
            though_works=lambda: _works(link, neighbour),
        )


def refused_or_never(
    case: Case, samples: Mapping[str, Sample], texts: Iterable[str], *, neighbours: Mapping[str, str]
) -> dict[str, str]:
    """Show what those of the selectors choose that are not refused, and what valid `neighbours` do, as `chosen` does.

    Anything but InvalidSelectorException at the presentation breaks the claim.
    """
    link = case.link(consumes=False)
    accepted = [
        text
        for text in texts
        if not expect.works_or(
            case.thrown(api.InvalidSelectorException),
            lambda text=text: link.client.consumer(link.destination, text).close(),  # type: ignore[misc]
        )
    ]
    seen = chosen(case, samples, {**neighbours, **dict.fromkeys(accepted, "")})
    return {**dict.fromkeys(texts, ""), **seen}


def make(link: Link, name: str, sample: Sample) -> tuple[api.Message, dict[str, Any]]:
    """Make the message of a sample, and the options it is to be sent with."""
    message = link.text(name)
    options: dict[str, Any] = {}
    for key, value in sample.items():
        if key in _HEADERS:
            setattr(message, _HEADERS[key], value)
        elif key in _OPTIONS:
            options[_OPTIONS[key]] = value
        else:
            plain = getattr(value, "value", value)
            getattr(message, f"set_{_SETTERS[type(value)]}_property")(key, plain)
    return message, options


def _send(link: Link, name: str, sample: Sample) -> None:
    """Send a sample; its name becomes the body."""
    message, options = make(link, name, sample)
    link.send(message, **options)


def _works(link: Link, selector: str) -> str:
    link.client.consumer(link.destination, selector).close()
    return selector


def _browsed(case: Case, samples: Mapping[str, Sample], wanted: Mapping[str, str]) -> dict[str, str]:
    link = case.link(consumes=False)
    for name, sample in samples.items():
        _send(link, name, sample)
    everything = link.client.browse_until(link.destination, len(samples))
    if sorted(map(str, everything)) != sorted(samples):
        raise Undecided(f"browsing without a selector shows {everything!r}, not {list(samples)!r}")
    case.witness(f"browsing without a selector shows {everything!r}")
    return {selector: _sorted(samples, _browsing(link, selector)) for selector in wanted}


def _browsing(link: Link, selector: str) -> list[object]:
    return expect.works(f"browsing with {selector!r}", lambda: _browse(link, selector))


def _browse(link: Link, selector: str) -> list[object]:
    with link.client.session.create_browser(link.destination, selector) as browser:
        return [body(message) for message in browser.get_enumeration()]


def _delivered(case: Case, samples: Mapping[str, Sample], wanted: Mapping[str, str], *, fenced: bool) -> dict[str, str]:
    link = case.link()
    by_property = {selector for selector, names in wanted.items() if fenced or not names}
    consumers = {
        selector: _consumer(link, f"({selector}) OR tck_fence IS NOT NULL" if selector in by_property else selector)
        for selector in wanted
    }
    for name, sample in samples.items():
        _send(link, name, sample)
    copied = _copied([names.split()[0] for selector, names in wanted.items() if selector not in by_property])
    fences = _fences(samples) if by_property else []
    for name in copied:
        _send(link, _COPY, samples[name])
    for fence in fences:
        _send(link, _FENCE, fence)
    _all_came(case, link, samples, [*samples, *[_COPY] * len(copied), *[_FENCE] * len(fences)])
    found: dict[str, str] = {}
    patience = int(case.timing.deadline)
    for selector, consumer in consumers.items():
        ends = len(fences) if selector in by_property else 0
        found[selector] = _until_fence(link, consumer, samples, ends, patience)
        if found[selector].endswith(_UNENDED):  # all was sent before that wait: the others need no such wait again
            patience = int(case.timing.quiet)
    return found | _unfenced(case, [selector for selector in by_property if found[selector] == _UNENDED], len(found))


def _unfenced(case: Case, silent: Sequence[str], of: int) -> dict[str, str]:
    """Tell what fenced selectors choose whose consumers got nothing at all, not even the fence.

    In version 1.0 a comparison of unlike types makes the whole selector false (3.8.1.1-115), the part that the fence
    matches too; there it is enough that other selectors on the same messages got theirs.

    Raises:
        Undecided: whether such a selector chose nothing, or its consumer gets nothing whatever is chosen, cannot be told.
    """
    if silent and (case.version != OLDEST or len(silent) == of):
        raise Undecided("a consumer with (...) OR tck_fence IS NOT NULL got not even the message with that property")
    return dict.fromkeys(silent, "")


def _all_came(case: Case, link: Link, samples: Mapping[str, Sample], sent: Sequence[str]) -> None:
    """Receive what was sent by the consumer without a selector: only what there was to choose from can be chosen.

    Where some is missing, the samples go to a topic without selectors too; if they come there, selectors took them along.
    """
    left = Counter(sent)
    in_order = not any(_OPTIONS.keys() & sample.keys() for sample in samples.values())
    marker = link.mark() if in_order else ""
    while (left or in_order) and (message := link.poll()) is not None:
        text = str(body(message))
        case.witness(f"received {text!r}")
        link.client.settle(message)
        left -= Counter([text])
        if text == marker:  # what has not come before it does not come
            break
    if not left:
        return
    alone = case.link()
    for name, sample in samples.items():
        _send(alone, name, sample)
    for _ in samples:
        alone.receive()
    raise Broken(
        f"a consumer without a selector did not get {list(left)}, which all came where nobody had a selector",
        expected="a consumer without a selector gets every message",
        cites=case.cites(),
    )


def _consumer(link: Link, selector: str) -> Consumer:
    """Create a consumer of a topic; version 1.0, all domain-specific, gives a session one copy of a message only."""
    client = link.client.peer() if link.case.api == "domain-specific" else link.client
    return expect.works(
        f"a consumer with the selector {selector!r}", lambda: client.consumer(link.destination, selector)
    )


def _copied(firsts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(firsts))


def _fences(samples: Mapping[str, Sample]) -> list[Sample]:
    """Give the messages that end the choice: last by priority, and one for each delivery mode there is."""
    fence: dict[str, object] = {"tck_fence": True}
    if any("JMSPriority" in sample for sample in samples.values()):
        fence["JMSPriority"] = 0
    modes = {sample["JMSDeliveryMode"] for sample in samples.values() if "JMSDeliveryMode" in sample}
    return [{**fence, "JMSDeliveryMode": mode} for mode in sorted(modes, key=str)] or [fence]


def _until_fence(link: Link, consumer: Consumer, samples: Mapping[str, Sample], fences: int, patience: int) -> str:
    """Receive until a copy comes, or this many fences, if there are to be fences; each within `patience` milliseconds."""
    seen: list[object] = []
    open_fences = fences
    while True:
        message = consumer.receive(patience)
        if message is None:
            return _sorted(samples, [*seen, _UNENDED])
        link.client.settle(message)
        content = body(message)
        open_fences -= content == _FENCE
        if (fences and not open_fences) or (not fences and content == _COPY):
            return _sorted(samples, seen)
        if content not in (_COPY, _FENCE):
            seen.append(content)


def _sorted(samples: Mapping[str, Sample], names: Iterable[object]) -> str:
    order = list(samples)
    return " ".join(sorted(map(str, names), key=lambda name: order.index(name) if name in order else len(order)))
