"""Can a message be sent with a delivery delay (7.9)?  delivery_delay.py PROVIDER"""

from brokers import connect, end, tell

session, queue = connect()
producer = session.createProducer(queue)
producer.setDeliveryDelay(100)
tell("a send with a delivery delay", lambda: producer.send(session.createTextMessage("x")), "null")
end()
