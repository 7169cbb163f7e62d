"""6.1.7 Exception listeners."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.problems import ProblemListener
from tck.suite.support.lifecycle.stopping import receiving, sender_to
from tck.suite.support.lifecycle.unstarted import unstarted
from tck.suite.support.values.seen import body, tried


def _listen(client: Client, work: Callable[[], object] | None = None) -> ProblemListener:
    """Set an exception listener."""
    listener = ProblemListener(client.case, work)
    client.connection.exception_listener = listener
    return listener


def _reported_by_now(case: Case) -> None:
    """Go on when listeners that are called for what has happened have been: that of a connection whose link breaks now was."""
    if not case.minute():
        last = case.client()
        listener = _listen(last)
        case.provider.sever(last.connection)
        listener.called()


def _in_use(case: Case) -> Client:
    """Return a client that has carried a message."""
    link = case.link()
    link.send("x")
    expect.arrives(link, ["x"])
    return link.client


def _same(what: str, seen: object, wanted: object) -> None:
    expect.true(f"{what} is the one that was set", seen is wanted, f"it was {seen!r}")


@asserts("6.1.7-3", ack=("auto", "transacted"))
def test_a_connection_returns_its_exception_listener(case: Case) -> None:
    """getExceptionListener() returns the object that was set: before the start, after it, while stopped, and each time."""
    with expect.all_of():
        for client in (unstarted(case), _in_use(case)):
            listener = _listen(client)
            _same("the listener", client.connection.exception_listener, listener)
            client.start()
            _same("the listener after start()", client.connection.exception_listener, listener)
            client.stop()
            _same("the listener after stop()", client.connection.exception_listener, listener)
            _same("the listener at the next look", client.connection.exception_listener, listener)


@asserts("6.1.7-4", ack=("auto", "transacted"))
def test_a_connection_has_no_exception_listener_by_itself(case: Case) -> None:
    """getExceptionListener() returns null on connections without one, though another connection has a listener."""
    with expect.all_of():
        client = _in_use(case)
        listener = _listen(client)
        _same("the listener of another connection", client.connection.exception_listener, listener)
        seen = [one.connection.exception_listener for one in (unstarted(case), case.client(), _in_use(case))]
        expect.equal("listeners of connections without one", seen, [None] * 3)


@asserts("6.1.7-5")
def test_another_exception_listener_replaces_the_first(case: Case) -> None:
    """After a second listener is set, getExceptionListener() returns that; after null, null; after the first again, that."""
    client = _in_use(case)
    with expect.all_of():
        first = _listen(client)
        second = _listen(client)
        _same("the second listener", client.connection.exception_listener, second)
        client.connection.exception_listener = None
        expect.equal("the listener after null", client.connection.exception_listener, None)
        client.connection.exception_listener = first
        _same("the first listener, set again", client.connection.exception_listener, first)


@asserts("6.1.7-5", variant="called")
def test_a_replaced_exception_listener_is_not_called(case: Case) -> None:
    """When the link breaks, the listener set last is called, and the one before it and one removed by null are not."""
    case.needs(api.Hook.SEVER)
    link, other = case.link(), case.link()
    first, second, removed = _listen(link.client), _listen(link.client), _listen(other.client)
    other.client.connection.exception_listener = None
    for one in (link, other):
        case.provider.sever(one.client.connection)
    called = second.called()
    _reported_by_now(case)
    with expect.all_of():
        expect.true("the listener set last is called", called, "it was not")
        expect.equal("what the replaced listener got", first.problems, [])
        expect.equal("what the removed listener got", removed.problems, [])


@asserts("6.1.7-5", variant="moments")
def test_the_listener_that_is_set_last_is_called_whenever_it_was_set(case: Case) -> None:
    """The listener set last is called, and it alone, where each was set before start(), after it, or while stopped."""
    case.needs(api.Hook.SEVER)
    moments = (
        ("before", "after"),
        ("before", "before"),
        ("after", "stopped"),
        ("before", "restarted"),
        ("stopped", "restarted"),
    )
    replaced: dict[str, ProblemListener] = {}
    with expect.all_of():
        for moment, later in moments:
            client = unstarted(case)
            listeners: list[ProblemListener] = []
            for now, step in (
                ("before", client.start),
                ("after", client.stop),
                ("stopped", client.start),
                ("restarted", None),
            ):
                listeners += [_listen(client) for when in (moment, later) if when == now]
                if step is not None:
                    step()
            case.provider.sever(client.connection)
            where = f"set {moment} and {later}"
            expect.true(f"the second listener is called, {where}", listeners[1].called(), "it was not")
            replaced[where] = listeners[0]
        _reported_by_now(case)
        for where, listener in replaced.items():
            expect.equal(f"what the first listener got, {where}", listener.problems, [])


@asserts("6.1.7-6", ack=("auto", "transacted"))
def test_sibling_contexts_share_the_exception_listener(case: Case) -> None:
    """A listener set on any of three contexts over a connection is returned by all three, also by one created since."""
    first = _in_use(case)
    contexts = [first, first.peer(), first.peer()]
    with expect.all_of():
        for number, setting in enumerate(contexts):
            listener = _listen(setting)
            for other, context in enumerate((*contexts, first.peer())):
                what = f"the listener that context {other} has of context {number}"
                _same(what, context.connection.exception_listener, listener)
        contexts[1].connection.exception_listener = None
        seen = [context.connection.exception_listener for context in contexts]
        expect.equal("the listeners after null on the second context", seen, [None] * 3)


def _idle(case: Case) -> list[tuple[str, Client]]:
    """Return clients that make no call of their own when their link breaks, each with words for it."""
    waiting, listening = case.link(), case.link()
    waiting.send("x")
    expect.arrives(waiting, ["x"])
    case.until_blocked(receiving(waiting), "no call of the client is in progress but the receive()")
    listening.consumer.message_listener = CollectingListener(case)
    stopped, two = case.link().client, case.link().client
    stopped.stop()
    two.peer()
    return [
        ("that waits in receive()", waiting.client),
        ("with a message listener", listening.client),
        ("that only sends", case.link(consumes=False).client),
        ("that is stopped", stopped),
        ("with two sessions", two),
    ]


@asserts("6.1.7-1", ack=("auto", "client", "transacted"))
def test_an_exception_listener_is_called_for_a_broken_link(case: Case) -> None:
    """When the link of an idle connection breaks, its listener is called, and that of another connection is not."""
    clients = _idle(case)
    spared = _listen(case.link().client)
    listeners = [_listen(client) for _, client in clients]
    with expect.all_of():
        for (words, client), listener in zip(clients, listeners, strict=True):
            case.provider.sever(client.connection)
            expect.true(f"the listener of a connection {words} is called", listener.called(), "it was not")
        expect.equal("what the listener of an unbroken connection got", spared.problems, [])


@asserts("6.1.7-2")
def test_an_exception_listener_gets_an_exception_that_describes_the_problem(case: Case) -> None:
    """What an exception listener is passed when a link breaks is a JMSException with a text or a linked exception."""
    with expect.all_of():
        for words, client in _idle(case):
            listener = _listen(client)
            case.provider.sever(client.connection)
            if not listener.called():
                raise Undecided("no exception listener was called")
            problem: Any = listener.problems[0]
            good = isinstance(problem, api.JMSException)
            expect.true(f"a connection {words}: it is a JMSException", good, f"it was {problem!r}")
            described = good and (str(problem).strip() or problem.linked_exception is not None)
            expect.true(f"a connection {words}: the exception says something", described, f"it was {problem!r}")


@asserts("6.1.7-7", ack=("auto", "transacted"))
def test_an_exception_listener_is_called_by_one_thread_at_a_time(case: Case) -> None:
    """When the link of a connection with four busy sessions breaks, the calls of its listener do not overlap."""
    client = case.client()
    links = [case.link(client=one) for one in (client, *(client.peer() for _ in range(3)))]
    for link in links[:2]:
        link.consumer.message_listener = CollectingListener(case)
    for link in links[2:]:
        case.until_blocked(receiving(link), "the other thread is in receive() by now")
    listener = _listen(client, lambda: case.provider.clock.event().wait(case.timing.delay))
    case.provider.sever(client.connection)
    if not listener.called():
        raise Undecided("the exception listener was not called")
    listener.finished()
    _reported_by_now(case)
    expect.equal("the greatest number of calls at a time", listener.most, 1)


@asserts("6.1.7-10", ack=("auto", "client", "transacted"))
def test_the_exception_of_a_call_does_not_reach_the_listener(case: Case) -> None:
    """Exceptions that calls raise, on a connection, its sessions, producers and consumers, are not passed to the listener."""
    link = case.link()
    peer = link.client.peer()
    listener = _listen(link.client)
    calls = _refused_calls(case, link, peer)
    results = {what: tried(call) for what, call in calls.items()}
    refused = [what for what, result in results.items() if str(result).startswith("raises ")]
    expect.true("calls are refused", "a selector" in refused, f"these were the results: {results}")
    expect.delivers(link, link.text("x"), "a message after that")
    case.minute()
    expect.equal("what the exception listener got", listener.problems, [])


def _refused_calls(case: Case, link: Link, peer: Client) -> dict[str, Callable[[], object]]:
    """Return calls that a provider refuses, by words for them."""
    session = link.client.session
    wrong = {"transacted": "recover"}.get(case.ack, "commit")
    text = link.text("x")
    return {
        "a selector": lambda: link.client.consumer(link.destination, "this is = = no selector"),
        "no destination": lambda: link.client.consumer(None),  # type: ignore[arg-type]  # the refused argument
        "no destination of a send": lambda: link.client.sender().send(text),
        f"{wrong}()": getattr(session, wrong),
        "a client identifier that comes too late": lambda: setattr(link.client.connection, "client_id", case.name("c")),
        "a priority": lambda: link.client.sender(link.destination).set(priority=17),
        "a property": lambda: text.set_string_property("no name", "x"),
        "close of a session": peer.close_session,
        "a closed session": partial(peer.sender, link.destination),
        "an unsubscription": lambda: session.unsubscribe(case.name("s")),
    }


@asserts("6.1.7-10", ack=("transacted",), variant="commit")
def test_the_exception_of_a_failed_commit_does_not_reach_the_listener(case: Case) -> None:
    """A commit that fails raises its exception at the caller alone."""
    case.needs(api.Hook.FAULT)
    link = case.link()
    listener = _listen(link.client)
    link.put("rolled back")
    case.administer("fail-next-commit", connection=link.client.connection)
    expect.true("the commit fails", tried(link.client.commit) is not None, "it did not")
    link.client.rollback()
    expect.only(link)
    case.minute()
    expect.equal("what the exception listener got", listener.problems, [])


@asserts("6.1.7-11", ack=("auto", "transacted"))
def test_an_exception_listener_may_use_the_api(case: Case) -> None:
    """In onException the client closes the broken connection, connects anew, and exchanges a message; nothing hangs."""
    link = case.link()
    carried: list[object] = []

    def reconnect() -> None:
        carried.append([tried(call) for call in (link.client.stop, link.client.close)])  # they may fail, but not hang
        again = case.link(destination=case.destination())
        again.send_all(numbered(2))
        carried.append([body(again.receive()) for _ in range(2)])

    listener = _listen(link.client, reconnect)
    case.provider.sever(link.client.connection)
    if not listener.called():
        raise Undecided("the exception listener was not called")
    case.witness("the exception listener was called")
    expect.true("onException comes to its end", listener.finished(), "a call in it did not return")
    expect.equal("what was carried over the new connection", carried[1:], [numbered(2)])


def _round_trip(link: Link, text: str) -> bool:
    """Send and receive a message; return whether it came back."""

    def exchange() -> object:
        link.send(text)
        message = link.poll()
        link.client.settle(message)
        return message and body(message)

    return tried(exchange) == text


@asserts("6.1.7-9", ack=("auto", "transacted"))
def test_a_problem_is_repaired_before_it_is_reported_or_not_at_all(case: Case) -> None:
    """A connection that does not work when its exception listener is called for a broken link does not work later either.

    So the provider has not repaired after its report what it should have tried to repair before. It may repair the link
    without a report, or report a loss that it could not repair.
    """
    link = case.link()
    expect.true("the connection works at first", _round_trip(link, "before"), "it does not")
    working: list[bool] = []
    listener = _listen(link.client, lambda: working.append(_round_trip(link, "meanwhile")))
    case.provider.sever(link.client.connection)
    called = _reported(listener)
    case.linger("the provider may be repairing the link")
    fate = _fate(called=called, meanwhile=working == [True], later=_round_trip(link, "later"))
    permitted = ("repaired without a report", "repaired before the report", "reported and not repaired")
    expect.one_of("the lost link", fate, {each: each for each in permitted})


def _reported(listener: ProblemListener) -> bool:
    """Wait for a call of the listener, and for its end; return whether it was called.

    Raises:
        Undecided: the call has not ended.
    """
    called = listener.called()
    if called and not listener.finished():
        raise Undecided("the call of the exception listener does not end")
    return called


def _fate(*, called: bool, meanwhile: bool, later: bool) -> str:
    """Return the words for a lost link, by the call of the listener and by whether the connection worked then and later.

    Raises:
        Undecided: the loss was neither repaired nor reported, which is another row's.
    """
    if not called and not later:
        raise Undecided("the loss was neither repaired nor reported")
    if not called:
        return "repaired without a report"
    if not later:
        return "reported and not repaired"
    return "repaired before the report" if meanwhile else "repaired after the report"


@asserts("6.1.7-9", ack=("auto", "client", "transacted"), variant="idle")
def test_waiting_is_no_problem_to_be_reported(case: Case) -> None:
    """No listener is called for connections that wait long, in receive(), stopped or idle, and then go on as before."""
    links = [case.link() for _ in range(3)]
    listeners = [_listen(link.client) for link in links]
    links[1].client.stop()
    waiting = receiving(links[2])
    links[0].poll(case.long_delay())  # one connection is idle for long, one stopped, and the receive of one waits
    links[1].client.start()
    sender_to(links[2]).send("waited for")
    expect.returns(waiting, "a long receive()")
    for link in links[:2]:
        link.send("x")
        expect.arrives(link, ["x"])
    expect.equal("what the exception listeners got", [listener.problems for listener in listeners], [[]] * 3)
