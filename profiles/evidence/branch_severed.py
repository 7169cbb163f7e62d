"""Is a branch whose link is lost within its work committed as a whole, or not (11.3.3)?  branch_severed.py PROVIDER

Ten messages are sent in a branch that is not ended yet, the link is lost, and another connection asks for the commit: a race.
"""

from branch import NOFLAGS, bodies, code, identifier, put, side
from brokers import connection, end, sever, tell


def severed():
    """Give what the first attempt of twenty showed whose commit took part of the sends, or else the last one."""
    for number in range(20):
        session, resource = side()
        queue = session.createQueue(f"severed.{number}")
        resource.start(xid := identifier(), NOFLAGS)
        put(queue, *map(str, range(10)), of=session)
        sever()
        other = side()[1]
        commit = code(lambda other=other, xid=xid: other.commit(xid, True))
        came = len(bodies(connection().createSession(False, 1).createConsumer(queue)))
        if came != (10 if commit.startswith("returned") else 0):
            break
    return f"commit() {commit}; {came} of 10 came"


tell("a branch whose link is lost", severed, lambda seen: not seen.startswith("commit() returned") or " 10 of 10 " in seen)
end()
