"""Acknowledgment in the sessions of an application server (11.2.7).

case=failing      auto: the listener raises at the first delivery; the message comes again
case=client       client: the listener does not acknowledge; after the close of the connection the message comes to a consumer
case=recover      client: the listener recovers the session at the first delivery; the message comes again
case=rollback     transacted: the session rolls back after run() has returned; the message comes again
case=transaction  transacted: the listener does not commit; the second message comes as well
case=uncommitted  transacted: the listener does not commit; after the close of the connection the message comes to a consumer
"""

import time

from application_server import server
from brokers import connect, end, tell, texts
from jpype import JClass

session, _ = connect()


def delivered(name, work, mode, sent=1, then=None):
    """Send messages, and give the texts and JMSRedelivered of those that come to an application server in two seconds."""
    queue, seen, sessions = session.createQueue(name), [], []

    def note(own, message):
        again = bool(message.getJMSRedelivered())
        seen.append((str(message.getText()), again))
        sessions.append(own)
        work(own, message, again)

    connection, pool = server(note, sessions=4, mode=mode)
    connection.createConnectionConsumer(queue, None, pool, 1)
    producer = session.createProducer(queue)
    for number in range(sent):
        producer.send(session.createTextMessage(str(number)))
    time.sleep(1)
    if then:
        then(sessions[0])
    time.sleep(1)
    connection.close()
    return seen, list(texts(session.createConsumer(queue)))


def failing(_own, _message, again):
    if not again:
        raise JClass("java.lang.RuntimeException")("the listener fails")


def recovering(own, message, again):
    message.acknowledge() if again else own.recover()


def unsettled(_own, _message, _again):
    """Leave the message alone."""


def twice(came):
    return came[0] == [("0", False), ("0", True)]


tell("deliveries where the listener fails, and what is left", lambda: delivered("failing", failing, 1), twice, "failing")
tell("deliveries without acknowledgment, and what is left", lambda: delivered("client", unsettled, 2), lambda came: came[1] == ["0"], "client")
tell("deliveries where the listener recovers", lambda: delivered("recover", recovering, 2), twice, "recover")
tell("deliveries, with a rollback after run()", lambda: delivered("rollback", unsettled, 0, then=lambda own: own.rollback()), twice, "rollback")
tell("deliveries of two without a commit", lambda: delivered("transaction", unsettled, 0, 2), lambda came: len(came[0]) == 2, "transaction")
tell("deliveries without a commit, and what is left", lambda: delivered("uncommitted", unsettled, 0), lambda came: came[1] == ["0"], "uncommitted")
end()
