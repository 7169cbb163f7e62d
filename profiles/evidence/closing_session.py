"""What remains of a session that is closed, and of one whose listener still runs?  closing_session.py PROVIDER

Its parts raise IllegalStateException, and a message that a running listener acknowledges while close() waits is acknowledged (6.2.15).
"""

from threading import Event, Thread

from brokers import connect, connection, end, listening, tell

session, queue = connect()
link = connection()
closed = link.createSession(False, 1)
producer, browser = closed.createProducer(queue), closed.createBrowser(queue)
closed.close()
tell("getPriority() of a producer of a closed session", producer.getPriority, "IllegalStateException", "priority")
tell("getDeliveryDelay() of a producer of a closed session", producer.getDeliveryDelay, "IllegalStateException", "producer")
tell("getEnumeration() of a browser of a closed session", browser.getEnumeration, "IllegalStateException", "browser")

mine, entered, go_on, done = link.createSession(False, 2), Event(), Event(), Event()
results = []


def on_message(message):
    entered.set()
    go_on.wait(5)
    message.acknowledge()
    results.append("acknowledged")
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
tell("acknowledge() in a listener while its session is closed", lambda: results)
tell("the acknowledged message comes again", lambda: session.createConsumer(queue).receive(2000) is not None, "false", "acknowledge")
end()
