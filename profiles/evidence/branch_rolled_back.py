"""Does what a branch received come again when the branch is rolled back (11.3.5)?  branch_rolled_back.py PROVIDER case=NAME

The consumer stays open, and the next branch of its session receives. Where nothing comes, the message goes to no other consumer either.

case=prepared  the branch was prepared
case=another   the branch was prepared, and the resource of another connection rolls it back
case=joined    the session joined a branch of another session, whose resource rolls it back
"""

from branch import JOIN, NOFLAGS, SUCCESS, bodies, code, fresh, identifier, ordinary, put, side
from brokers import end, tell


def came(consumer, resource):
    """Receive all that comes in a new branch, and commit it."""
    resource.start(xid := identifier(), NOFLAGS)
    seen = bodies(consumer)
    resource.end(xid, SUCCESS)
    resource.commit(xid, True)
    return seen


def again(by_another=False, joins=False):
    session, resource = side()
    _, other = side()
    queue, xid = fresh(), identifier()
    consumer = session.createConsumer(queue)
    put(queue, "received")
    if joins:
        other.start(xid, NOFLAGS)
        other.end(xid, SUCCESS)
    resource.start(xid, JOIN if joins else NOFLAGS)
    first = bodies(consumer, 3000, 1)
    resource.end(xid, SUCCESS)
    if not joins:
        resource.prepare(xid)
    rolled = code(lambda: (other if by_another or joins else resource).rollback(xid))
    return f"received {first}; rollback() {rolled}; came: {came(consumer, resource)}, and to another consumer: {bodies(ordinary.createConsumer(queue))}"


def right(seen):
    return "; came: ['received']," in str(seen)


tell("a prepared branch", again, right, "prepared")
tell("a prepared branch, rolled back by another resource", lambda: again(by_another=True), right, "another")
tell("a joined branch, rolled back by the other resource", lambda: again(joins=True), right, "joined")
end()
