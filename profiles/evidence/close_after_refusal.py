"""close() of a context in its listener may be refused (6.1.8); close() by another thread closes it then, and frees its client identifier."""

import time
from threading import Event

import jpype
from brokers import connect, context, end, listening, tell

session, _ = connect()
topic, ended = session.createTopic("closing"), Event()
mine = context()
mine.setClientID("close_after_refusal")


def on_message(message):
    try:
        mine.close()
        print("close() in the listener worked")
    except jpype.JException as error:
        print(f"close() in the listener: {error.getClass().getSimpleName()}: {error.getMessage()}")
    ended.set()


mine.createConsumer(topic).setMessageListener(listening(on_message))
session.createProducer(topic).send(session.createTextMessage("x"))
ended.wait(5)
time.sleep(0.5)
mine.close()
time.sleep(0.5)


def named():
    """Give the identifier a second context takes."""
    other = context()
    other.setClientID("close_after_refusal")
    return other.getClientID()


tell("the identifier of the closed context, on another", named, "close_after_refusal")
end()
