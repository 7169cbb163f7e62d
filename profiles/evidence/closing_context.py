"""Has a listener the services of its context while close() waits for it?  closing_context.py PROVIDER

close() from another thread waits for a listener that runs; until that returns, it can send and acknowledge as before (6.1.8).
"""

from threading import Event, Thread

import jpype
from brokers import connect, context, end, listening, tell

session, _ = connect()
producer = session.createProducer(None)


def attempt(name, mode, work):
    """Give the result of some work in a listener whose context is being closed: "none", if it does not return."""
    queue, mine, results = session.createQueue(name), context().createContext(mode), []
    early, entered, go_on, done = mine.createProducer(), Event(), Event(), Event()

    def on_message(message):
        entered.set()
        go_on.wait(5)
        try:
            work(mine, early, message)
            results.append("done")
        except jpype.JException as error:
            results.append(str(error))
        done.set()

    mine.createConsumer(queue).setMessageListener(listening(on_message))
    producer.send(queue, session.createTextMessage("x"))
    entered.wait(5)
    closing = Thread(target=mine.close)
    closing.start()
    closing.join(0.2)
    go_on.set()
    done.wait(4)
    closing.join(5)
    return queue, (results or ["none"])[0]


def sent(mine, early, message):
    """Send through a producer made before and through one made now."""
    early.send(session.createQueue("other"), mine.createTextMessage("one"))
    mine.createProducer().send(session.createQueue("other"), mine.createTextMessage("two"))


tell("sends in a listener while its context is closed", lambda: attempt("send", 1, sent)[1], "done", "send")
queue, result = attempt("acknowledge", 2, lambda mine, early, message: message.acknowledge())
tell("acknowledge() in a listener while its context is closed", lambda: result)
tell("the acknowledged message comes again", lambda: session.createConsumer(queue).receive(1000) is not None, "false", "acknowledge")
end()
