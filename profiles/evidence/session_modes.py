"""A session of a mode that does not exist is refused with JMSException, a context with JMSRuntimeException (6.2).

session_modes.py PROVIDER
"""

from brokers import connect, connection, context, end, tell
from jpype import JClass


def refused(name):
    return lambda result: isinstance(result, JClass(f"jakarta.jms.{name}"))


connect()
tell("createSession(false, 99)", lambda: connection().createSession(False, 99), refused("JMSException"), "session")
tell("createContext(99)", lambda: context().createContext(99), refused("JMSRuntimeException"), "context")
end()
