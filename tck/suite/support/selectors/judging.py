"""The messages that selectors choose at a provider.

On a queue each selector browses the same messages, to the end of the browser. On a topic each has a consumer, on the four
kinds of subscription in turn, and a fence follows the messages: a second copy of a message that the selector should choose, or, if it should choose none, a
message with the property `tck_fence`, and `OR tck_fence IS NOT NULL` in the selector.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias, cast

from tck import api
from tck.catalogue.versions import OLDEST
from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.clients.client import Client, Consumer
from tck.suite.support.clients.interfaces import connect
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.subscriptions import SubscriptionKind, kinds, subscription
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.harness.running import Elsewhere
from tck.suite.support.values.seen import body, tried

Sample: TypeAlias = Mapping[str, object]
"""A message by its properties and headers."""
Samples: TypeAlias = dict[str, dict[str, object]]
"""Messages by name, as tests write them."""

_PLAIN = "n = 1"
_COPY = "a copy of one that is wanted"
_FENCE = "fence"
_UNENDED = "(and nothing after)"
"""The end of a choice whose fence never came."""
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
    """Show the samples that each selector of `wanted` chooses; demand only that the selectors are accepted.

    Args:
        case: the running case.
        samples: the messages, by name.
        wanted: selectors, each with the names it should choose, separated by blanks.
        fenced: on a topic, fence every selector by a property, for samples that may overtake each other.

    Raises:
        Undecided: the messages do not arrive without a selector either.
    """
    if case.domain == "queue":
        return _browsed(case, samples, wanted)
    return _delivered(case, samples, wanted, fenced=fenced)


def refused(case: Case, texts: Iterable[str], *, neighbour: str) -> None:
    """Demand that a consumer with each of these selectors is refused, and that one with `neighbour` is accepted.

    A provider that refuses the neighbour breaks the rows of what it holds; here the plainest selector takes its place.
    """
    link = case.link(consumes=False)
    accepted = neighbour if tried(lambda: _works(link, neighbour)) == neighbour else _PLAIN
    with expect.all_of():
        for text in texts:
            with expect.all_of():
                expect.raises(
                    case.thrown(api.InvalidSelectorException),
                    lambda text=text: link.client.consumer(link.destination, text),  # type: ignore[misc]
                    what=f"a consumer with the selector {text!r}",
                    though_works=lambda: _works(link, accepted),
                )


def refused_or_never(
    case: Case, samples: Mapping[str, Sample], texts: Iterable[str], *, neighbours: Mapping[str, str]
) -> dict[str, str]:
    """Show the choices of those selectors that are not refused, and of the valid `neighbours`, in the form of `chosen`.

    Any other refusal than InvalidSelectorException breaks the claim.
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
    """Create the message of a sample; return it with the options for its send."""
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
    openers = _Openers(link)
    consumers = {
        selector: openers.open(f"({selector}) OR tck_fence IS NOT NULL" if selector in by_property else selector)
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
        if found[selector].endswith(_UNENDED):  # all was sent before that wait: the others need a short one only
            patience = int(case.timing.quiet)
    return found | _unfenced(case, [selector for selector in by_property if found[selector] == _UNENDED], len(found))


def _unfenced(case: Case, silent: Sequence[str], of: int) -> dict[str, str]:
    """Return an empty choice for each fenced selector whose consumer got no message, not even the fence.

    In version 1.0 a comparison of unlike types makes the whole selector false (3.8.1.1-115), with the part for the fence;
    there it is enough that the fences of other selectors on the same messages came.

    Raises:
        Undecided: nothing shows whether the selector chose no message or its consumer gets none at all.
    """
    if silent and (case.version != OLDEST or len(silent) == of):
        raise Undecided("a consumer with (...) OR tck_fence IS NOT NULL got not even the message with that property")
    return dict.fromkeys(silent, "")


def _all_came(case: Case, link: Link, samples: Mapping[str, Sample], sent: Sequence[str]) -> None:
    """Receive all messages with a consumer without selector, to show that there was a choice.

    Where one is missing, the samples are sent to a topic without selectors: if they arrive there, selectors took the others,
    which breaks the row of the copies, and leaves those of the selectors undecided.

    Raises:
        Undecided: selectors took some.
    """
    left = Counter(sent)
    in_order = not any(_OPTIONS.keys() & sample.keys() for sample in samples.values())
    marker = link.mark() if in_order else ""
    while (left or in_order) and (message := link.poll()) is not None:
        text = str(body(message))
        case.witness(f"received {text!r}")
        link.client.settle(message)
        left -= Counter([text])
        if text == marker:  # a message that has not come before it does not come
            break
    if not left:
        return
    alone = case.link()
    for name, sample in samples.items():
        _send(alone, name, sample)
    for _ in samples:
        alone.receive()
    lost = f"a consumer without a selector did not get {list(left)}, which all came where no consumer had a selector"
    case.marks.elsewhere.append(Elsewhere("4.2.2-2", "the delivery to a subscription without a selector", lost))
    raise Undecided(lost)


class _Openers:
    """Opens consumers of a topic, each on the next kind of subscription.

    Where it begins depends on the case's name, so that a selector meets another kind in each interface. Durable ones share a
    connection of their own, with a client identifier. A kind that the provider refuses with the plainest selector too is
    left out: that breaks other rows.
    """

    def __init__(self, link: Link) -> None:
        self._link, self._case = link, link.case
        case = self._case
        # in version 1.0, all domain-specific, a session gets one copy of a message only
        self._peers = case.api == "domain-specific"
        every: Sequence[SubscriptionKind] = ("unshared", "durable") if self._peers else kinds(case)
        self._kinds = list(every) if case.ack == "auto" else ["unshared"]
        self._place = sum(map(ord, case.point.name))
        self._named: Client | None = None

    def open(self, selector: str) -> Consumer:
        """Open a consumer with a selector."""
        self._place += 1
        kind: SubscriptionKind = self._kinds[self._place % len(self._kinds)]  # type: ignore[assignment]  # of the kinds
        if kind != "unshared":
            if not isinstance(found := tried(lambda: self._opened(kind, selector)), str):
                return cast("Consumer", found)
            if not isinstance(tried(lambda: self._opened(kind, _PLAIN).close()), str):
                return self._judged(kind, selector)
            self._kinds.remove(kind)
        return self._judged("unshared", selector)

    def _judged(self, kind: SubscriptionKind, selector: str) -> Consumer:
        words = "" if kind == "unshared" else f" of a {kind} subscription"
        return expect.works(f"a consumer{words} with the selector {selector!r}", lambda: self._opened(kind, selector))

    def _opened(self, kind: SubscriptionKind, selector: str) -> Consumer:
        client = self._client(kind)
        if kind == "unshared":
            return client.consumer(self._link.destination, selector)
        topic = cast("api.Topic", self._link.destination)
        return subscription(self._case, kind, topic, client_id="-", selector=selector).open(client=client).consumer

    def _client(self, kind: SubscriptionKind) -> Client:
        client = self._link.client
        if kind == "durable":
            if self._named is None:
                self._named = connect(self._case, "auto", domain="topic", client_id=self._case.name("c"))
            client = self._named
        return client.peer() if self._peers else client


def _copied(firsts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(firsts))


def _fences(samples: Mapping[str, Sample]) -> list[Sample]:
    """Return the messages that end the choice: last by priority, and one for each delivery mode."""
    fence: dict[str, object] = {"tck_fence": True}
    if any("JMSPriority" in sample for sample in samples.values()):
        fence["JMSPriority"] = 0
    modes = {sample["JMSDeliveryMode"] for sample in samples.values() if "JMSDeliveryMode" in sample}
    return [{**fence, "JMSDeliveryMode": mode} for mode in sorted(modes, key=str)] or [fence]


def _until_fence(link: Link, consumer: Consumer, samples: Mapping[str, Sample], fences: int, patience: int) -> str:
    """Receive until a copy comes, or all fences if there are some; each within `patience` milliseconds."""
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
