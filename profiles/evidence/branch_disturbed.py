"""Does a call about an unknown branch disturb the branch that a resource works on (11.3.5)?  branch_disturbed.py PROVIDER case=NAME

A branch receives the first of two messages; then the resource is asked to roll back, to prepare, to forget or to commit a branch that
never was; then the branch receives the second message.
"""

from branch import NOFLAGS, SUCCESS, code, fresh, identifier, put, side
from brokers import end, tell


def received(call):
    session, resource = side()
    queue = fresh()
    consumer = session.createConsumer(queue)
    put(queue, "first", "second")
    resource.start(xid := identifier(), NOFLAGS)
    first = consumer.receive(5000)
    refusal = code(lambda: call(resource))
    second = consumer.receive(3000)
    resource.end(xid, SUCCESS)
    resource.rollback(xid)
    return f"{refusal}; received {[None if each is None else str(each.getText()) for each in (first, second)]}"


def right(seen):
    return str(seen).endswith("['first', 'second']")


tell("rollback() of an unknown branch", lambda: received(lambda resource: resource.rollback(identifier())), right, "rollback")
tell("prepare() of an unknown branch", lambda: received(lambda resource: resource.prepare(identifier())), right, "prepare")
tell("forget() of an unknown branch", lambda: received(lambda resource: resource.forget(identifier())), right, "forget")
tell("commit() of an unknown branch", lambda: received(lambda resource: resource.commit(identifier(), False)), right, "commit")
end()
