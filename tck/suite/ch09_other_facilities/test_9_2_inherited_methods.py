"""9.2 Inherited methods which a domain does not have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.clients.client import Client
from tck.suite.support.clients.gathering import numbered
from tck.suite.support.clients.link import Link
from tck.suite.support.clients.members import Rows, every_call, session_interface
from tck.suite.support.clients.subscriptions import publisher, subscription
from tck.suite.support.lifecycle.administered import exchanged, what_exists
from tck.suite.support.lifecycle.refusals import (
    before_everything,
    refused,
    with_open_work,
    with_returned_work,
    within_a_listener,
)
from tck.suite.support.lifecycle.unstarted import unstarted

MODES = ("auto", "client", "dups_ok", "transacted")
RETURNING = ("client", "transacted")
METHODS: Mapping[str, str] = {
    "9.2-4": "createDurableSubscriber",
    "9.2-5": "createDurableConsumer",
    "9.2-6": "createSharedConsumer",
    "9.2-7": "createSharedDurableConsumer",
    "9.2-8": "createTemporaryTopic",
    "9.2-9": "createTopic",
    "9.2-10": "unsubscribe",
    "9.2-11": "createBrowser",
    "9.2-12": "createQueue",
    "9.2-13": "createTemporaryQueue",
}
"""The method of each row; all its overloads."""
Judge = Callable[[str], None]


@asserts("9.2-28", variant="queue")
def test_a_browser_needs_a_queue(case: Case) -> None:
    """createBrowser() of null, with and without a selector, raises InvalidDestinationException at once."""
    session = case.client().session
    calls = partial(every_call, case, session_interface(case), lambda: session, only=["createBrowser"])
    expect.all_raise(api.InvalidDestinationException, calls(queue=None), though_work=calls())


def _for_each_row(case: Case, judge: Judge) -> None:
    """Judge the method of each row of the case in a block of its own."""
    with expect.all_of():
        for row in case.rows:
            with expect.for_row(row.id):
                judge(METHODS[row.id])


def _calls(case: Case, session: Any, method: str, **given: Any) -> Rows:
    interface = "QueueSession" if case.domain == "queue" else "TopicSession"
    return every_call(case, interface, lambda: session, only=[method], **given)


def _refused(case: Case, session: Any, method: str, **given: Any) -> None:
    refused(api.IllegalStateException, _calls(case, session, method, **given))


def _link(case: Case) -> Link:
    """Open a link whose connection has a client identifier, so that durable subscriptions would be possible."""
    return case.link(client=case.client(client_id=case.name("c")))


def _with_work(case: Case, scenario: Callable[[Link, Callable[[], None]], None]) -> None:
    def judge(method: str) -> None:
        link = _link(case)
        scenario(link, partial(_refused, case, link.client.session, method))

    _for_each_row(case, judge)


@asserts("9.2-4", "9.2-5", "9.2-6", "9.2-7", "9.2-8", "9.2-9", "9.2-10", ack=MODES)
def test_a_queue_session_has_no_methods_of_topics(case: Case) -> None:
    """Each method of topics is refused by a QueueSession, twice, with messages unsettled that are then settled as a whole."""
    _with_work(case, with_open_work)


@asserts("9.2-11", "9.2-12", "9.2-13", ack=MODES)
def test_a_topic_session_has_no_methods_of_queues(case: Case) -> None:
    """Each method of queues is refused by a TopicSession, twice, with messages unsettled that are then settled as a whole."""
    _with_work(case, with_open_work)


@asserts("9.2-4", "9.2-5", "9.2-6", "9.2-7", "9.2-8", "9.2-9", "9.2-10", ack=RETURNING, variant="returned")
def test_a_queue_session_has_no_methods_of_topics_after_a_return(case: Case) -> None:
    """Each method of topics is refused by a QueueSession before and after a rollback or recover(), which returns everything."""
    _with_work(case, with_returned_work)


@asserts("9.2-11", "9.2-12", "9.2-13", ack=RETURNING, variant="returned")
def test_a_topic_session_has_no_methods_of_queues_after_a_return(case: Case) -> None:
    """Each method of queues is refused by a TopicSession before and after a rollback or recover(), which returns everything."""
    _with_work(case, with_returned_work)


def _by_a_listener(case: Case, method: str) -> None:
    link = case.link(client=case.client(client_id=case.name("c")).peer())
    within_a_listener(link, api.IllegalStateException, _calls(case, link.client.session, method))


@asserts("9.2-4", "9.2-5", "9.2-6", "9.2-7", "9.2-8", "9.2-9", "9.2-10", ack=MODES, variant="listener")
def test_a_listener_of_queues_has_no_methods_of_topics(case: Case) -> None:
    """Each method of topics is refused within a listener of a second QueueSession, which settles its message and gets the next."""
    _for_each_row(case, partial(_by_a_listener, case))


@asserts("9.2-11", "9.2-12", "9.2-13", ack=MODES, variant="listener")
def test_a_listener_of_topics_has_no_methods_of_queues(case: Case) -> None:
    """Each method of queues is refused within a listener of a second TopicSession, which settles its message and gets the next."""
    _for_each_row(case, partial(_by_a_listener, case))


def _first_of_all(case: Case, method: str) -> None:
    client = unstarted(case, client_id=case.name("c"))
    before_everything(client, partial(_refused, case, client.session, method))


@asserts("9.2-4", "9.2-5", "9.2-6", "9.2-7", "9.2-8", "9.2-9", "9.2-10", ack=("auto", "transacted"), variant="first")
def test_a_new_queue_session_has_no_methods_of_topics(case: Case) -> None:
    """Each method of topics is refused as the first call on a QueueSession whose connection was not started; it then serves."""
    _for_each_row(case, partial(_first_of_all, case))


@asserts("9.2-11", "9.2-12", "9.2-13", ack=("auto", "transacted"), variant="first")
def test_a_new_topic_session_has_no_methods_of_queues(case: Case) -> None:
    """Each method of queues is refused as the first call on a TopicSession whose connection was not started; it then serves."""
    _for_each_row(case, partial(_first_of_all, case))


def _changes_nothing(case: Case, client: Client, method: str, **given: Any) -> None:
    """Demand refusals, with a selector and without, after which the administrator sees what was there before."""
    there = what_exists(case)
    for selector in (None, "JMSPriority > 0"):
        _refused(case, client.session, method, message_selector=selector, **given)
    expect.equal("what an administrator sees", [what_exists(case)], [there])
    client.close()


def _leaves_subscriptions(case: Case, method: str) -> None:
    """Demand that refusals keep a durable subscription of their name with its messages, and make none of a new name."""
    kept, other = subscription(case, "durable"), case.topic()
    subscriber = kept.open()
    subscriber.send("received")
    expect.arrives(subscriber, ["received"])
    subscriber.client.close()
    publisher(case, kept.topic).send_all(numbered(2))
    new = subscription(case, "durable", other, client_id=kept.client_id)
    for name, topic in ((kept.name, kept.topic), (kept.name, other), (new.name, other)):
        given = {"topic": topic, "name": name, "shared_subscription_name": name, "topic_name": topic.topic_name}
        _changes_nothing(case, case.client(client_id=kept.client_id), method, **given)
    publisher(case, other).send("before there is a subscription")
    again = kept.open()
    expect.only(again, numbered(2))
    expect.only(expect.works("opening the new subscription", partial(new.open, client=again.client)))


@asserts("9.2-4", "9.2-5", "9.2-6", "9.2-7", "9.2-8", "9.2-9", "9.2-10", variant="effects")
def test_a_method_that_a_queue_session_refuses_has_no_effect(case: Case) -> None:
    """Refused methods of topics create no subscription and no topic, and leave a subscription of their name with its messages."""
    case.presume("pubsub")
    _for_each_row(case, partial(_leaves_subscriptions, case))


def _leaves_queues(case: Case, method: str) -> None:
    """Demand that refusals leave a queue that they name with its messages, none of which was delivered."""
    queue = case.queue()
    case.link(destination=queue, consumes=False).send_all(numbered(3))
    exchanged(case, case.client())
    _changes_nothing(case, case.client(), method, queue=queue, queue_name=queue.queue_name)
    link = case.link("client", destination=queue)
    received = expect.arrives(link, numbered(3))
    expect.equal("JMSRedelivered", [message.jms_redelivered for message in received], [False] * 3)
    expect.only(link)


@asserts("9.2-11", "9.2-12", "9.2-13", variant="effects")
def test_a_method_that_a_topic_session_refuses_has_no_effect(case: Case) -> None:
    """Refused methods of queues create no queue, and leave a queue that they name with its messages."""
    _for_each_row(case, partial(_leaves_queues, case))
