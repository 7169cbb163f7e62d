"""Members of the messaging API by their effect: which return nothing, which only look, which are the client's own acts.

Names the members of `tck.api.java`; reads no events.
"""

from __future__ import annotations

from typing import Final

from tck.api.java.overloads import python_member
from tck.api.java.rule import Kind
from tck.reports.reproduce.recorded import NEXT, Call

VOLATILE: Final = frozenset(
    {"jms_message_id", "jms_timestamp", "jms_delivery_time", "jms_expiration", "queue_name", "topic_name", "__str__"}
)
"""Members whose values differ from run to run."""
RECEIVES: Final = frozenset({"receive", "receive_no_wait", "receive_body", "receive_body_no_wait"})
"""Members that take the next message of a consumer."""
SENDS: Final = frozenset({"send", "publish"})
"""Members that send a message."""
POSITIONED: Final = frozenset({"BytesMessage", "StreamMessage"})
"""Types of messages that are read by position."""
_LOOKS: Final = ("get_", "is_", "property_exists", "item_exists")


def returns_nothing(call: Call) -> bool:
    """Return whether the member has no result in Java."""
    if call.op == NEXT:
        return False
    try:
        member = python_member(call.op)
    except LookupError:
        return call.type != "Provider"
    if member.kind is Kind.PROPERTY:
        return bool(call.args)
    return all(overload.java.returns in ("void", "") for overload in member.overloads)


def result_type(call: Call) -> str:
    """Return the Java type of the result; `Object` where its overloads have several, or where nothing is known."""
    try:
        member = python_member(call.op)
    except LookupError:
        return "Object"
    types = {each.java.returns for each in member.overloads if each.java.returns not in ("void", "")}
    return types.pop() if len(types) == 1 else "Object"


def only_looks(call: Call) -> bool:
    """Return whether the call changes nothing: a getter, on anything but a message that is read by position."""
    if call.op == NEXT:
        return False
    if call.type in POSITIONED:
        return call.member == "body_length"
    if call.member.startswith(_LOOKS):
        # The body of a bytes message is reset by reading it; the types of the event name the declaring type, Message.
        return call.member not in ("get_body", "get_enumeration")
    try:
        return python_member(call.op).kind is Kind.PROPERTY and not call.args
    except LookupError:
        return False


def creates(call: Call) -> bool:
    """Return whether the call makes an object and changes nothing else that a client sees."""
    return call.member.startswith("create_") or call.type == "Provider" or call.member == "get_enumeration"
