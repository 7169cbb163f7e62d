"""What does an XAResource do with branches that are not prepared, forgotten or have failed (11.3.5)?  branch_ends.py PROVIDER case=NAME"""

from branch import FAIL, NOFLAGS, bodies, code, fresh, identifier, ordinary, put, sent, side
from brokers import end, tell


def unprepared():
    session, resource = side()
    queue = fresh()
    xid = sent(session, resource, queue)
    refused = code(lambda: resource.commit(xid, False))
    later = code(lambda: resource.prepare(xid) or resource.commit(xid, False))
    return f"{refused}; prepare() and commit() then: {later}; came: {bodies(ordinary.createConsumer(queue))}"


tell("commit() in two phases without prepare()", unprepared, lambda seen: seen.startswith(("XAER_PROTO", "XAER_INVAL")) and "['sent']" in seen, "unprepared")


def forgotten():
    session, resource = side()
    queue = fresh()
    xid = sent(session, resource, queue)
    resource.prepare(xid)
    forgets = code(lambda: resource.forget(xid))
    return f"{forgets}; commit() then: {code(lambda: resource.commit(xid, False))}; came: {bodies(ordinary.createConsumer(queue))}"


tell("forget() of a prepared branch", forgotten, lambda seen: seen.startswith("XAER_") and "['sent']" in seen, "forget")


def failed():
    session, resource = side()
    queue, xid = fresh(), identifier()
    resource.start(xid, NOFLAGS)
    put(queue, "never sent", of=session)
    resource.end(xid, FAIL)
    return f"{code(lambda: resource.commit(xid, True))}; came: {bodies(ordinary.createConsumer(queue))}"


tell("commit() in one phase after end(TMFAIL)", failed, lambda seen: not seen.startswith("returned"), "fail")
end()
