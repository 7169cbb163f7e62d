"""What does an XAResource refuse to start, end or prepare (11.3.5)?  branch_starts.py PROVIDER case=NAME"""

from threading import Thread

from branch import JOIN, NOFLAGS, SUCCESS, bodies, code, fresh, identifier, ordinary, put, side
from brokers import end, tell


def unknown():
    _, resource = side()
    return code(lambda: resource.prepare(identifier()))


tell("prepare() of an unknown branch", unknown, lambda seen: seen == "XAER_NOTA", "unknown")


def undecided():
    _, resource = side()
    return f"{code(lambda: resource.commit(identifier(), False))} {code(lambda: resource.rollback(identifier()))}"


tell("commit() and rollback() of an unknown branch", undecided, "XAER_NOTA XAER_NOTA", "undecided")


def forgotten():
    _, resource = side()
    return code(lambda: resource.forget(identifier()))


tell("forget() of an unknown branch", forgotten, "XAER_NOTA", "forget")


def unstarted():
    _, resource = side()
    return code(lambda: resource.end(identifier(), SUCCESS))


tell("end() without start()", unstarted, lambda seen: seen in {"XAER_NOTA", "XAER_PROTO", "XAER_INVAL"}, "end")


def joined():
    _, resource = side()
    return code(lambda: resource.start(identifier(), JOIN))


tell("start(TMJOIN) of an unknown branch", joined, lambda seen: seen in {"XAER_NOTA", "XAER_PROTO", "XAER_INVAL"}, "join")


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


RIGHT = "XAER_DUPID XAER_DUPID; then prepare() and commit(): returned None"
tell("start() of a branch at work, and ended, by another resource", twice, RIGHT, "second-start")
end()
