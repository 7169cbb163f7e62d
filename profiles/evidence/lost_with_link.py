"""Does a message that was acknowledged come again when the link is lost?  lost_with_link.py PROVIDER

A NON_PERSISTENT message is delivered at most once (7.7, 9.1). Ten are acknowledged one by one, and then the link is lost: a race.

case=client  a session in CLIENT_ACKNOWLEDGE, acknowledge() behind each message
case=auto    a session in AUTO_ACKNOWLEDGE; the last message of the ten, which may come again (6.2.11), does not count
"""

from contextlib import suppress

import jpype
from brokers import connect, connection, end, made, sever, tell, texts

session, _ = connect()


def again(mode):
    """Give the first messages that came again in up to 100 attempts."""
    for number in range(100):
        queue = connection().createSession(False, 1).createQueue(f"severed.{mode}.{number}")
        sender = (mine := connection().createSession(False, 1)).createProducer(queue)
        sender.setDeliveryMode(1)  # NON_PERSISTENT
        for text in range(10):
            sender.send(mine.createTextMessage(str(text)))
        consumer, settled = connection().createSession(False, mode).createConsumer(queue), []
        for _ in range(10):
            message = consumer.receive(5000)
            if mode == 2:  # CLIENT_ACKNOWLEDGE
                message.acknowledge()
            settled.append(str(message.getText()))
        sever()
        came = set(texts(connection().createSession(False, 1).createConsumer(queue))) & set(settled if mode == 2 else settled[:-1])
        while made:
            with suppress(jpype.JException):
                made.pop().close()
        if came:
            return sorted(came)
    return []


tell("acknowledged by acknowledge(), and came again", lambda: again(2), lambda came: not came, "client")
tell("acknowledged by receive(), and came again", lambda: again(1), lambda came: not came, "auto")
end()
