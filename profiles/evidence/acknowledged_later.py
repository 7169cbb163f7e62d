"""Can a message be acknowledged after its consumer was closed?  acknowledged_later.py PROVIDER

In CLIENT_ACKNOWLEDGE it can, as long as the session is open (8.8).
"""

from brokers import connect, connection, end, tell

session, queue = connect()
session.createProducer(queue).send(session.createTextMessage("x"))
consumer = connection().createSession(False, 2).createConsumer(queue)  # 2: CLIENT_ACKNOWLEDGE
message = consumer.receive(5000)
consumer.close()
tell("acknowledge() after the close of the consumer", message.acknowledge, "null")
end()
