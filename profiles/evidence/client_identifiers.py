"""A client identifier that is refused is refused with InvalidClientIDException (6.1.2), on a context with its runtime form.

case=connection  on a connection
case=context     on a context
"""

from functools import partial

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


places = {"connection": (brokers.factory.createConnection, "InvalidClientIDException"), "context": (context, "InvalidClientIDRuntimeException")}
for place, (create, wanted) in places.items():
    for value in ("", " ", "\t", "a b "):
        tell(f"setClientID({value!r}) of a {place}", partial(lambda create, value: named(create(), value), create, value), {"accepted", wanted}.__contains__, place)
end()
