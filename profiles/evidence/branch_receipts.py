"""Does an XAResource keep apart what branches have received (11.3.5)?  branch_receipts.py PROVIDER case=NAME"""

from branch import NOFLAGS, RESUME, SUCCESS, SUSPEND, bodies, fresh, identifier, put, side
from brokers import end, tell


def received(resource, consumer):
    """Receive a message in a branch of its own, and end its work; give the branch."""
    xid = identifier()
    resource.start(xid, NOFLAGS)
    consumer.receive(3000)
    resource.end(xid, SUCCESS)
    return xid


def drained(resource, consumer, most=10):
    """Receive all that comes in a new branch, up to a number, and commit it."""
    xid = identifier()
    resource.start(xid, NOFLAGS)
    came = bodies(consumer, most=most)
    resource.end(xid, SUCCESS)
    resource.commit(xid, True)
    return sorted(came)


def apart():
    session, resource = side()
    queue = fresh()
    consumer = session.createConsumer(queue)
    put(queue, "1", "2")
    first, second = (received(resource, consumer) for _ in range(2))
    resource.rollback(first)
    resource.commit(second, True)
    return drained(resource, consumer)


tell("two branches received 1 and 2; the first is rolled back, the second committed; then came", apart, lambda seen: seen == ["1"], "apart")


def resumed():
    session, resource = side()
    queue = fresh()
    consumer = session.createConsumer(queue)
    put(queue, "1", "2", "3")
    xid = identifier()
    resource.start(xid, NOFLAGS)
    for _ in range(3):
        consumer.receive(3000)
        resource.end(xid, SUSPEND)
        resource.start(xid, RESUME)
    resource.end(xid, SUCCESS)
    resource.rollback(xid)
    return drained(resource, consumer, 3)


def attempts():
    """Give the first wrong outcome of up to 200 attempts, or a right one: what comes differs from time to time."""
    return next((each for each in (resumed() for _ in range(200)) if each != ["1", "2", "3"]), ["1", "2", "3"])


tell("a branch received 1, 2 and 3, was suspended and resumed behind each, and was rolled back; then came", attempts, lambda seen: seen == ["1", "2", "3"], "resumed")
end()
