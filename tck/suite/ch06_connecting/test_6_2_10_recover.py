"""6.2.10 Message acknowledgment: recover, and the marks of redelivered messages."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.deliveries import counted
from tck.suite.support.clients.gathering import all_of, numbered, shared_out
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.listeners import CollectingListener, Listener
from tck.suite.support.lifecycle.stopping import sender_to
from tck.suite.support.values.seen import body

CLIENT = ("client",)
TRANSACTED = ("transacted",)
THREE = numbered(3)


@asserts("6.2.10-23", ack=CLIENT)
def test_recover_covers_all_consumers(case: Case) -> None:
    """recover() brings back what each of three consumers of the session got, however the receives were mixed."""
    one = case.link()
    links = [one, *(case.link(client=one.client) for _ in range(2))]
    for link in links:
        link.send_all(THREE[:2])
    for link in (links[0], links[1], links[0], links[2]):
        link.take()
    one.client.recover()
    for link in links:
        expect.arrives(link, THREE[:2], ordered=False, settle=False)
    one.client.recover()
    for link in links:
        expect.arrives(link, THREE[:2], ordered=False, settle=False)


@asserts("6.2.10-23", ack=CLIENT, variant="listener")
def test_recover_in_a_listener_covers_the_other_consumers(case: Case) -> None:
    """recover() that a listener calls brings back what the other listeners of its session got, and its own message."""
    one = case.link()
    other = case.link(client=one.client)
    kept, recovered = CollectingListener(case), CollectingListener(case)

    def recover_once(message: api.Message, call: int) -> None:
        recovered.on_message(message)
        if call == 1:
            one.client.recover()

    one.consumer.message_listener = kept
    other.consumer.message_listener = Listener(recover_once)
    sender_to(one).send_all(THREE[:2])
    expect.equal("what the first listener gets", kept.after(2), THREE[:2])
    sender_to(other).send("recovers")
    with expect.all_of():
        again = kept.after(4)
        expect.equal("what the first listener gets in all", [again[:2], sorted(map(str, again[2:]))], [THREE[:2]] * 2)
        expect.equal("what the listener that recovers gets", recovered.after(2), ["recovers", "recovers"])


@asserts("6.2.10-24", ack=CLIENT)
def test_recover_delivers_again_in_the_same_session(case: Case) -> None:
    """Without another consumer, what recover() resets comes to the same session again, also from the middle of a batch."""
    link = case.link()
    link.send_all(numbered(4))
    link.take_all(2)
    link.client.recover()
    expect.arrives(link, numbered(4)[:2], ordered=False, settle=False)
    link.take()
    link.client.recover()
    expect.only(link, numbered(4), ordered=False)


@asserts("6.2.10-24", ack=CLIENT, variant="competing")
def test_recover_beside_a_competing_consumer(case: Case) -> None:
    """With a second consumer on the queue each message that recover() resets comes once; to whom is recorded."""
    link = case.link()
    link.send_all(THREE)
    link.take_all(3)
    other = case.link("auto", destination=link.destination)
    link.client.recover()
    shares = shared_out([link, other], 3)
    expect.equal("what came", all_of(shares), THREE)
    expect.record("after recover() the recovering session got " + ("all" if len(shares[0]) == 3 else "some or none"))


def _hear(case: Case, link: Link, recover_at: int, count: int) -> list[object]:
    """Have a listener recover its session at one call; return the bodies of `count` calls."""
    done = case.provider.clock.event()
    bodies: list[object] = []

    def hear(message: api.Message, ordinal: int) -> None:
        bodies.append(body(message))
        if ordinal == recover_at:
            link.client.recover()
        if ordinal == count:
            link.client.settle(message)
            done.set()

    link.consumer.message_listener = Listener(hear)
    expect.true(f"a listener is called {count} times", done.wait(case.timing.deadline), f"it heard {bodies!r}")
    return bodies[:count]


@asserts("6.2.10-25", ack=CLIENT, variant="listener")
def test_delivery_goes_on_after_recover_in_a_listener(case: Case) -> None:
    """A listener recovers at the third message: the three come to it again, and then the fourth, without a start."""
    link = case.link()
    sender = case.link("auto", destination=link.destination, consumes=False)
    sender.send_all(THREE)
    heard = _hear(case, link, 3, 6)
    expect.equal("what the listener got first", heard[:3], THREE)
    expect.equal("what it got again", sorted(map(str, heard[3:])), THREE)


@asserts("6.2.10-25", ack=CLIENT, variant="receive")
def test_delivery_goes_on_after_recover(case: Case) -> None:
    """After recover() messages that were waiting, that are redelivered and that are sent later reach a receive."""
    link = case.link()
    other = case.link("auto", destination=link.destination, consumes=False)
    link.send_all(THREE)
    link.take_all(2)
    link.client.recover()
    call = case.spawn("receive() four times", lambda: [body(link.consumer.receive()) for _ in range(4)])
    other.send("004")
    came = expect.returns(call, "receive() four times after recover()")
    expect.equal("what came after recover()", sorted(map(str, came)), numbered(4))


@asserts("6.2.10-25", ack=CLIENT, variant="nothing-to-recover")
def test_delivery_goes_on_after_recover_without_messages(case: Case) -> None:
    """recover() with nothing to bring back does not stop the delivery to a receive."""
    link = case.link()
    link.client.recover()
    link.send("001")
    link.receive()
    link.client.recover()
    expect.only(link, [])


@asserts("6.2.10-26")
def test_recover_leaves_automatically_acknowledged_messages(case: Case) -> None:
    """recover() in AUTO_ACKNOWLEDGE brings back nothing that receive returned: the fourth message is next."""
    link = case.link()
    link.send_all(numbered(4))
    link.take_all(3)
    expect.works("recover()", link.client.recover)
    expect.only(link, ["004"])


@asserts("6.2.10-26", variant="listener")
def test_recover_in_a_listener_leaves_what_was_acknowledged(case: Case) -> None:
    """recover() in a listener in AUTO_ACKNOWLEDGE may bring back the message in hand, and none before it."""
    link = case.link()
    sender = case.link(destination=link.destination, consumes=False)
    sender.send_all(THREE)
    done = case.provider.clock.event()
    bodies: list[object] = []

    def hear(message: api.Message, ordinal: int) -> None:
        bodies.append(body(message))
        if ordinal == 3:
            link.client.recover()
        if body(message) == "004":
            done.set()

    link.consumer.message_listener = Listener(hear)
    sender.send("004")
    expect.true("the fourth message comes", done.wait(case.timing.deadline), f"the listener heard {bodies!r}")
    first_two = [text for text in bodies if text in THREE[:2]]
    expect.equal("how often the first two messages came", first_two, THREE[:2])


@asserts("6.2.10-28", ack=TRANSACTED)
def test_recover_is_refused_in_a_transaction(case: Case) -> None:
    """recover() of a transacted session raises, and the transaction goes on: what it received and sent is committed."""
    plain = case.link("client")
    plain.send("x")
    plain.take()
    expect.works("recover() outside of a transaction", plain.client.recover)
    link, target = case.link(), case.link("auto")
    forward = link.client.sender(target.destination)
    link.send_all(THREE[:2])
    link.take()
    forward.send(link.text("sent before"))
    with expect.all_of():
        _refused(case, link.client)
        forward.send(link.text("sent after"))
        expect.arrives(link, ["002"], settle=False)
        expect.works("commit() after the refused recover()", link.client.commit)
        expect.only(target, ["sent before", "sent after"])
        expect.only(link, [])


def _refused(case: Case, client: Client) -> None:
    expect.raises(case.thrown(api.IllegalStateException), client.recover, what="recover() in a transaction")


@asserts("6.2.10-31", ack=CLIENT, variant="receive")
def test_recover_sets_redelivered(case: Case) -> None:
    """JMSRedelivered is false at first and true after recover(), for each consumer and each message."""
    _flags(case)


@asserts("6.2.10-33", ack=TRANSACTED, variant="receive")
def test_rollback_sets_redelivered(case: Case) -> None:
    """JMSRedelivered is false at first and true after rollback(), for each consumer and each message."""
    _flags(case)


def _send_mixed(link: Link) -> None:
    """Send three messages, the second of them not persistent."""
    for text in THREE:
        mode = api.DeliveryMode.NON_PERSISTENT if text == "002" else api.DeliveryMode.PERSISTENT
        link.send(text, mode=mode)


def _flags(case: Case) -> None:
    one = case.link()
    links = [one, case.link(client=one.client)]
    for link in links:
        _send_mixed(link)
    for wanted in (False, True, True):
        for link in links:
            came = expect.arrives(link, THREE, ordered=False, settle=False)
            expect.equal("JMSRedelivered of each", [message.jms_redelivered for message in came], [wanted] * 3)
        one.client.return_all()


def _next_holder(case: Case) -> list[tuple[object, bool]]:
    """Take three of four messages, return them, close the consumer; show what the next client gets, with the flags."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send_all(numbered(4))
    link.take_all(3)
    link.client.return_all()
    link.client.close()
    again = case.link("auto", destination=link.destination, durable=name)
    came = [(body(message), message.jms_redelivered) for message in again.take_all(4)]
    return sorted(came, key=str)[:3]


