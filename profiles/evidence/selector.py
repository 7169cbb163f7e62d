"""Does a message with some properties pass a selector?  selector.py PROVIDER SELECTOR [NAME=VALUE]..."""

import ast
import sys

from brokers import connect, end, tell
from jpype import JClass, JString

BOX = {int: "Integer", float: "Double", bool: "Boolean"}


def value_of(text):
    """Read a value; a Float ends in f."""
    if text[:1].isdigit() and text.endswith("f"):
        return JClass("java.lang.Float").valueOf(text)
    try:
        value = ast.literal_eval(text)
        return JString(value) if isinstance(value, str) else value
    except (ValueError, SyntaxError):
        return JString(text)


session, queue = connect()
message = session.createMessage()
for name, _, text in (each.partition("=") for each in sys.argv[3:]):
    value = value_of(text)
    kind = BOX.get(type(value))
    message.setObjectProperty(name, JClass("java.lang." + kind).valueOf(value) if kind else value)
session.createProducer(queue).send(message)
tell(sys.argv[2], lambda: "chosen" if session.createConsumer(queue, sys.argv[2]).receive(1000) else "not chosen")
end()
