"""Which durable subscription does a name open, when another one has it?  durable_names.py PROVIDER [case=NAME]

With other terms an inactive one begins anew; a shared and an unshared one exclude one another (8.3.3, 8.3.4).
"""

import jpype
from brokers import connect, connection, end, tell


def refused(result):
    return isinstance(result, jpype.JException)


def accepted(result):
    return not refused(result)


connect()
session = connection(client="c").createSession(False, 1)
one, other = session.createTopic("one"), session.createTopic("other")


def left(create, *arguments):
    create(*arguments).close()


left(session.createSharedDurableConsumer, one, "a")
tell("createSharedDurableConsumer on another topic", lambda: session.createSharedDurableConsumer(other, "a"), accepted, "topic")
left(session.createSharedDurableConsumer, one, "b")
tell("createSharedDurableConsumer with another selector", lambda: session.createSharedDurableConsumer(one, "b", "n = 1"), accepted, "selector")
left(session.createSharedDurableConsumer, one, "d")
tell("createDurableConsumer of the name of a shared subscription", lambda: session.createDurableConsumer(one, "d"), refused, "unshared")
left(session.createDurableConsumer, one, "e")
tell("createSharedDurableConsumer of the name of an unshared one", lambda: session.createSharedDurableConsumer(one, "e"), refused, "shared")
end()
