"""4.1.6 QueueBrowser: what happens to other browsers, consumers and sessions is nothing to one that is open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.messages import client_headers, coloured, taken
from tck.suite.support.values.colours import BLUE, RED
from tck.suite.support.values.kinds import BODIED
from tck.suite.support.values.seen import body, tried

Acts = dict[str, Callable[[], object]]
"""Calls on other objects, by what they are; none changes what is in the queue."""


def _acts(case: Case, link: Link) -> Acts:
    """Open objects beside a browser of the link's queue, and return calls that use or end them."""
    session, queue = link.client.session, link.destination
    peer, other = link.client.peer(), case.client()
    elsewhere = case.link(client=link.client)
    elsewhere.send("elsewhere")
    here: list[Any] = [session.create_browser(queue) for _ in range(3)]
    picky, there = session.create_browser(queue, RED), session.create_browser(elsewhere.destination)
    closed_later = case.client()
    for owner in (peer, other, closed_later):
        next(owner.session.create_browser(queue).get_enumeration(), None)
    begun = here[0].get_enumeration()
    next(begun, None)
    producer = link.client.sender(queue)
    return {
        "another browser of the session is read to its end": lambda: list(here[1].get_enumeration()),
        "another browser of the session, with an enumeration, is closed": here[0].close,
        "another browser of the session is closed": here[2].close,
        "a browser with a selector is closed": picky.close,
        "a browser of another queue is closed": there.close,
        "a browser is made, read in part and closed": lambda: _looked_into(session.create_browser(queue, RED)),
        "a browser is refused for its selector": lambda: tried(lambda: session.create_browser(queue, "colour = ")),
        "a consumer of another queue receives and is closed": lambda: (elsewhere.receive(), elsewhere.consumer.close()),
        "a producer for the queue is closed": producer.close,
        "another session is closed": peer.close_session,
        "a browser of another connection is opened and closed": lambda: _looked_into(
            other.session.create_browser(queue)
        ),
        "another connection is closed": closed_later.close,
    }


def _looked_into(browser: Any) -> None:
    next(browser.get_enumeration(), None)
    browser.close()


@asserts("4.1.6-4", ack=("auto", "client", "transacted"), variant="company")
def test_an_enumeration_goes_on_whatever_others_do(case: Case) -> None:
    """An enumeration shows the rest of the queue though, after its first message, other objects are used and closed."""
    link = case.link(consumes=False)
    texts = numbered(4)
    link.send_all(texts)
    acts = _acts(case, link)
    browsers = {what: link.client.session.create_browser(link.destination) for what in acts}
    with expect.all_of():
        for what, act in acts.items():
            enumeration = browsers[what].get_enumeration()
            first = body(next(enumeration, None))
            act()
            expect.equal(f"what is shown though {what}", [first, *map(body, enumeration)], texts)


@asserts("4.1.6-10", ack=("auto", "client", "transacted"), variant="company")
def test_a_browser_begins_anew_whatever_others_do(case: Case) -> None:
    """A browser that has shown the queue shows it again after other objects were used and closed."""
    link = case.link(consumes=False)
    texts = numbered(4)
    link.send_all(texts)
    acts = _acts(case, link)
    browser = link.client.session.create_browser(link.destination)
    with expect.all_of():
        for what, act in acts.items():
            act()
            expect.equal(f"what is shown once {what}", [body(one) for one in browser.get_enumeration()], texts)


SELECTORS = (RED, BLUE, None, "colour = 'green'", "number > 1", RED)
"""Selectors of browsers that are open together; the last is that of the first one again."""


def _wanted(selector: str | None, texts: list[str]) -> list[str]:
    chosen = {RED: "red", BLUE: "blue", None: "", "colour = 'green'": "green", "number > 1": "2"}[selector]
    return [text for text in texts if chosen in text]


@asserts("4.1.6-5", ack=("auto", "client", "transacted"), variant="company")
def test_each_browser_has_its_own_selector(case: Case) -> None:
    """Browsers with several selectors, opened together by one session, two and two connections, show what each selects."""
    link = case.link(consumes=False)
    texts = ["blue 1", "red 1", "green 1", "red 2", "blue 2"]
    for text in texts:
        message = coloured(link, text)
        message.set_int_property("number", int(text[-1]))
        link.send(message)
    sessions = {"a session": link.client, "another session": link.client.peer(), "another connection": case.client()}
    with expect.all_of():
        for first in sessions.values():
            for name, second in sessions.items():
                browsers = [(which, _open(owner, link, which)) for which in SELECTORS for owner in (first, second)]
                _show(f"of browsers of {name} beside others", browsers, texts)
                tried(lambda: _open(second, link, "colour = "))
                browsers.pop()[1].close()
                _show(f"of browsers of {name}, another closed and one refused,", browsers, texts)


def _open(owner: Any, link: Link, selector: str | None) -> Any:
    return owner.session.create_browser(link.destination, *([selector] if selector else []))


def _show(whose: str, browsers: list[tuple[str | None, Any]], texts: list[str]) -> None:
    seen = [[body(one) for one in browser.get_enumeration()] for _, browser in browsers]
    expect.equal(
        f"what is shown {whose} in the order of opening", seen, [_wanted(which, texts) for which, _ in browsers]
    )


_CHANGES: dict[str, Callable[[Any], object]] = {
    "jms_correlation_id": lambda message: setattr(message, "jms_correlation_id", "after"),
    "jms_reply_to": lambda message: setattr(message, "jms_reply_to", None),
    "jms_type": lambda message: setattr(message, "jms_type", "after"),
    "jms_priority": lambda message: setattr(message, "jms_priority", 9),
    "jms_message_id": lambda message: setattr(message, "jms_message_id", "ID:after"),
    "jms_expiration": lambda message: setattr(message, "jms_expiration", 1),
    "jms_redelivered": lambda message: setattr(message, "jms_redelivered", True),
    "properties": lambda message: message.clear_properties(),
    "body": lambda message: message.clear_body(),
    "acknowledge": lambda message: tried(message.acknowledge),
}
"""What a client does to a message that a browser showed."""


@asserts("4.1.6-1", ack=("auto", "client", "transacted"), variant="changed-headers")
def test_changing_headers_of_what_is_browsed_changes_nothing(case: Case) -> None:
    """Whatever header a client changes on a message that a browser showed, the next browser and the consumer get what was sent."""
    link = case.link(consumes=False)
    sent = []
    for kind in BODIED:
        message = link.message(kind)
        message.jms_correlation_id, message.jms_reply_to, message.jms_type = "before", link.destination, "type"
        link.send(message)
        sent.append(_portrait(message))
    with expect.all_of():
        for what, change in _CHANGES.items():
            for browsed in link.client.browse_messages(link.destination):
                change(browsed)
            again = link.client.browse_messages(link.destination)
            expect.equal(f"what another browser shows after a change ({what})", [_portrait(one) for one in again], sent)
    consumer = case.link(destination=link.destination)
    expect.equal("what the consumer gets", [_portrait(taken(consumer)) for _ in BODIED], sent)


def _portrait(message: api.Message) -> dict[str, object]:
    return {
        **client_headers(message),
        "jms_message_id": message.jms_message_id,
        "jms_expiration": message.jms_expiration,
    }
