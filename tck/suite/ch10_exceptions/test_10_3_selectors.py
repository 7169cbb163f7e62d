"""10.3 InvalidSelectorException: each method that takes a selector refuses the same texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.subscriptions import Subscription, subscription, working_kinds

BAD = ("n = = 1", "n =", "n = 1 AND", "'a")


@asserts("10.3-25", variant="each-method")
def test_each_method_refuses_the_same_bad_selectors(case: Case) -> None:
    """A consumer, a browser and each kind of subscription refuse malformed selectors, and take a good one."""
    _each_refuses(case, BAD)


@asserts("10.3-25", variant="blank")
def test_a_selector_of_blanks_is_refused_or_none(case: Case) -> None:
    """A consumer, a browser and each kind of subscription refuse a selector of blanks, or take it for none: which ones, is recorded."""
    _each_refuses(case, BAD[:1])
    taken = [
        what
        for what, make in _makers(case).items()
        if not expect.works_or(case.thrown(api.InvalidSelectorException), lambda make=make: make("  ").close())  # type: ignore[misc]
    ]
    expect.record(f"a selector of blanks is taken for none by {', '.join(taken)}" if taken else "it is refused")


def _each_refuses(case: Case, texts: Sequence[str]) -> None:
    with expect.all_of():
        for what, make in _makers(case).items():
            for text in texts:
                expect.raises(
                    case.thrown(api.InvalidSelectorException),
                    partial(make, text),
                    what=f"{what} with the selector {text!r}",
                    though_works=partial(closed_again, make),
                )


def _makers(case: Case) -> Mapping[str, Callable[[str], api.AutoCloseable]]:
    """Return what makes each kind of consumer, and a browser, with a selector."""
    client = case.client()
    queue, topic = (case.queue(), None) if case.domain == "queue" else (None, case.topic())
    if queue is not None:
        return {
            "a consumer": partial(client.consumer, queue),
            "a browser": partial(client.session.create_browser, queue),
        }
    return {
        f"a consumer of a subscription, {kind}": partial(opened, case, subscription(case, kind, topic))
        for kind in working_kinds(case, case.client(client_id=case.name("c")))
    }


def closed_again(make: Callable[[str], api.AutoCloseable]) -> None:
    """Make something with a good selector, and close it."""
    make("n = 1").close()


def opened(case: Case, made: Subscription, text: str) -> api.AutoCloseable:
    """Open a consumer of a subscription of its own with a selector."""
    one = subscription(case, made.kind, made.topic, selector=text)
    return one.open().consumer
