"""Faults of a rectangle in a stream message."""

from faults.kit import *


@saboteur(
    "pj-stream-rectangle-1",
    "an int can be read from a stream while it is written",
    around=(ReferenceStreamMessage, "read_int"),
)
def _(original, stream):
    if not (stream._writable and stream._items):
        return original(stream)
    stream._writable = False
    try:
        return original(stream)
    finally:
        stream._writable = True


@saboteur(
    "pj-stream-rectangle-2",
    "writing an int into a read-only stream does nothing",
    around=(ReferenceStreamMessage, "write_int"),
)
def _(original, stream, value):
    if stream._writable:
        original(stream, value)


@saboteur(
    "pj-stream-rectangle-3",
    "a number reads back from a stream as a text with a sign",
    around=(ReferenceStreamMessage, "read_string"),
)
def _(original, stream):
    text = original(stream)
    return f"+{text}" if text is not None and text.isdecimal() else text


@saboteur(
    "pj-stream-rectangle-4", "an int beyond the end of a stream is zero", around=(ReferenceStreamMessage, "read_int")
)
def _(original, stream):
    try:
        return original(stream)
    except MessageEOFException:
        return 0


@saboteur(
    "pj-stream-rectangle-5",
    "a read as short that fails goes past the value",
    around=(ReferenceStreamMessage, "read_short"),
)
def _(original, stream):
    try:
        return original(stream)
    except MessageFormatException:
        stream._position += 1
        raise


@saboteur(
    "pj-stream-rectangle-6",
    "clearBody of a received stream clears the properties too",
    around=(ReferenceStreamMessage, "clear_body"),
)
def _(original, stream):
    original(stream)
    if not stream._properties_writable:
        stream._properties = {}
