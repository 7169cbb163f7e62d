"""A client identifier that is refused is refused with InvalidClientIDException (6.1.2), on a context with its runtime form.

case=connection  on a connection
case=context     on a context
"""

import brokers
import jpype
from brokers import connect, context, end, tell

connect()


def named(new, value):
    """Set the identifier of something new, close it, and give the simple name of the exception, if there was one."""
    try:
        new.setClientID(value)
    except jpype.JException as error:
        return str(error.getClass().getSimpleName())
    finally:
        new.close()
    return "accepted"


def ending(create, value):
    return lambda: named(create(), value)


for value in ("", " ", "\t", "a b "):
    what = f"setClientID({value!r})"
    tell(f"{what} of a connection", ending(brokers.factory.createConnection, value), {"accepted", "InvalidClientIDException"}.__contains__, "connection")
    tell(f"{what} of a context", ending(context, value), {"accepted", "InvalidClientIDRuntimeException"}.__contains__, "context")
end()
