"""Branches of global transactions: whose they are, when they are over, and which decision counts."""

import pytest
from check_events import broken, judged


class Branching:
    """An XA session with its resource."""

    def __init__(self, log):
        self.log = log
        self.session = log.create(
            "session", log.connection(), "XAConnection.create_xa_session", session_mode=0, transacted=True
        )
        log.events[-1]["created"]["type"] = "XASession"
        self.resource = log.create("resource", self.session, "XASession.xa_resource")

    def __call__(self, name, value=None, *, code=None, xid=1, **more):
        call = self.log.begin(
            self.resource, f"XAResource.{name}", self.session, xid={"type": "Xid", "value": xid}, **more
        )
        if code is None:
            self.log.end(call, value=value)
        else:
            self.log.end(call, "fail", error={"type": "XAException", "text": "", "code": str(code), "linked": None})


@pytest.fixture
def branching(log):
    """An XA session, a producer of it, and a consumer of another session."""
    xa, receiving = Branching(log), log.session()
    return xa, log.producer(xa.session), log.consumer(receiving), receiving


@pytest.mark.parametrize("prepares", [False, True])
@pytest.mark.parametrize("commits", [False, True])
def test_an_ended_branch_outlives_its_session(log, branching, prepares, commits):
    xa, producer, consumer, receiving = branching
    other = Branching(log)
    xa("start", flags=0)
    sent = log.send(producer)
    xa("end", flags=0)
    log.call(xa.session, "Session.close", xa.session)
    if prepares:
        other("prepare", 0)
    other("commit" if commits else "rollback", one_phase=not prepares)
    log.receive(consumer, receiving, sent)
    wrong = {"rolled-back-invisible", "prepared-outcome"} if prepares else {"rolled-back-invisible"}
    assert broken(log) == (set() if commits else wrong)


def test_a_branch_that_its_session_was_still_working_for_is_undone_by_the_close(log, branching):
    xa, producer, consumer, receiving = branching
    xa("start", flags=0)
    sent = log.send(producer)
    log.call(xa.session, "Session.close", xa.session)
    log.receive(consumer, receiving, sent)
    assert broken(log) == {"rolled-back-invisible"}


def test_an_xid_may_be_used_again_once_its_branch_is_over(log, branching):
    xa, producer, consumer, receiving = branching
    for commits in (False, True):
        xa("start", flags=0)
        sent = log.send(producer)
        xa("end", flags=0)
        xa("commit" if commits else "rollback", one_phase=True)
    log.receive(consumer, receiving, sent)
    assert broken(log) == set()


def test_joining_a_decided_branch_makes_no_new_one(log, branching):
    xa, producer, consumer, receiving = branching
    xa("start", flags=0)
    sent = log.send(producer)
    xa("end", flags=0)
    xa("start", flags=0x200000)
    other = log.send(producer)
    xa("end", flags=0)
    xa("rollback")
    log.receive(consumer, receiving, sent)
    log.receive(consumer, receiving, other)
    assert len(judged(log)["rolled-back-invisible"].violations) == 2


def test_received_in_a_reused_branch(log):
    xa, sending = Branching(log), log.session()
    producer, consumer = log.producer(sending), log.consumer(xa.session)
    first, second = log.send(producer, "a"), log.send(producer, "b")
    for xid, name, sent, again in ((1, "commit", first, 0), (1, "rollback", second, 0), (2, "commit", second, 1)):
        xa("start", flags=0, xid=xid)
        log.receive(consumer, xa.session, sent, again=again)
        xa("end", flags=0, xid=xid)
        xa(name, xid=xid)
    assert broken(log) == set()


def test_a_prepare_that_rolls_back_frees_what_was_received(log):
    xa, sending, receiving = Branching(log), log.session(), log.session()
    sent, consumer = log.send(log.producer(sending)), log.consumer(xa.session)
    xa("start", flags=0)
    log.receive(consumer, xa.session, sent)
    xa("end", flags=0)
    xa("prepare", code=100)
    log.receive(log.consumer(receiving), receiving, sent, again=1)
    assert broken(log) == set()


@pytest.mark.parametrize("code", [None, 100])
def test_an_end_that_marks_for_rollback_may_free_what_was_received_at_once(log, code):
    xa, sending, receiving = Branching(log), log.session(), log.session()
    sent, consumer = log.send(log.producer(sending)), log.consumer(xa.session)
    xa("start", flags=0)
    log.receive(consumer, xa.session, sent)
    xa("end", code=code, flags=0)
    log.receive(log.consumer(receiving), receiving, sent, again=1)
    xa("rollback")
    assert broken(log) == ({"one-holder"} if code is None else set())


def test_what_was_sent_in_a_branch_whose_end_marked_it_for_rollback_stays_invisible(log, branching):
    xa, producer, consumer, receiving = branching
    xa("start", flags=0)
    sent = log.send(producer)
    xa("end", code=100, flags=0)
    log.receive(consumer, receiving, sent)
    assert broken(log) == {"rolled-back-invisible"}


def test_a_prepare_that_rolls_back_undoes_what_was_sent(log, branching):
    xa, producer, consumer, receiving = branching
    xa("start", flags=0)
    sent = log.send(producer)
    xa("end", flags=0)
    xa("prepare", code=106)
    log.receive(consumer, receiving, sent)
    assert broken(log) == {"rolled-back-invisible"}


@pytest.mark.parametrize("code", [-7, 4])
def test_a_commit_in_doubt_yields_to_one_that_is_sure(log, branching, code):
    xa, producer, consumer, receiving = branching
    xa("start", flags=0)
    log.send(producer)
    xa("end", flags=0)
    xa("prepare", 0)
    xa("commit", code=code, one_phase=False)
    log.time_out(consumer, receiving)
    assert broken(log) == set()
    xa("commit", one_phase=False)
    log.time_out(consumer, receiving)
    assert broken(log) == {"no-loss-persistent", "prepared-outcome"}


def test_a_commit_out_of_place_decides_nothing(log, branching):
    xa, producer, consumer, receiving = branching
    xa("start", flags=0)
    sent = log.send(producer)
    xa("commit", code=-6, one_phase=True)
    xa("end", flags=0)
    log.receive(consumer, receiving, sent)
    assert broken(log) == {"uncommitted-invisible"}
