"""7.9 Message delivery delay: never before the delivery time, and available from then on. Some cases need a hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.asynchronous import Callbacks, send_async
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import Listener
from tck.suite.support.clients.subscriptions import publisher, subscription, unattended, working_kinds
from tck.suite.support.clients.timed_send import delayed
from tck.suite.support.harness.outcome import Undecided
from tck.suite.support.lifecycle.reconnecting import reconnected
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.values.seen import body

NON_PERSISTENT, PERSISTENT = api.DeliveryMode.NON_PERSISTENT, api.DeliveryMode.PERSISTENT
EVERY = ("auto", "client", "dups_ok", "transacted")
HOUR = 3_600_000


def _not_early(case: Case, text: str, arrived: int, due: int) -> None:
    due -= case.timing.tolerance
    expect.true(f"{text!r} does not arrive before {due}", arrived >= due, f"it arrived at {arrived}")


def _soon(case: Case, text: str, due: int) -> None:
    """Demand that a message which has arrived just now was not long due."""
    arrived, latest = case.now(), case.latest(due) + case.timing.tolerance
    expect.true(f"{text!r} arrives by {latest}", arrived <= latest, f"it arrived at {arrived}")


# -- not before the delivery time -------------------------------------------------------------------------------------


def _heard(
    case: Case, link: Link, send: Callable[[Link], Mapping[str, int]]
) -> tuple[dict[str, int], dict[object, int]]:
    """Set a listener, and send; return the delivery times and the times of arrival, by text."""
    dues: dict[str, int] = {}
    seen: dict[object, int] = {}
    done = case.provider.clock.event()

    def note(message: api.Message, ordinal: int) -> None:
        seen[body(message)] = case.now()
        if ordinal == 4:
            done.set()

    link.consumer.message_listener = Listener(note)
    dues.update(send(sender_to(link)))
    done.wait(case.timing.deadline)
    return dues, seen


def _four(sender: Link) -> dict[str, int]:
    """Send four messages with different delays and conditions; return their delivery times."""
    delay = sender.case.timing.delay
    return {
        "first": delayed(sender, "first", 2 * delay, mode=NON_PERSISTENT),
        "second": delayed(sender, "second", 3 * delay, priority=9),
        "third": delayed(sender, "third", delay, ttl=HOUR),
        "fourth": delayed(sender, "fourth", 0),
    }


@asserts("7.9-3", "7.9-4", "3.4.13-6", ack=("auto", "client"), variant="listener")
def test_a_listener_gets_nothing_early(case: Case) -> None:
    """A listener gets no message before its delivery time, whatever its mode, priority and time to live."""
    dues, seen = _heard(case, case.link(), _four)
    expect.equal("the messages that the listener got", sorted(map(str, seen)), sorted(dues))
    with expect.all_of():
        for text, due in dues.items():
            _not_early(case, text, seen[text], due)


@asserts("7.9-3", "7.9-4", "3.4.13-6", ack=("auto", "client", "transacted"), variant="options")
def test_no_option_makes_a_delayed_message_early(case: Case) -> None:
    """A waiting receive gets no message before its delivery time, whatever its mode, priority and time to live."""
    link = case.link()
    dues = _four(link)
    link.client.settle()
    with expect.all_of():
        for _ in dues:
            message = link.receive()
            _not_early(case, str(body(message)), case.now(), dues[str(body(message))])


@asserts("7.9-4", "3.4.13-6", variant="kinds")
def test_no_kind_of_subscription_delivers_early(case: Case) -> None:
    """Each kind of subscription, its consumer open all the time or opened again meanwhile, delivers nothing early."""
    for kind in working_kinds(case, case.client(client_id=case.name("c"))):
        watched = subscription(case, kind)
        link, sender = watched.open(), publisher(case, watched.topic)
        for again in (False, True)[: 1 + kind.endswith("durable")]:
            due = delayed(sender, "delayed", 2 * case.timing.delay)
            if again:
                link.consumer.close()
                link = watched.open(client=link.client)
            expect.arrives(link, ["delayed"])
            _not_early(case, f"delayed, {kind}", case.now(), due)


@asserts("7.9-3", "7.9-4", "3.4.13-6", ack=("transacted",), variant="transaction")
def test_no_message_of_a_transaction_is_early(case: Case) -> None:
    """Of one transaction, committed later than it sent, each message keeps its own delay."""
    link = case.link()
    dues = _four(link)
    case.pass_time(case.timing.delay / 2, "the commit must come later than the sends")
    link.client.commit()
    with expect.all_of():
        for _ in dues:
            message = link.receive()
            _not_early(case, str(body(message)), case.now(), dues[str(body(message))])


@asserts("7.9-3", "7.9-4", "3.4.13-6", variant="restart")
def test_a_restart_makes_no_message_early(case: Case) -> None:
    """PERSISTENT messages of a queue or durable subscription that a restart overtakes do not come before their delivery time."""
    case.needs(api.Hook.RESTART)
    link, name = unattended(case)
    dues = {text: delayed(link, text, case.timing.deadline + after) for after, text in ((50, "later"), (0, "sooner"))}
    case.provider.restart()
    again = reconnected(case, link.destination, durable=name)
    for _ in dues:
        message = again.take()
        _not_early(case, str(body(message)), case.now(), dues[str(body(message))])


@asserts("7.9-3", "7.9-4", "3.4.13-6", ack=("client", "transacted"), variant="returned")
def test_a_rollback_makes_no_message_early(case: Case) -> None:
    """While another message of the destination is returned again and again, a delayed one does not come early."""
    link = case.link()
    link.send("again")
    due = delayed(link, "delayed", 3 * case.timing.delay)
    link.client.settle()
    for _ in range(3):
        expect.arrives(link, ["again"], settle=False)
        case.pass_time(case.timing.delay / 4, "time passes between the deliveries")
        link.client.return_all()
    expect.arrives(link, ["again", "delayed"])
    _not_early(case, "delayed", case.now(), due)


@asserts("7.9-3", "7.9-4", "3.4.13-6", ack=("auto", "client", "transacted"), variant="asynchronous")
def test_an_asynchronous_send_makes_no_message_early(case: Case) -> None:
    """A message that was sent asynchronously with a delay is not received before its delivery time."""
    link = case.link()
    due = _sent_asynchronously(link)
    link.take()
    _not_early(case, "delayed", case.now(), due)


@asserts("7.9-3", "7.9-4", "3.4.13-6", variant="polled")
def test_looking_again_makes_no_message_early(case: Case) -> None:
    """receiveNoWait, called again and again by new consumers of a queue or durable subscription, finds nothing early."""
    sender, name = unattended(case)
    due = delayed(sender, "delayed", 2 * case.timing.delay)
    client = case.client(client_id=name)
    came: list[int] = []
    for look in (True, True, True, True, False):
        link = case.link(client=client, destination=sender.destination, durable=name)
        message = link.consumer.receive_no_wait() if look else link.poll()
        came += [case.now()] if message is not None else []
        case.pass_time(case.timing.delay / 4, "time passes between the looks")
        link.consumer.close()
    if not came:
        raise Undecided("the delayed message did not come")
    case.witness("the delayed message came")
    _not_early(case, "delayed", came[0], due)


def _sent_asynchronously(link: Link) -> int:
    """Send a message asynchronously with a delay, and wait for its callback; return the earliest time of its delivery."""
    callbacks, delay = Callbacks(link.case), 2 * link.case.timing.delay
    due = link.case.now() + delay
    link.sender.set(delay=delay)
    send_async(link.sender, link.text("delayed"), callbacks)
    link.sender.set(delay=0)
    callbacks.one()
    link.client.settle()
    return due


# -- available from the delivery time on ------------------------------------------------------------------------------


@asserts("7.9-5", ack=EVERY)
def test_a_waiting_receive_gets_a_message_when_it_is_due(case: Case) -> None:
    """A receive that waits gets a delayed message soon after its delivery time, in both modes, without anything else happening."""
    for mode in (PERSISTENT, NON_PERSISTENT):
        link = case.link()
        due = delayed(link, "delayed", 2 * case.timing.delay, mode=mode)
        link.client.settle()
        expect.arrives(link, ["delayed"])
        _soon(case, "delayed", due)


@asserts("7.9-5", ack=("auto", "client", "transacted"), variant="out-of-order")
def test_a_long_delay_holds_no_shorter_one_up(case: Case) -> None:
    """Of messages sent with a long, a short and a middle delay each is available at its own time, in both modes."""
    link, delay = case.link(), case.timing.delay
    longest = case.timing.deadline + 3 * delay  # a short one that waits for it is late beyond doubt
    dues = {
        f"{name}, mode {mode}": delayed(link, f"{name}, mode {mode}", after, mode=mode)
        for name, after in (("long", longest), ("short", delay), ("middle", 2 * delay))
        for mode in (PERSISTENT, NON_PERSISTENT)
    }
    link.client.settle()
    came = set[object]()
    for _ in dues:
        message = link.poll(longest + case.timing.deadline)
        if message is None:
            break
        came.add(body(message))
        _soon(case, str(body(message)), dues.get(str(body(message)), 0))
        link.client.settle(message)
    expect.equal("the messages that came", sorted(map(str, came)), sorted(dues))


@asserts("7.9-5", ack=("auto", "client"), variant="listener")
def test_a_listener_gets_a_message_when_it_is_due(case: Case) -> None:
    """A listener gets each of four messages with different delays soon after its delivery time."""
    dues, seen = _heard(case, case.link(), _four)
    expect.equal("the messages that the listener got", sorted(map(str, seen)), sorted(dues))
    for text, due in dues.items():
        latest = case.latest(due) + case.timing.tolerance
        expect.true(f"{text!r} arrives by {latest}", seen[text] <= latest, f"it arrived at {seen[text]}")


@asserts("7.9-5", ack=("auto", "client", "transacted"), variant="later-consumer", plain=True)
def test_a_later_consumer_gets_what_became_due(case: Case) -> None:
    """What became due while nobody consumed and its sender was gone comes to a later consumer of queue or durable subscription."""
    for mode in (PERSISTENT, NON_PERSISTENT) if case.domain == "queue" else (PERSISTENT,):
        sender, name = unattended(case)
        delayed(sender, "delayed", 2 * case.timing.delay, mode=mode)
        sender.client.close()
        case.pass_time(3 * case.timing.delay, "the message must become due")
        link = case.link(destination=sender.destination, durable=name)
        expect.arrives(link, ["delayed"])
        expect.only(link)


@asserts("7.9-5", variant="polled")
def test_what_is_due_is_there_at_once(case: Case) -> None:
    """What became due while its consumer was idle, or its connection stopped and started again, is found by receiveNoWait."""
    link = case.link()
    delayed(link, "idle", case.timing.delay)
    case.pass_time(2 * case.timing.delay, "the message must become due")
    expect.polls(link, "idle")
    delayed(link, "stopped", case.timing.delay)
    link.client.stop()
    case.pass_time(2 * case.timing.delay, "the message must become due")
    link.client.start()
    expect.polls(link, "stopped")


@asserts("7.9-5", ack=("client", "transacted"), variant="returned")
def test_a_returned_message_is_not_delayed_again(case: Case) -> None:
    """A delayed message that is returned, twice, and left by its client is redelivered at once: its delivery time is over."""
    name = case.name("s")
    link = case.link(durable=name)
    delay = case.timing.deadline + case.timing.delay  # more than a message may take that comes at once
    delayed(link, "delayed", delay)
    link.client.settle()
    message = link.poll(delay + case.timing.deadline)
    expect.true("the message arrives", message is not None, "it did not")
    for _ in range(2):
        link.client.return_all()
        expect.arrives(link, ["delayed"], settle=False)
    link.client.close()
    expect.only(reconnected(case, link.destination, durable=name), ["delayed"])


@asserts("7.9-5", variant="restart")
def test_what_became_due_during_a_restart_is_available(case: Case) -> None:
    """PERSISTENT messages that a restart or, if it can be, a failure overtakes come: those due by then, and those due later."""
    case.needs(api.Hook.RESTART)
    failures = [case.provider.restart, *([case.provider.kill] if case.has(api.Hook.KILL) else [])]
    for break_off in failures:
        link, name = unattended(case)
        delayed(link, "soon due", 1)
        delayed(link, "due later", case.timing.deadline)
        break_off()
        again = reconnected(case, link.destination, durable=name)
        expect.arrives(again, ["soon due"])
        message = again.poll(2 * case.timing.deadline)
        expect.equal("the message that is due later", message and body(message), "due later")


@asserts("7.9-5", ack=("transacted",), variant="late-commit")
def test_a_message_due_before_its_commit_comes_at_the_commit(case: Case) -> None:
    """What a transaction sent and what became due before its commit is available after the commit, and what is due later later."""
    link = case.link()
    delayed(link, "due before", case.timing.delay)
    later = delayed(link, "due later", 4 * case.timing.delay)
    case.pass_time(2 * case.timing.delay, "the first message must become due")
    link.client.commit()
    committed = case.now()
    expect.arrives(link, ["due before"])
    _soon(case, "due before", committed)
    expect.arrives(link, ["due later"])
    _soon(case, "due later", later)


@asserts("7.9-5", ack=("auto", "transacted"), variant="time-to-live")
def test_a_delayed_message_that_lives_longer_comes(case: Case) -> None:
    """A delayed message whose time to live ends after its delivery time is delivered, in both modes."""
    link = case.link()
    for mode in (PERSISTENT, NON_PERSISTENT):
        delayed(link, f"mode {mode}", case.timing.delay, mode=mode, ttl=HOUR)
        link.client.settle()
        expect.arrives(link, [f"mode {mode}"])


@asserts("7.9-5", variant="many")
def test_many_delayed_messages_are_available(case: Case) -> None:
    """Each of three hundred messages with the same delay comes, and none twice."""
    link = case.link()
    link.sender.set(delay=case.timing.delay)
    link.send_all(numbered(300))
    link.sender.set(delay=0)
    case.pass_time(case.timing.delay, "the messages must become due")
    expect.arrives(link, numbered(300), ordered=False)
    expect.only(link)


@asserts("7.9-5", ack=("auto", "transacted"), variant="asynchronous")
def test_a_delayed_message_that_was_sent_asynchronously_is_available(case: Case) -> None:
    """A message that was sent asynchronously with a delay comes soon after its delivery time, and once."""
    link = case.link()
    due = _sent_asynchronously(link)
    expect.arrives(link, ["delayed"])
    _soon(case, "delayed", due)
    expect.only(link)


@asserts("7.9-10", ack=("auto", "client"), variant="sent-on")
def test_a_message_that_came_late_is_sent_on_at_once(case: Case) -> None:
    """A received message that had a delay is sent on without one: it comes at once."""
    link, onward = case.link(), case.link()
    delay = case.timing.deadline + case.timing.delay  # more than a message may take that comes at once
    delayed(link, "delayed", delay)
    received = link.poll(delay + case.timing.deadline)
    if received is None:
        raise Undecided("the delayed message did not come")
    onward.send(received)
    expect.arrives(onward, ["delayed"])
