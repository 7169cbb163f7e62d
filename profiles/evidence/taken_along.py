"""Does a selector take a message from other consumers too?  taken_along.py PROVIDER SELECTOR [NAME=VALUE]...

Two consumers of one topic, one of them without a selector: every message that is sent must come to that one (4.2.2).
"""

import ast

from brokers import asked, connect, end, tell
from jpype import JBoolean, JString

selector, *rest = asked()
session, _ = connect()
topic = session.createTopic("evidence")
everything = session.createConsumer(topic)
session.createConsumer(topic, selector)
message = session.createMessage()
for name, _, text in (each.partition("=") for each in rest):
    value = ast.literal_eval(text)
    if isinstance(value, bool):
        message.setBooleanProperty(name, JBoolean(value))
    elif isinstance(value, int):
        message.setIntProperty(name, value)
    else:
        message.setStringProperty(name, JString(value))


def got():
    session.createProducer(topic).send(message)
    return "the message" if everything.receive(2000) else "nothing"


tell("the consumer without a selector got", got, "the message")
end()
