"""Does closing a requestor delete its temporary destination?  requestor.py openmq

After close() of a QueueRequestor (4.1.7) or a TopicRequestor (4.2.10) nothing can be sent to the JMSReplyTo of its requests.
"""

import threading
from functools import partial

import brokers
from brokers import connect, end, tell
from jpype import JClass


def through(session, destination):
    consumer = session.createConsumer(destination)
    session.createProducer(destination).send(session.createMessage())
    return consumer.receive(1000) is not None


connect()
for kind in ("Queue", "Topic"):
    factory = JClass(f"com.sun.messaging.{kind}ConnectionFactory")()
    factory.setProperty("imqAddressList", brokers.factory.getProperty("imqAddressList"))
    connection = getattr(factory, f"create{kind}Connection")()
    connection.start()
    asking, other = (getattr(connection, f"create{kind}Session")(False, 1) for _ in range(2))
    place = getattr(other, f"create{kind}")(f"evidence.{kind}")
    requests = other.createConsumer(place)
    requestor = JClass(f"jakarta.jms.{kind}Requestor")(asking, place)
    waiting = threading.Thread(target=requestor.request, args=(asking.createMessage(),))
    waiting.start()
    temporary = requests.receive(5000).getJMSReplyTo()
    other.createProducer(temporary).send(other.createMessage())
    waiting.join()
    requestor.close()
    tell(f"{kind}Requestor closed; a message comes through its temporary destination", partial(through, other, temporary), "InvalidDestinationException")
end()
