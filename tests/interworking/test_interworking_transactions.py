"""The transaction service of the kit, and the stand-in channel with it, on a virtual clock."""

import pytest
from channel_clients import SEQUENCE, STRUCTURED, Rig, numbered, rig

from tck.interworking import PERSISTENT
from tck.interworking.qos import CONNECTION_RELIABILITY, MAXIMUM_BATCH_SIZE, UnsupportedAdmin, UnsupportedQoS
from tck.interworking.transactions import (
    ENABLE_TRANSACTION,
    TRANSACTION_EVENT_SEQUENCES,
    TRANSACTION_EVENTS,
    TRANSACTION_TIMEOUT,
    NoTransaction,
    Resource,
    Status,
    TransactionRolledBack,
    Vote,
)
from tck.suite.support.interworking.coordinator import Did, Point, TransactionService

ON = {ENABLE_TRANSACTION: True}


class Noted(Resource):
    def __init__(self, vote=Vote.COMMIT):
        self.vote, self.did = vote, []

    def prepare(self):
        self.did.append("prepare")
        return self.vote

    def commit(self):
        self.did.append("commit")

    def rollback(self):
        self.did.append("rollback")


@pytest.fixture
def on():
    with rig() as plain:
        service = TransactionService(plain.clock, "test")
        plain.factory.use_transactions(service.current("channel"))
        made = Rig(plain.clock, plain.factory)
        made.service, made.current = service, service.current("client")
        yield made


# -- the service ---------------------------------------------------------------------------------------------------


def begun(on, *resources):
    on.current.begin()
    for each in resources:
        on.current.get_coordinator().register_resource(each)
    return on.current.get_coordinator()


def test_a_commit_prepares_all_and_commits_those_that_have_changes(on):
    parts = Noted(), Noted(Vote.READ_ONLY)
    coordinator = begun(on, *parts)
    on.current.commit()
    assert [each.did for each in parts] == [["prepare", "commit"], ["prepare"]]
    assert coordinator.get_status() == Status.COMMITTED
    assert on.current.get_coordinator() is None


def test_one_veto_rolls_all_back(on):
    parts = Noted(), Noted(Vote.ROLLBACK), Noted()
    coordinator = begun(on, *parts)
    with pytest.raises(TransactionRolledBack):
        on.current.commit()
    assert [each.did[-1] for each in parts] == ["rollback"] * 3
    assert coordinator.get_status() == Status.ROLLED_BACK


def test_rollback_only_a_hook_and_the_timeout_leave_a_rollback(on):
    begun(on)
    on.current.rollback_only()
    with pytest.raises(TransactionRolledBack):
        on.current.get_coordinator().register_resource(Noted())
    with pytest.raises(TransactionRolledBack):
        on.current.commit()
    on.service.hooks.append(lambda point, number: point != Point.ASKED or number != 2)
    begun(on)
    with pytest.raises(TransactionRolledBack):
        on.current.commit()
    on.current.set_timeout(1)
    begun(on)
    on.settle(1000)
    with pytest.raises(TransactionRolledBack):
        on.current.commit()
    begun(on)
    on.settle(999)
    on.current.commit()


def test_without_a_transaction_nothing_can_be_ended(on):
    for call in (on.current.commit, on.current.rollback, on.current.rollback_only):
        with pytest.raises(NoTransaction):
            call()


# -- proxies that begin transactions -------------------------------------------------------------------------------


def transacted_consumer(on, *failures, kind=STRUCTURED):
    consumer, proxy = on.push_consumer(*failures, kind=kind)
    proxy.set_qos(ON)
    return consumer, proxy


def ends(on):
    return [each.did for each in on.service.log(Did.COMMITTED, Did.ROLLED_BACK)]


def test_a_channel_without_a_service_knows_no_transactions(on):
    with rig() as other:
        with pytest.raises(UnsupportedQoS):
            other.channel.set_qos(ON)
        with pytest.raises(UnsupportedAdmin):
            other.channel.set_admin({TRANSACTION_EVENTS: 2})


@pytest.mark.parametrize(
    ("kind", "name", "size"), [(STRUCTURED, TRANSACTION_EVENTS, 1), (SEQUENCE, TRANSACTION_EVENT_SEQUENCES, 3)]
)
def test_a_transaction_carries_a_number_of_events_or_batches(on, kind, name, size):
    on.channel.set_admin({name: 2, TRANSACTION_TIMEOUT: 9})
    consumer, proxy = transacted_consumer(on, kind=kind)
    proxy.set_qos({MAXIMUM_BATCH_SIZE: size})
    on.push(*(numbered(at) for at in range(4 * size)))
    on.settle()
    assert consumer.batches == [list(range(at, at + size)) for at in range(0, 4 * size, size)]
    assert ends(on) == [Did.COMMITTED] * 2
    assert [each.value for each in on.service.log(Did.SET_TIMEOUT)] == [9, 9]
    on.push(numbered(99))
    on.settle(8_999)
    assert 99 not in consumer.got
    on.settle(2)
    assert 99 in consumer.got


@pytest.mark.parametrize("kind", [STRUCTURED, SEQUENCE])
def test_what_was_rolled_back_is_sent_again_in_its_place(on, kind):
    consumer, _ = transacted_consumer(on, *(OSError("no") for _ in range(5)), kind=kind)
    on.push(numbered(0), numbered(1))
    on.settle(60_000)
    assert consumer.got == [0, 1]
    assert ends(on) == [Did.ROLLED_BACK] * 5 + [Did.COMMITTED] * 2


# -- crashes -------------------------------------------------------------------------------------------------------


def test_transactions_make_reliable_and_their_end_best_effort(on):
    _, proxy = transacted_consumer(on)
    assert proxy.get_qos()[CONNECTION_RELIABILITY] == PERSISTENT
    proxy.set_qos({ENABLE_TRANSACTION: False})
    assert proxy.get_qos()[CONNECTION_RELIABILITY] == 0
