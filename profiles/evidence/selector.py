"""Does a message with some properties pass a selector?  selector.py PROVIDER WANTED SELECTOR [NAME=VALUE]...

WANTED is what the specification wants: chosen, passed-over, refused, or several of them joined by a comma; or of a browser shown or
hidden. SELECTOR can be several, joined by a semicolon between blanks; each is tried.
"""

import ast
from functools import partial

import jpype
from brokers import asked, connect, end, tell
from jpype import JClass, JString

BOX = {int: "Integer", float: "Double", bool: "Boolean"}


def value_of(text):
    """Read a value; a Float ends in f, a Long in L, a Byte in b."""
    if text[:1].isdigit() and text.endswith("b"):
        return JClass("java.lang.Byte").valueOf(text[:-1])
    if text[:1].isdigit() and text.endswith("L"):
        return JClass("java.lang.Long").valueOf(text[:-1])
    if text[:1].isdigit() and text.endswith("f"):
        return JClass("java.lang.Float").valueOf(text)
    try:
        value = ast.literal_eval(text)
        return JString(value) if isinstance(value, str) else value
    except (ValueError, SyntaxError):
        return JString(text)


wanted, selector, *rest = asked()
session, queue = connect()
message = session.createMessage()
for name, _, text in (each.partition("=") for each in rest):
    value = value_of(text)
    kind = BOX.get(type(value))
    message.setObjectProperty(name, JClass("java.lang." + kind).valueOf(value) if kind else value)
session.createProducer(queue).send(message)


def is_wanted(result):
    if isinstance(result, jpype.JException):
        return str(result.getClass().getSimpleName()) == "InvalidSelectorException" and "refused" in wanted.split(",")
    return result in wanted.split(",")


def answer(text):
    if wanted in {"shown", "hidden"}:
        return "shown" if session.createBrowser(queue, text).getEnumeration().hasMoreElements() else "hidden"
    consumer, everything = session.createConsumer(queue, text), session.createConsumer(queue)
    if consumer.receive(300):
        return "chosen"
    if everything.receive(2000):
        return "passed-over"
    return "chosen" if consumer.receive(2000) else "lost"  # chosen, but on a busy machine later than asked for at first


for each in selector.split(" ; "):
    tell(f"{each}, to be {wanted}", partial(answer, each), is_wanted)
end()