@asserts("6.2.10-31", ack=CLIENT, variant="next-client")
def test_redelivered_after_recover_holds_for_the_next_client(case: Case) -> None:
    """What recover() reset and another client then gets, of the queue or the durable subscription, is flagged."""
    expect.equal("the messages and JMSRedelivered", _next_holder(case), [(text, True) for text in THREE])


@asserts("6.2.10-33", ack=TRANSACTED, variant="next-client")
def test_redelivered_after_rollback_holds_for_the_next_client(case: Case) -> None:
    """What rollback() returned and another client then gets, of the queue or the durable subscription, is flagged."""
    expect.equal("the messages and JMSRedelivered", _next_holder(case), [(text, True) for text in THREE])


@asserts("6.2.10-33", ack=TRANSACTED, variant="closed-consumer")
def test_redelivered_after_rollback_holds_though_the_consumer_was_closed(case: Case) -> None:
    """What a transaction received through a consumer that is closed before the rollback is redelivered, flagged, to another one."""
    name = case.name("s")
    link = case.link(durable=name)
    _send_mixed(link)
    link.take_all(2)
    link.consumer.close()
    link.client.rollback()
    link.client.close()
    again = case.link(destination=link.destination, durable=name)
    came = sorted((str(body(message)), message.jms_redelivered) for message in again.take_all(3))
    expect.equal("the messages that were received before, and JMSRedelivered", came[:2], [("001", True), ("002", True)])


