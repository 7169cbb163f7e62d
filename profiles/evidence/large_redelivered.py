"""Is a large message flagged and counted when it comes again after a rollback?  large_redelivered.py PROVIDER

A text of 102,400 letters comes from a broker with a store: after the rollback with JMSRedelivered (6.2.10), and with a
JMSXDeliveryCount of 2.
"""

from brokers import connect, connection, end, tell

session, queue = connect(keep=True)
session.createProducer(queue).send(session.createTextMessage("\u00f6" * 102_400))
mine = connection().createSession(True, 0)
consumer = mine.createConsumer(queue)
consumer.receive(5_000)
mine.rollback()
again = consumer.receive(5_000)
tell("JMSRedelivered after the rollback", again.getJMSRedelivered, "true", "flag")
tell("JMSXDeliveryCount after the rollback", lambda: again.getIntProperty("JMSXDeliveryCount"), "2", "count")
end()
