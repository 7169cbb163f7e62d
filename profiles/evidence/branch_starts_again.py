"""What does an XAResource refuse to start while a branch is at work (11.3.5)?  branch_starts_again.py PROVIDER case=NAME"""

from threading import Thread

from branch import NOFLAGS, SUCCESS, bodies, code, fresh, identifier, ordinary, put, side
from brokers import end, tell


def busy():
    session, resource = side()
    queue, xid = fresh(), identifier()
    resource.start(xid, NOFLAGS)
    put(queue, "first", of=session)
    refused = code(lambda: resource.start(identifier(), NOFLAGS))
    return f"{refused}; end(): {code(lambda: resource.end(xid, SUCCESS))}; commit(): {code(lambda: resource.commit(xid, True))}; came: {bodies(ordinary.createConsumer(queue))}"


tell("start() of a new branch on a resource at work", busy, lambda seen: seen.startswith(("XAER_PROTO", "XAER_OUTSIDE")), "busy")


def started(resource, xid):
    """Give the code of a start; "no end" if it does not return within five seconds."""
    codes = ["no end"]
    thread = Thread(target=lambda: codes.insert(0, code(lambda: resource.start(xid, NOFLAGS))), daemon=True)
    thread.start()
    thread.join(5)
    return codes[0]


def twice():
    session, resource = side()
    _, other = side()
    queue, xid = fresh(), identifier()
    resource.start(xid, NOFLAGS)
    put(queue, "sent", of=session)
    refused = [started(other, xid)]
    if refused == ["no end"]:
        return "start() of the branch at work does not return"
    resource.end(xid, SUCCESS)
    refused.append(started(other, xid))
    return f"{' '.join(refused)}; then prepare() and commit(): {code(lambda: resource.prepare(xid) or resource.commit(xid, False))}"


def at_work():
    session, resource = side()
    queue, xid = fresh(), identifier()
    resource.start(xid, NOFLAGS)
    put(queue, "1", of=session)
    calls = (lambda: resource.prepare(xid), lambda: resource.commit(xid, True), lambda: resource.commit(xid, False))
    refused = [code(call) for call in calls]
    more = code(lambda: put(queue, "2", of=session))
    rest = f"end(): {code(lambda: resource.end(xid, SUCCESS))}; commit(): {code(lambda: resource.commit(xid, True))}"
    return f"{' '.join(refused)}; another send: {more}; {rest}; came: {bodies(ordinary.createConsumer(queue))}"


def put_right(seen):
    return set(seen.split(";")[0].split()) <= {"XAER_PROTO", "XAER_INVAL", "XAER_OUTSIDE", "XAER_RMFAIL"} and "['1', '2']" in seen


tell("prepare(), commit() in one phase and in two, of a branch at work", at_work, put_right, "at-work")
RIGHT = "XAER_DUPID XAER_DUPID; then prepare() and commit(): returned None"
tell("start() of a branch at work, and ended, by another resource", twice, RIGHT, "second-start")
end()
