"""What remains of a session that is closed, and of one whose listener still runs?  closing_session.py PROVIDER

Its parts raise IllegalStateException, and a message that a running listener acknowledges while close() waits is acknowledged (6.2.15).
"""

from threading import Event, Thread

import jpype
from brokers import connect, connection, end, listening, tell

session, queue = connect()
link = connection()
closed = link.createSession(False, 1)
producer, browser = closed.createProducer(queue), closed.createBrowser(queue)
closed.close()
tell("getPriority() of a producer of a closed session", producer.getPriority, "IllegalStateException", "priority")
tell("getDeliveryDelay() of a producer of a closed session", producer.getDeliveryDelay, "IllegalStateException", "producer")


def enumerated():
    """Give what getEnumeration() does: "nothing" if it does not return in five seconds."""
    ended = []

    def ask():
        try:
            ended.append(browser.getEnumeration())
        except jpype.JException as error:
            ended.append(error.getClass().getSimpleName())

    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(5)
    return ended[0] if ended else "nothing"


tell("getEnumeration() of a browser of a closed session", enumerated, "IllegalStateException", "browser")

mine, entered, go_on, done = link.createSession(False, 2), Event(), Event(), Event()
results = []


def on_message(message):
    entered.set()
    go_on.wait(5)
    for work in (message.acknowledge, lambda: mine.createProducer(session.createQueue("other")).send(mine.createMessage())):
        try:
            work()
            results.append("done")
        except jpype.JException as error:
            results.append(str(error))
    done.set()


mine.createConsumer(queue).setMessageListener(listening(on_message))
session.createProducer(queue).send(session.createTextMessage("x"))
entered.wait(5)
closing = Thread(target=mine.close)
closing.start()
closing.join(0.3)
go_on.set()
done.wait(5)
closing.join(5)
tell("acknowledge() in a listener while its session is closed", lambda: results[:1])
tell("a send in a listener while its session is closed", lambda: results[1:], lambda sent: sent == ["done"], "send")
tell("the acknowledged message comes again", lambda: session.createConsumer(queue).receive(2000) is not None, "false", "acknowledge")
end()
