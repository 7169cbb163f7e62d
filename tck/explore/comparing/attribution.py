"""The rows that a difference breaks, by a table; where the table has no entry, no row is named.

The row is the owner: the one that a reader would look up first for what was seen. Imports `differences` and `program`.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Final

from tck.explore.comparing.differences import Difference
from tck.explore.program import Step

Entry = tuple[str, str, str]
"""A pattern for ``call what``, flags of the difference that it presumes, rows."""

TABLE: Final[tuple[Entry, ...]] = (
    # headers, on the sender's message and on the received one
    ("* header JMSDestination", "sender", "3.4.1-2"), ("* header JMSDestination", "", "3.4.1-3"),
    ("* header JMSDeliveryMode", "sender", "3.4.2-2"), ("* header JMSDeliveryMode", "", "3.4.2-3"),
    ("* header JMSMessageID", "sender", "3.4.3-2"), ("* header JMSMessageID", "", "3.4.3-7"),
    ("* header JMSTimestamp", "sender", "3.4.4-2"), ("* header JMSTimestamp", "", "3.4.4-4"),
    ("* header JMSCorrelationID", "sender", "3.4.11-6"), ("* header JMSCorrelationID", "", "3.4.5-2"),
    ("* header JMSReplyTo", "sender", "3.4.11-6"), ("* header JMSReplyTo", "", "3.4.6-1"),
    ("* header JMSType", "sender", "3.4.11-6"), ("* header JMSType", "", "3.4.8-1"),
    ("* header JMSRedelivered", "sender", "3.4.7-4"),
    ("* header JMSRedelivered", "after recover", "6.2.10-31"), ("* header JMSRedelivered", "after rollback", "6.2.10-33"),
    ("* header JMSRedelivered", "", "3.4.7-1"),
    ("* header JMSExpiration", "sender", "3.4.9-1"), ("* header JMSExpiration", "", "3.4.9-4"),
    ("* header JMSPriority", "sender", "3.4.10-2"), ("* header JMSPriority", "", "3.4-1"),
    ("* header JMSDeliveryTime", "sender", "3.4.13-1"), ("* header JMSDeliveryTime", "", "3.4.13-5"),
    # properties and bodies
    ("* property JMSXDeliveryCount", "after recover", "6.2.10-32"),
    ("* property JMSXDeliveryCount", "after rollback", "6.2.10-34"), ("* property JMSXDeliveryCount", "", "3.5.11-2"),
    ("* property JMSXGroupID", "", "3.5.9-4"), ("* property JMSXGroupSeq", "", "3.5.9-5"),
    ("* property *", "sender", "3.9-3"), ("* property", "", "3.5.6-1"), ("* property *", "", "3.5.3-1"),
    ("* kind", "", "3.11.4-3"),
    ("* body", "text", "3.11-5"), ("* body", "object", "3.11-6"), ("* body", "map", "3.11.4-2"),
    ("* body", "stream", "3.11.4-1"), ("* body", "bytes", "3.11-7"), ("* body", "", "3.11.4-3"),
    ("* again", "object", "3.12-16"), ("* again", "map", "3.12-14"), ("* again", "bytes", "3.12-17"),
    # what comes, and in which order
    ("browse missing", "", "4.1.6-4"), ("browse extra", "", "4.1.6-10"), ("browse order", "", "4.1.6-6"),
    ("* order", "queue", "6.2.9.1-2"), ("* order", "", "6.2.9.1-3"),
    ("* extra", "early", "3.4.13-6"), ("* extra", "expired", "3.4.9-6"),
    ("* missing", "after recover queue", "6.2.10-20"), ("* missing", "after recover durable", "6.2.10-21"),
    ("* missing", "after recover plain", "6.2.10-22"),
    ("* missing", "after rollback queue", "6.2.7-6"), ("* missing", "after rollback durable", "6.2.7-7"),
    ("* missing", "after rollback plain", "6.2.7-8"),
    ("* missing", "queue", "6.2.12-1"), ("* missing", "", "6.2.12-2"),
    ("* extra", "queue", "6.2.12-1"), ("* extra", "", "6.2.12-2"),
    # selectors
    ("* accepted", "wants InvalidSelector", "10.3-25"), ("* exception", "wants InvalidSelector", "10.3-25"),
    ("* refused", "saw InvalidSelector", "3.8.1.1-1"),
    # calls that must be refused
    ("send *", "wants UnsupportedOperation", "7.1-4"), ("send *", "wants InvalidDestination", "7.1-10"),
    ("send *", "wants MessageFormat", "7.1-11"), ("send *", "wants MessageNotWriteable", "10.3-43"),
    ("send *", "wants IllegalState", "7.1-14"),
    ("commit *", "wants IllegalState", "6.2.7-19"), ("rollback *", "wants IllegalState", "6.2.7-19"),
    ("recover *", "wants IllegalState", "6.2.10-28"), ("acknowledge *", "wants IllegalState", "6.1.8-35"),
    ("unsubscribe *", "wants InvalidDestination", "8.3.3-23"),
    ("consumer *", "wants InvalidDestination", "8.1-9"), ("consumer *", "wants JMS shared_durable", "8.3.4-24"),
    ("consumer *", "wants JMS durable", "8.3.3-10"), ("consumer *", "wants JMS shared", "8.3.2-15"),
    ("consumer *", "wants IllegalState durable", "8.3.3-13"),
    ("property *", "wants MessageNotWriteable", "3.5.3-2"), ("property *", "wants IllegalArgument", "3.5.1-4"),
    ("property *", "wants MessageFormat", "3.5.5-2"),
    ("write *", "wants MessageNotWriteable", "10.3-41"), ("write *", "wants NullPointer", "3.12-13"),
    ("write *", "wants MessageFormat", "10.3-30"), ("write *", "wants IllegalArgument", "3.11-25"),
    ("receive_body *", "wants MessageFormat", "8.6-17"), ("delete *", "wants JMS", "4.1.5-9"),
    # legal calls
    ("connect refused", "", "6.1-1"), ("session refused", "", "6.2-2"), ("producer refused", "", "7.1-1"),
    ("producer accepted", "wants InvalidDestination", "7.1-9"),
    ("send refused", "async", "7.3-1"), ("send refused", "", "7.2-1"), ("send callback", "", "7.3-6"),
    ("send_many refused", "", "7.2-1"), ("send_body refused", "", "7.2-7"),
    ("browser refused", "", "4.1.6-2"), ("browse refused", "", "4.1.6-1"),
    ("consumer refused", "queue", "8.2-1"), ("consumer refused", "durable", "8.3.3-1"),
    ("consumer refused", "shared_durable", "8.3.4-1"), ("consumer refused", "shared", "8.3.2-1"),
    ("consumer refused", "plain", "8.3.1-1"), ("unsubscribe refused", "", "8.3.3-18"),
    ("commit refused", "", "6.2.7-3"), ("rollback refused", "", "6.2.7-5"), ("acknowledge refused", "", "3.6-1"),
    ("receive_body value", "", "8.6-1"), ("receive_body body", "", "8.6-1"), ("receive_body missing", "", "8.6-1"),
    ("receive_body extra", "", "8.6-5"), ("close_waiting *", "", "8.8-6"),
    ("send_body *", "", "7.2-7"), ("temporary *", "", "6.2.2-6"), ("set value kept", "", "7.4-11"),
    ("set value chained", "", "7.10-1"), ("state value selector", "", "8.1-6"),
    ("state value delivery_mode", "", "7.4-11"), ("state value priority", "", "7.4-11"),
    ("state value time_to_live", "", "7.4-11"), ("state value delivery_delay", "", "7.4-11"),
    ("state value transacted", "", "6.2-7"), ("state value acknowledge_mode", "", "6.2-8"),
    ("state value session_mode", "", "6.2-9"), ("state value jmsx", "", "3.5.9-6"),
)  # fmt: skip
"""The first entry that fits counts."""


def rows_of(found: Difference, step: Step) -> tuple[str, ...]:
    """Return the ids of the rows that a difference breaks.

    Args:
        found: The difference.
        step: The step that showed it.
    """
    if found.rows:
        return found.rows
    flags = found.flags | _circumstances(found, step)
    shown = f"{found.do} {found.what}"
    for pattern, presumed, rows in TABLE:
        if fnmatchcase(shown, pattern) and all(word in flags for word in _words(presumed)):
            return tuple(rows.split())
    return ()


def _words(presumed: str) -> list[str]:
    for word in ("after", "wants", "saw"):
        presumed = presumed.replace(f"{word} ", f"{word}_")
    return presumed.split()


def _circumstances(found: Difference, step: Step) -> set[str]:
    flags = {each.replace("after ", "after_") for each in found.flags}
    for word, text in (("wants", found.expected), ("saw", found.seen)):
        if text.startswith("raises "):
            name = text.removeprefix("raises ").partition(":")[0]
            flags.add(f"{word}_{name.removesuffix('Exception').removesuffix('Runtime') or 'JMS'}")
    if step.args.get("async"):
        flags.add("async")
    if step.do == "consumer":
        flags.add(str(step.args.get("kind") or ("plain" if str(step.args.get("of")).startswith("t") else "queue")))
    if found.flags & {"shared_durable"}:
        flags.add("durable")
    return flags
