"""Does what returned hold when the broker is stopped meanwhile, and started again?  stopped_at_work.py PROVIDER

What was acknowledged must not come again (6.2.11, 9.1); persistent messages that were sent must be there (4.1.8, 7.7).
"""

from time import sleep

from brokers import beside, connect, connection, end, restart, tell, texts

(session, queue), acknowledged, sent = connect(keep=True), set(), set()
other, producer = session.createQueue("evidence.sent"), session.createProducer(queue)
for number in range(20_000):
    producer.send(session.createTextMessage(str(number)))


def acknowledge():
    consumer = connection().createSession(False, 2).createConsumer(queue)  # 2: CLIENT_ACKNOWLEDGE
    while (message := consumer.receive(1000)) is not None:
        message.acknowledge()
        acknowledged.add(str(message.getText()))

def send():
    producer = (mine := connection().createSession(False, 1)).createProducer(other)
    for number in range(len(sent), 1_000_000):
        producer.send(mine.createTextMessage(str(number)))
        sent.add(str(number))


for _ in range(10):
    with beside(acknowledge, send):
        sleep(0.2)
        restart()
session = connection().createSession(False, 1)
tell("acknowledged, and came again", lambda: len(acknowledged & set(texts(session.createConsumer(queue)))), "0", "acknowledged")
tell("sent, and not there", lambda: len(sent - set(texts(session.createConsumer(other)))), "0", "sent")
end()
