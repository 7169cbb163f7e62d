"""What does an XAResource refuse of branches that it does not know, or no longer decides (11.3.5)?  branch_starts.py PROVIDER case=NAME"""

from branch import JOIN, SUCCESS, code, fresh, identifier, sent, side
from brokers import complete, end, heuristics, tell


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


def completed():
    session, resource = side()
    resource.prepare(xid := sent(session, resource, fresh()))
    complete(xid)
    return f"{code(lambda: resource.commit(xid, False))} {code(lambda: resource.rollback(xid))}"


if heuristics:  # of Artemis
    tell("commit() and rollback() after a heuristic commit", completed, "the code 7 the code 7", "heuristic")  # XA_HEURCOM


def unstarted():
    _, resource = side()
    return code(lambda: resource.end(identifier(), SUCCESS))


tell("end() without start()", unstarted, lambda seen: seen in {"XAER_NOTA", "XAER_PROTO", "XAER_INVAL"}, "end")


def joined():
    _, resource = side()
    return code(lambda: resource.start(identifier(), JOIN))


tell("start(TMJOIN) of an unknown branch", joined, lambda seen: seen in {"XAER_NOTA", "XAER_PROTO", "XAER_INVAL"}, "join")
end()
