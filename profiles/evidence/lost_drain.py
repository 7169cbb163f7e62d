"""Is every drain of a consumer's credit answered?  lost_drain.py qpid

receiveNoWait on an empty queue asks the broker to drain the link, and ends when that is answered. A drain that follows the
answer to another at once is sometimes never answered; a browser drains twice at its end, and then hangs.
"""

import threading
import time

from brokers import connect, end, tell
from jpype import JClass

session, queue = connect()
consumer = session.createConsumer(queue)
since = [time.monotonic(), 0]


def watch():
    while time.monotonic() - since[0] < 5:
        time.sleep(0.5)
    stack = JClass("java.lang.Thread").getAllStackTraces().get(main)
    tell(f"receive number {since[1]} has not returned for 5 s; it is in", lambda: stack[3], lambda _: False)
    end()


main = JClass("java.lang.Thread").currentThread()
threading.Thread(target=watch).start()
for since[1] in range(1, 100_001):
    since[0] = time.monotonic()
    consumer.receiveNoWait()
tell("receives that returned", lambda: since[1], "100000")
end()
