"""Is the session of an XA connection transacted also without a branch, and what else does it refuse (11.3.3, 11.3.4)?  xa_session.py PROVIDER case=NAME"""

from branch import NOFLAGS, SUCCESS, code, factory, fresh, identifier, side
from brokers import api, end, made, tell
from jpype import JProxy

session, resource = side()
made.append(context := factory().createXAContext())
tell("getTransacted() of an XASession without a branch", session.getTransacted, "true", "transacted")
tell("commit() of an XASession without a branch", session.commit, "TransactionInProgressException", "commit")
tell("rollback() of an XASession without a branch", session.rollback, "TransactionInProgressException", "rollback")
tell("getTransacted() of an XAJMSContext without a branch", context.getTransacted, "true", "context-transacted")
tell("commit() of an XAJMSContext without a branch", context.commit, "TransactionInProgressRuntimeException", "context-commit")
tell("rollback() of an XAJMSContext without a branch", context.rollback, "TransactionInProgressRuntimeException", "context-rollback")


def within_a_branch(call):
    branched = context.getXAResource()
    branched.start(xid := identifier(), NOFLAGS)
    try:
        return call()
    finally:
        branched.end(xid, SUCCESS)
        branched.rollback(xid)


tell("rollback() of an XAJMSContext within a branch", lambda: within_a_branch(context.rollback), "TransactionInProgressRuntimeException", "context-rollback-within")


def asynchronous():
    listener = JProxy(api("CompletionListener"), dict={"onCompletion": lambda *_: None, "onException": lambda *_: None})
    resource.start(xid := identifier(), NOFLAGS)
    try:
        return code(lambda: session.createProducer(fresh()).send(session.createMessage(), listener))
    finally:
        resource.end(xid, SUCCESS)
        resource.rollback(xid)


tell("send() with a CompletionListener in a branch", asynchronous, "returned None", "async")
end()
