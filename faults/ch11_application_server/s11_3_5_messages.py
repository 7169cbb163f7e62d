"""Faults in 11.3.5: messages that carry the transaction of their send."""

from faults.kit import *


@saboteur(
    "11.3.5-11",
    "a session gets at once what it sends in a branch to a destination that it consumes",
    at=fault_points.SEND_SUBMITTED,
)
def _(original, session, physical, entry):
    own = [consumer for consumer in session.consumers if consumer.receiver.physical is physical]
    if own and isinstance(session, ReferenceXASession) and session.resource._branch is not None:
        work = Work(session.broker)
        work.sends.append((physical, entry))
        work.perform()
    else:
        original(session, physical, entry)


@saboteur("11.3.5-12", "the rollback of a branch consumes messages that its own session had sent")
def _(patch):
    sent = {}

    def submit(original, session, physical, entry):
        sent.setdefault(id(session), Marked()).add(entry)
        original(session, physical, entry)

    def fault(resource, branch):
        own = sent.get(id(session_behind(resource)), Marked())
        consume(resource, take_out(branch, [one for one in branch.work.acks if one.entry in own]))

    patch.at(fault_points.SEND_SUBMITTED, submit)
    before_rollback_of_branch(patch, fault)
