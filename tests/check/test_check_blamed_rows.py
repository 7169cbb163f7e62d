"""Which rows a violation of a property breaks."""

import pytest
from check_events import blamed


@pytest.mark.parametrize(("mode", "row"), [(2, "9.1-2"), (1, "9.1-3")])
def test_settled_is_redelivered_after_a_restart(log, mode, row):
    sending, receiving = log.session(), log.session(mode=2)
    consumer = log.consumer(receiving)
    sent = log.send(log.producer(sending), mode=mode)
    log.receive(consumer, receiving, sent)
    log.call("message-2", "Message.acknowledge", receiving)
    log.call("provider", "Provider.restart")
    later = log.session()
    log.receive(log.consumer(later), later, sent, again=1)
    assert blamed(log) == {"settled-survives-restart": {"6.2.11-4", row}}


def test_a_commit_without_effect_breaks_no_row_about_what_was_rolled_back(log):
    sending, receiving = log.session(), log.session(mode=0)
    consumer = log.consumer(receiving)
    sent = log.send(log.producer(sending))
    log.receive(consumer, receiving, sent)
    log.call(receiving, "Session.commit", receiving)
    log.receive(consumer, receiving, sent)
    log.call(receiving, "Session.rollback", receiving)
    log.time_out(consumer, receiving)
    log.wait(2000)
    log.time_out(consumer, receiving)
    assert blamed(log) == {"settled-stays-settled": {"6.2.7-1", "7.7-6"}}


@pytest.mark.parametrize("returned", [False, True])
def test_a_count_rises_by_a_rollback_only_where_one_precedes(log, returned):
    sending, receiving = log.session(), log.session(mode=0)
    consumer = log.consumer(receiving)
    sent = log.send(log.producer(sending))
    log.receive(consumer, receiving, sent)
    log.call(receiving, "Session.rollback", receiving)
    log.receive(consumer, receiving, sent, again=2)
    if returned:
        log.call(receiving, "Session.rollback", receiving)
    log.receive(consumer, receiving, sent, again=2)
    log.call(receiving, "Session.rollback", receiving)
    log.receive(consumer, receiving, sent, again=3)
    assert blamed(log).get("count-rises", set()) == ({"6.2.10-34"} if returned else set())
