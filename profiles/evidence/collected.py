"""Does a temporary destination end when its object was collected?  collected.py PROVIDER

It is deleted then, though its connection is open (6.2.2).
"""

import gc
import time

import jpype
from brokers import connect, end, listed, tell

session, queue = connect()


def held():
    """Give a weak reference to a new temporary queue, and its name."""
    made = session.createTemporaryQueue()
    session.createProducer(made).close()
    return jpype.java.lang.ref.WeakReference(made), str(made.getQueueName())


reference, name = held()
gc.collect()
for _ in range(100):
    jpype.java.lang.System.gc()
    if reference.get() is None:
        break
    time.sleep(0.1)
tell("the object was collected", lambda: reference.get() is None)
tell("the queue is there", lambda: name in listed(), "false")
end()
