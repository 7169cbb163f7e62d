"""What does an XAResource make of transaction timeouts (11.3.5)?  branch_timeouts.py PROVIDER case=NAME"""

from time import sleep

from branch import NOFLAGS, SUCCESS, bodies, code, fresh, identifier, ordinary, put, sent, side
from brokers import end, tell


def read_back():
    _, resource = side()
    return f"{resource.setTransactionTimeout(1)}, {resource.getTransactionTimeout()}"


tell("setTransactionTimeout(1), and getTransactionTimeout() then", read_back, lambda seen: seen.startswith("False") or seen == "True, 1", "timeout")


def by_default():
    session, resource = side()
    queue = fresh()
    resource.setTransactionTimeout(1)
    resource.setTransactionTimeout(0)
    xid = sent(session, resource, queue)
    sleep(5)
    return f"{code(lambda: resource.commit(xid, True))}; came: {bodies(ordinary.createConsumer(queue))}"


tell("commit() after 5 s, the timeout having been 1 s and then 0, the default", by_default, lambda seen: "['sent']" in seen, "timeout-default")


def receipt():
    session, resource = side()
    queue = fresh()
    consumer = session.createConsumer(queue)
    resource.setTransactionTimeout(1)
    first, second = identifier(), identifier()
    for xid, text in ((first, "received"), (second, "next")):
        put(queue, text)
        resource.start(xid, NOFLAGS)
        consumer.receive(5000)
        resource.end(xid, SUCCESS)
        if xid is first:
            sleep(5)
            decided = f"commit(): {code(lambda: resource.commit(first, True))}, rollback(): {code(lambda: resource.rollback(first))}"
            resource.setTransactionTimeout(60)
    resource.commit(second, True)
    session.close()
    return f"{decided}; two messages, of which the next branch received one, left: {bodies(ordinary.createConsumer(queue))}"


tell("of a branch that has received, 4 s after its timeout", receipt, lambda seen: not seen.endswith("[]"), "timeout-receipt")
end()
