"""Faults of transactions; see `tck.check.properties.transaction`."""

from faults.kit import *


@breaks("uncommitted-invisible")
def _seen_at_once(patch):
    strikes = now_and_then(3)

    def submit(original, session, physical, entry):
        if session.state.mode == Session.SESSION_TRANSACTED and strikes():
            work = Work(session.broker)
            work.sends.append((physical, entry))
            work.perform()
        else:
            original(session, physical, entry)

    patch.at(fault_points.SEND_SUBMITTED, submit)


@breaks("uncommitted-not-browsed")
def _browsed_at_once(patch):
    strikes, submitted = now_and_then(3), []

    def submit(original, session, physical, entry):
        if session.state.mode == Session.SESSION_TRANSACTED and strikes():
            submitted[:] = [*submitted[-4:], (physical, entry)]
        original(session, physical, entry)

    def get_enumeration(original, browser):
        shown = original(browser)
        held = [browser._view(entry) for physical, entry in submitted if physical is browser._physical]
        shown._seen = iter([*shown._seen, *held])
        return shown

    patch.at(fault_points.SEND_SUBMITTED, submit)
    patch.around(ReferenceBrowser, "get_enumeration", get_enumeration)


@breaks("transaction-atomic")
def _half_a_commit(patch):
    strikes = now_and_then()

    def fault(session):
        sends = session.state.work.sends
        if len(sends) > 1 and not session.state.work.acks and strikes():
            session.state.work.sends = sends[::2]
            _commit_and_fail(session)

    before_commit(patch, fault)


@breaks("consume-produce-atomic")
def _sent_and_not_settled(patch):
    strikes = now_and_then()

    def fault(session):
        if session.state.work.sends and session.state.work.acks and strikes():
            acks, session.state.work.acks = session.state.work.acks, []
            session.broker.redelivery.redeliver(acks)
            _commit_and_fail(session)

    before_commit(patch, fault)


def _commit_and_fail(session):
    session.state.next_transaction().perform()
    raise JMSException("nobody knows what became of the commit", "IN_DOUBT")


@breaks("prepared-outcome")
def _rolled_back_instead(patch):
    strikes = now_and_then(3)

    def commit(original, resource, xid, one_phase):
        if not one_phase and strikes():
            resource.rollback(xid)
        else:
            original(resource, xid, one_phase)

    patch.at(fault_points.XA_COMMIT, commit)
