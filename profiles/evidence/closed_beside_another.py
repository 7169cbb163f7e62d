"""Is what a closed connection had got flagged when it comes again?  closed_beside_another.py PROVIDER

A transacted session has got messages of two queues by two consumers when its connection closes: each comes again with
JMSRedelivered (3.4.7).
"""

from brokers import connect, connection, end, tell

session, queue = connect()
other = session.createQueue("evidence.beside.another")
mine = (link := connection()).createSession(True, 0)
consumers = {each: mine.createConsumer(each) for each in (queue, other)}
for each, consumer in consumers.items():
    session.createProducer(each).send(session.createTextMessage("x"))
    consumer.receive(5_000)
link.close()
again = connection().createSession(False, 1)
for name, each in (("first", queue), ("second", other)):
    found = again.createConsumer(each).receive(5_000)
    tell(f"JMSRedelivered of the message of the {name} queue", found.getJMSRedelivered, "true")
end()
