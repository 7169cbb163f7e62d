"""Does recover() in a listener bring back what all listeners of the session got?  recover_in_listener.py PROVIDER

Two listeners of one CLIENT_ACKNOWLEDGE session get two messages and one; the second one recovers the session once (6.2.10).
"""

from threading import Event

from brokers import connect, connection, end, listening, tell

(session, queue), heard, all_came = connect(), [], Event()
mine = connection().createSession(False, 2)  # 2: CLIENT_ACKNOWLEDGE
other = session.createQueue(f"{queue.getQueueName()}.other")
kept, recovering = mine.createConsumer(queue), mine.createConsumer(other)


def hear(message):
    heard.append(str(message.getText()))
    if heard.count("recovers") == 1 and heard[-1] == "recovers":
        mine.recover()
    if len(heard) == 6:
        all_came.set()


kept.setMessageListener(listening(hear))
recovering.setMessageListener(listening(hear))
for place, text in ((queue, "one"), (queue, "two")):
    session.createProducer(place).send(session.createTextMessage(text))
while len(heard) < 2:
    all_came.wait(0.01)
session.createProducer(other).send(session.createTextMessage("recovers"))
all_came.wait(3)
tell("how often the messages of the first listener came", lambda: [heard.count("one"), heard.count("two")], "[2, 2]", "others")
tell("how often the message of the listener that recovers came", lambda: heard.count("recovers"), "2", "own")
end()
