"""Means: what a case needs beside the claim that it makes. If a case fails, is it the claim or the means?

A case that chooses messages by a selector, or collects them by a durable subscription, is no evidence against its own row where
selectors or durable subscriptions themselves do not work. So when a case has broken a row, each means that it used, and that
none of its rows is about, is tried alone, at the same point of the axes: the same interface, domain and mode. A means that fails
breaks the row of its own claim, and leaves the rows of the case undecided.

A trial speaks against a means only where it saw the opposite; if anything else goes wrong, the case judges its rows as ever.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tck import api
from tck.suite.support.case import Case
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.clients.subscriptions import SubscriptionKind, publisher, subscription
from tck.suite.support.harness.current import set_current_case
from tck.suite.support.harness.outcome import Ending
from tck.suite.support.harness.running import Elsewhere
from tck.suite.support.values.seen import body

Call = tuple[str, tuple[object, ...]]
"""A call of a case, `Session.create_consumer`, and its arguments."""
_TEXTS: Final = ("first", "second", "third")
_SELECTOR_AT: Final = {
    "create_consumer": 1,
    "create_receiver": 1,
    "create_subscriber": 1,
    "create_browser": 1,
    "create_durable_consumer": 2,
    "create_durable_subscriber": 2,
    "create_shared_consumer": 2,
    "create_shared_durable_consumer": 2,
}


class _Fails(Exception):  # noqa: N818 - it names the finding
    """A means does not work."""

    def __init__(self, row: str, text: str) -> None:
        super().__init__(text)
        self.row = row


@dataclass(frozen=True, slots=True)
class Means:
    """One means.

    Attributes:
        words: What it is.
        home: Beginnings of the ids of the rows that are about it.
        used: Whether calls use it.
        attempt: Tries it alone.
        domains: The domains in which it exists.
    """

    words: str
    home: tuple[str, ...]
    used: Callable[[Sequence[Call]], bool]
    attempt: Callable[[Case], None]
    domains: frozenset[str] = frozenset({"queue", "topic"})

    def serves(self, case: Case, calls: Sequence[Call]) -> bool:
        """Return whether a case used it without being about it."""
        about = any(row.id.startswith(self.home) for row in case.rows)
        return not about and case.domain in self.domains and self.used(calls)


def failing(case: Case, calls: Sequence[Call], again: Callable[[Means], Elsewhere | None]) -> Elsewhere | None:
    """Return the first means of a case that does not work: the later ones are tried by the earlier ones.

    Args:
        case: A case that has failed.
        calls: Its calls of the provider.
        again: Tries a means alone, or knows the result.
    """
    found = (again(means) for means in ALL if means.serves(case, calls))
    return next((failure for failure in found if failure is not None), None)


def tried(means: Means, case: Case) -> Elsewhere | None:
    """Try a means with a case of its own; return its failure, None if nothing shows that it fails."""
    set_current_case(case)
    try:
        means.attempt(case)
    except _Fails as failing:
        return Elsewhere(failing.row, means.words, str(failing))
    except (Exception, SystemExit, Ending):  # noqa: BLE001 - something else is broken, which the suite's cases judge
        return None
    finally:
        with contextlib.suppress(Exception):
            for _ in case.close():
                pass
    return None


def _made(*words: str) -> Callable[[Sequence[Call]], bool]:
    return lambda calls: any(op.rpartition(".")[2] in words for op, _ in calls)


def _selects(calls: Iterable[Call]) -> bool:
    for op, arguments in calls:
        at = _SELECTOR_AT.get(op.rpartition(".")[2])
        chosen = arguments[at] if at is not None and len(arguments) > at else None
        if isinstance(chosen, str) and chosen.strip():
            return True
    return False


def _several(calls: Iterable[Call]) -> bool:
    return sum(op.rpartition(".")[2] in {"send", "publish"} for op, _ in calls) > 1


def _come(link: Link, wanted: Sequence[str], row: str, what: str) -> None:
    """Demand texts at a consumer, and blame a row if one does not come; repeats and order are the claims of other rows."""
    seen = set[object]()
    for _ in range(3 * len(wanted)):
        if seen.issuperset(wanted):
            return
        message = link.poll()
        if message is None:
            missing = ", ".join(text for text in wanted if text not in seen)
            raise _Fails(row, f"{what}: {missing} did not arrive within {link.client.case.timing.deadline} ms")
        seen.add(body(message))
        link.client.settle(message)


# -- each means alone ------------------------------------------------------------------------------------------------


def _order(case: Case) -> None:
    link = case.link()
    link.send_all(_TEXTS)
    link.client.settle()
    seen = [body(message) for message in map(_polled(link), _TEXTS) if message is not None]
    if sorted(map(str, seen)) == sorted(_TEXTS) and seen != list(_TEXTS):
        row = "6.2.9.1-2" if case.domain == "queue" else "6.2.9.1-3"
        raise _Fails(row, f"one session sent {', '.join(_TEXTS)}, and {', '.join(map(str, seen))} arrived")


def _polled(link: Link) -> Callable[[object], api.Message | None]:
    def poll(_: object) -> api.Message | None:
        message = link.poll()
        if message is not None:
            link.client.settle(message)
        return message

    return poll


def _selectors(case: Case) -> None:
    link = case.link(selector="n = 1")
    for number, text in enumerate(("two", "one", "three")):
        message = link.text(text)
        message.set_int_property("n", (2, 1, 3)[number])
        link.put(message)
    link.client.settle()
    got = link.poll()
    if got is None:
        raise _Fails("3.8.1-2", "a consumer with the selector n = 1 does not get the message with n = 1")
    if body(got) != "one":
        raise _Fails("3.8.1-1", f"a consumer with the selector n = 1 gets {body(got)!r}, which has another n")


def _durable(case: Case) -> None:
    _collects(case, "durable", "8.3.3-5")


def _shared(case: Case) -> None:
    made = subscription(case, "shared")
    with_one = made.open()
    publisher(case, made.topic).send_all(_TEXTS)
    _come(with_one, _TEXTS, "8.3.2-10", "a shared non-durable subscription with one consumer")


def _shared_durable(case: Case) -> None:
    _collects(case, "shared durable", "8.3.4-11")


def _collects(case: Case, kind: SubscriptionKind, row: str) -> None:
    made = subscription(case, kind)
    made.open().client.close()
    publisher(case, made.topic).send_all(_TEXTS)
    again = made.open()
    _come(again, _TEXTS, row, f"a {kind} subscription that was inactive")
    again.client.close()
    made.unsubscribe()


def _browsers(case: Case) -> None:
    link = case.link("auto", consumes=False)
    link.send_all(_TEXTS)
    came = link.client.browse_until(link.destination, len(_TEXTS))
    if not {*_TEXTS} <= {*came}:
        raise _Fails("4.1.6-4", f"{', '.join(_TEXTS)} wait on a queue, and a browser shows {came}")


def _commits(case: Case) -> None:
    link = case.link("transacted", consumes=False)
    other = case.link("auto", destination=link.destination)
    link.send_all(_TEXTS)
    link.client.commit()
    _come(other, _TEXTS, "6.2.7-3", "after the commit of the transaction that sent them")


def _rollbacks(case: Case) -> None:
    link = case.link("transacted")
    case.link("auto", destination=link.destination, consumes=False).send(_TEXTS[0])
    if link.poll() is not None:
        link.client.rollback()
        row = "6.2.7-6" if case.domain == "queue" else "6.2.7-8"
        _come(link, _TEXTS[:1], row, "after the rollback of the transaction that received it")


def _recovers(case: Case) -> None:
    link = case.link("client")
    case.link("auto", destination=link.destination, consumes=False).send(_TEXTS[0])
    if link.poll() is not None:
        link.client.recover()
        row = "6.2.10-20" if case.domain == "queue" else "6.2.10-22"
        _come(link, _TEXTS[:1], row, "after recover in the session that received it")


def _listeners(case: Case) -> None:
    link, listener = case.link("auto"), CollectingListener(case)
    link.consumer.message_listener = listener
    case.link("auto", destination=link.destination, consumes=False).send(_TEXTS[0])
    if listener.after(1) != [_TEXTS[0]]:
        raise _Fails(
            "8.7-1", f"{_TEXTS[0]!r} was sent to a consumer with a listener, which was called with {listener.bodies}"
        )


TOPIC: Final = frozenset({"topic"})
_RECEIVING: Final = ("2.8", "4.", "6.1.4", "6.2-", "8.")
"""Rows about the objects that receive: each kind of them is what they are about, and no means."""
ALL: Final = (
    Means(
        "durable subscriptions",
        (*_RECEIVING, "9.1"),
        _made("create_durable_consumer", "create_durable_subscriber"),
        _durable,
        TOPIC,
    ),
    Means("shared subscriptions", _RECEIVING, _made("create_shared_consumer"), _shared, TOPIC),
    Means(
        "shared durable subscriptions",
        (*_RECEIVING, "9.1"),
        _made("create_shared_durable_consumer"),
        _shared_durable,
        TOPIC,
    ),
    Means("selectors", (*_RECEIVING, "3.8"), _selects, _selectors),
    Means("browsers", _RECEIVING, _made("create_browser"), _browsers, frozenset({"queue"})),
    Means("commit", (*_RECEIVING, "6.2.7"), _made("commit"), _commits),
    Means("rollback", (*_RECEIVING, "6.2.7"), _made("rollback"), _rollbacks),
    Means("recover", (*_RECEIVING, "6.2.10"), _made("recover"), _recovers),
    Means("listeners", _RECEIVING, _made("message_listener"), _listeners),
    Means("order", (*_RECEIVING, "6.2.9", "9.1"), _several, _order),
)
"""The means; the trial of a later one may need an earlier one."""
