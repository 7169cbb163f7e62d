"""Sends of null, and by a QueueSender of no queue, in the interfaces of 1.1.  refused_sends.py PROVIDER

case=null    null is refused with MessageFormatException (7.1, 9.2, 10.3)
case=nowhere a QueueSender created with null refuses a send to null with InvalidDestinationException (7.1, 9.2)
case=sender  a QueueSender created with null sends to the queue named in each of its sends (7.1, 7.2)
"""

import brokers
from brokers import api, connect, end, tell
from jpype import JClass, JObject

session, queue = connect()
nothing = JObject(None, JClass(api("Message")))
tell("send() of null", lambda: session.createProducer(queue).send(nothing), "MessageFormatException", "null")

mine = brokers.factory.createQueueConnection().createQueueSession(False, 1)
sender = mine.createSender(JObject(None, JClass(api("Queue"))))
nowhere = JObject(None, JClass(api("Queue")))
tell("send(null, message, mode, priority, time to live)", lambda: sender.send(nowhere, mine.createMessage(), 2, 4, 0), "InvalidDestinationException", "nowhere")
tell("send(queue, message)", lambda: sender.send(queue, mine.createMessage()), "null", "sender")
tell("send(queue, message, mode, priority, time to live)", lambda: sender.send(queue, mine.createMessage(), 2, 4, 0), "null", "sender")
end()
