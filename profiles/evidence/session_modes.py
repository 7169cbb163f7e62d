"""A session of a mode that does not exist is refused with JMSException (6.2)."""

from brokers import connect, connection, end, tell
from jpype import JClass


def refused(result):
    return isinstance(result, JClass("jakarta.jms.JMSException"))


connect()
tell("createSession(false, 99)", lambda: connection().createSession(False, 99), refused, "session")
end()