def _counts(case: Case) -> list[list[int]]:
    """Have a batch of three delivered four times; return JMSXDeliveryCount of each in each round."""
    link = case.link()
    _send_mixed(link)
    rounds = []
    for _ in range(4):
        rounds.append([counted(message)[1] for message in link.take_all(3)])
        link.client.return_all()
    return rounds


@asserts("6.2.10-32", ack=CLIENT, variant="batch")
def test_recover_raises_the_delivery_count(case: Case) -> None:
    """JMSXDeliveryCount of each message of a batch is 1 at first and one more after each recover()."""
    expect.equal("JMSXDeliveryCount, round after round", _counts(case), [[number] * 3 for number in range(1, 5)])


@asserts("6.2.10-34", ack=TRANSACTED, variant="batch")
def test_rollback_raises_the_delivery_count(case: Case) -> None:
    """JMSXDeliveryCount of each message of a batch is 1 at first and one more after each rollback()."""
    expect.equal("JMSXDeliveryCount, round after round", _counts(case), [[number] * 3 for number in range(1, 5)])


def _counts_of_the_next(case: Case) -> list[int]:
    """Have a batch of three delivered and returned twice; return JMSXDeliveryCount of each at the next client."""
    name = case.name("s")
    link = case.link(durable=name)
    link.send_all(THREE)
    for _ in range(2):
        link.take_all(3)
        link.client.return_all()
    link.client.close()
    again = case.link(destination=link.destination, durable=name)
    return [counted(message)[1] for message in again.take_all(3)]


def _repeated(counts: list[int]) -> None:
    expect.true("JMSXDeliveryCount at the next client is above 1", min(counts) > 1, f"it was {counts}")
    expect.record(
        f"after two deliveries JMSXDeliveryCount is {'' if counts == [3] * 3 else 'not '}3 at the next client"
    )


@asserts("6.2.10-32", ack=CLIENT, variant="next-client")
def test_the_delivery_count_after_recover_holds_for_the_next_client(case: Case) -> None:
    """After two deliveries, each followed by recover(), JMSXDeliveryCount is above 1 at the next client; 3.5.11-5 leaves its value open."""
    _repeated(_counts_of_the_next(case))


@asserts("6.2.10-34", ack=TRANSACTED, variant="next-client")
def test_the_delivery_count_after_rollback_holds_for_the_next_client(case: Case) -> None:
    """After two deliveries, each followed by rollback(), JMSXDeliveryCount is above 1 at the next client; 3.5.11-5 leaves its value open."""
    _repeated(_counts_of_the_next(case))
