"""Bridges of the kit that route by transactions, between the stand-in channel and the reference provider."""

import contextlib

import pytest
from test_interworking_polling import PULL, PUSH, World

from tck.interworking.transactions import UnsupportedTransaction
from tck.suite.support.interworking.coordinator import Did, Point


class Ends(World):
    """A world with a transaction service."""

    def ends(self):
        """Return how transactions ended that carried a message or an event: those with more than an empty pull."""
        self.clock.event().wait(10)  # until whoever commits has noted it
        done = {each.transaction for each in self.service.log(Did.ASK_COMMIT)}
        return [each.did for each in self.service.log(Did.COMMITTED, Did.ROLLED_BACK) if each.transaction in done]

    def refuse_the_first(self):
        """Let the first transaction that is asked for its vote be refused."""
        self.service.hooks.append(lambda point, _: point != Point.ASKED or bool(self.service.log(Did.ASK_COMMIT)[1:]))

    def waited_for(self, count):
        return [self.puller.pull_structured_event().remainder_of_body.value for _ in range(count)]


@pytest.fixture
def opened(tmp_path):
    with contextlib.ExitStack() as stack:

        def open_ends(*, transactions=True):
            ends = Ends(tmp_path, transactions=transactions)
            stack.callback(ends.provider.close)
            stack.callback(ends.factory.close)
            stack.enter_context(ends.clock.actor())
            return ends

        yield open_ends


@pytest.mark.parametrize("source", [PULL, PUSH])
def test_a_message_that_was_rolled_back_is_pulled_again(opened, source):
    ends = opened()
    ends.refuse_the_first()
    ends.started(source, PULL, to_jms=False).enable_transaction(1, 0)
    ends.send("x")
    assert ends.waited_for(1) == ["x"]
    assert ends.pulled() == []
    assert ends.ends() == [Did.ROLLED_BACK, Did.COMMITTED]
    assert ends.service.log(Did.ENLIST)


def test_what_a_bridge_holds_when_transactions_begin_comes_once_and_first(opened):
    ends = opened()
    ends.refuse_the_first()
    bridge = ends.started(PUSH, PULL, to_jms=False)
    bridge.proxy.suspend_connection()
    ends.send("a", "b")
    ends.pass_ms(100)
    bridge.enable_transaction(2, 0)
    ends.send("c")
    bridge.proxy.resume_connection()
    assert ends.waited_for(3) == ["a", "b", "c"]
    assert ends.ends()[:2] == [Did.ROLLED_BACK, Did.COMMITTED]
    bridge.disable_transaction()
    ends.send("d")
    assert ends.waited_for(1) == ["d"]
    assert ends.pulled() == []


def test_a_bridge_whose_connection_was_lost_still_takes_part(opened):
    ends = opened()
    bridge = ends.started(PUSH, PUSH, to_jms=True)
    bridge.enable_transaction(1, 0)
    ends.provider.sever(bridge.connection)
    assert bridge.broken.wait(60)
    bridge.start_bridge()
    ends.refuse_the_first()
    ends.push("0")
    ends.consumer = ends.session.create_consumer(ends.queue)
    assert ends.consumer.receive(60_000).get_string_property("$event_name") == "0"
    assert ends.came() == []
    assert ends.ends() == [Did.ROLLED_BACK, Did.COMMITTED]


def test_enabled_and_disabled_again(opened):
    ends = opened()
    bridge = ends.started(PUSH, PUSH, to_jms=True)
    bridge.enable_transaction(1, 0)
    ends.push("0")
    assert ends.came() == ["0"]
    bridge.disable_transaction()
    ends.push("1")
    assert ends.came() == ["1"]
    assert ends.ends() == [Did.COMMITTED]
    assert not bridge.unit.working


@pytest.mark.parametrize(
    ("source", "to_jms", "transactions"),
    [(PULL, True, True), (PULL, False, True), (PUSH, False, True), (PUSH, True, False)],
)
def test_no_service_or_no_transactional_configuration(opened, source, to_jms, transactions):
    bridge = opened(transactions=transactions).started(source, PUSH, to_jms=to_jms)
    with pytest.raises(UnsupportedTransaction):
        bridge.enable_transaction(1, 0)
    bridge.disable_transaction()
