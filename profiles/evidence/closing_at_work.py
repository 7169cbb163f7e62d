"""A listener runs while its connection, session or consumer is closed or stopped.  closing_at_work.py PROVIDER

case=stop         stop() waits for it (6.1.5)
case=consumer     close() of the consumer waits for it (8.8)
case=acknowledge  acknowledge() in it works while another thread closes the connection (6.1.8)
case=commit       and so does commit() while another thread closes the session (6.1.8, 6.2.15)
case=send         so does the creation of a producer, and its send (6.1.8)
case=listener     its message does not come again after close() of the connection (6.1.8)
case=heard        nor after close() of the consumer, whose listener has been called with it (6.2.11, 8.3.3)
"""

from threading import Event, Thread

import jpype
from brokers import connect, connection, end, listening, tell, texts

session, _ = connect()


def at_work(name, mode, close, work=lambda message, mine: None):
    """Close something while a listener runs. Gives whether the call waited, what `work` came to, and what comes afterwards."""
    queue, entered, go_on, done, result = session.createQueue(f"evidence.{name}"), Event(), Event(), Event(), []
    link = connection()
    mine = link.createSession(mode == 0, mode)
    consumer = mine.createConsumer(queue)

    def on_message(message):
        entered.set()
        go_on.wait(5)
        try:
            work(message, mine)
            result.append("done")
        except jpype.JException as error:
            result.append(str(error.getClass().getSimpleName()))
        done.set()

    consumer.setMessageListener(listening(on_message))
    session.createProducer(queue).send(session.createTextMessage("x"))
    entered.wait(5)
    closing = Thread(target={"stop": link.stop, "consumer": consumer.close, "session": mine.close, "connection": link.close}[close])
    closing.start()
    closing.join(0.5)
    waited = closing.is_alive()
    go_on.set()
    done.wait(5)
    closing.join(5)
    link.close()
    return waited, result[0], list(texts(session.createConsumer(queue)))


tell("stop() waited for the listener", lambda: at_work("stop", 1, "stop")[0], "true", "stop")
tell("close() of the consumer waited for the listener", lambda: at_work("consumer", 1, "consumer")[0], "true", "consumer")
tell("acknowledge() in the listener while the connection is closed", lambda: at_work("ack", 2, "connection", lambda message, _: message.acknowledge())[1], "done", "acknowledge")
tell("commit() in the listener while the connection is closed", lambda: at_work("commit", 0, "connection", lambda _, mine: mine.commit())[1], "done", "commit")
tell("commit() in the listener while the session is closed", lambda: at_work("commit2", 0, "session", lambda _, mine: mine.commit())[1], "done", "commit")
tell("a send in the listener while the connection is closed", lambda: at_work("send", 1, "connection", lambda _, mine: mine.createProducer(session.createQueue("evidence.other")).send(mine.createMessage()))[1], "done", "send")
tell("what comes again of the running listener, connection closed", lambda: at_work("listener", 1, "connection")[2], "[]", "listener")
tell("what comes again of the running listener, consumer closed", lambda: at_work("heard", 1, "consumer")[2], "[]", "heard")
end()
