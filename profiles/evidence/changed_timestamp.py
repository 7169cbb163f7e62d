"""Does a received message keep its JMSMessageID when its JMSTimestamp is changed (3.4.3)?"""

from brokers import connect, end, tell

session, queue = connect()
session.createProducer(queue).send(session.createMessage())
received = session.createConsumer(queue).receive(2000)
before = str(received.getJMSMessageID())
received.setJMSTimestamp(7)
tell("JMSMessageID is the one of before", lambda: str(received.getJMSMessageID()) == before, "true")
end()
