"""Does what an XAJMSContext received in a branch come again when the context is closed before end() (11.3.4)?  branch_closed.py PROVIDER

The transaction manager then rolls the branch back by another connection, if it is known there.
"""

from branch import NOFLAGS, bodies, code, factory, fresh, identifier, ordinary, put, side
from brokers import end, tell


def closed():
    context = factory().createXAContext()
    queue, resource = fresh(), context.getXAResource()
    consumer = context.createConsumer(queue)
    put(queue, "1", "2", "3")
    resource.start(xid := identifier(), NOFLAGS)
    first = bodies(consumer, 3000, 2)
    context.close()
    rolled = code(lambda: side()[1].rollback(xid))
    return f"received {first}; rollback(): {rolled}; came: {sorted(bodies(ordinary.createConsumer(queue)))}"


tell("an XAJMSContext that is closed within a branch", closed, lambda seen: seen.endswith("came: ['1', '2', '3']"))
end()
