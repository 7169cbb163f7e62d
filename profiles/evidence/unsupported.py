"""Calls of JMS 2.0 and 3.1 that a provider which says it implements 3.1 has to offer."""

import jpype
from brokers import connect, context, end, server, tell
from jpype import JClass, JProxy


def offered(result):
    return not isinstance(result, jpype.JException)


session, _ = connect()
topic = session.createTopic("t")
producer = session.createProducer(topic)
simple = context()
tell("setDeliveryDelay", lambda: producer.setDeliveryDelay(100), offered, "delay")
tell("getDeliveryDelay", producer.getDeliveryDelay, offered, "delay")
tell("send(Message, CompletionListener)", lambda: producer.send(session.createMessage(), JProxy("jakarta.jms.CompletionListener", dict={})), offered, "async")
tell("setAsync", lambda: simple.createProducer().setAsync(None), offered, "async")
tell("receiveBody", lambda: simple.createConsumer(topic).receiveBody(JClass("java.lang.String").class_, 10), offered, "receive-body")
tell("createSharedConsumer", lambda: session.createSharedConsumer(topic, "s"), offered, "shared")
tell("createSharedDurableConsumer", lambda: session.createSharedDurableConsumer(topic, "s"), offered, "shared")
where, pool = server(lambda own, message: None)
for kind in ("Shared", "SharedDurable"):
    create = getattr(where, f"create{kind}ConnectionConsumer")
    tell(f"create{kind}ConnectionConsumer", lambda create=create: create(topic, "s", None, pool, 1), offered, "shared-server")
end()
