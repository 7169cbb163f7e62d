"""The rows that a difference breaks, by a table; where the table has no entry, no row is named.

The row is the owner: the one that a reader would look up first for what was seen. Imports `differences` and `program`.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import Final

from tck.catalogue.owners import load_call_owners
from tck.programs.comparing.ambiguous import COUNT
from tck.programs.comparing.circumstances import flags_of
from tck.programs.comparing.details import DETAILS, PLACES
from tck.programs.comparing.differences import Allowed, Difference
from tck.programs.comparing.ground import Comparison
from tck.programs.comparing.lifelines import LIFE, Entry
from tck.programs.comparing.members import getter_of, member_of, owner_of
from tck.programs.expectation import Expectation
from tck.programs.program import Step

TABLE: Final[tuple[Entry, ...]] = (
    # headers, on the sender's message and on the received one
    ("* header JMSDestination", "sender", "3.4.1-2"), ("* header JMSDestination", "", "3.4.1-3"),
    ("* header JMSDeliveryMode", "", "3.4.2-3"),
    ("* header JMSMessageID", "sender", "3.4.3-2"), ("* header JMSMessageID", "", "3.4.3-7"),
    ("* header JMSTimestamp", "sender", "3.4.4-2"), ("* header JMSTimestamp", "", "3.4.4-4"),
    ("* header JMSCorrelationID", "sender", "3.4.11-6"), ("* header JMSCorrelationID", "", "3.4.5-2"),
    ("* header JMSReplyTo", "sender", "3.4.11-6"), ("* header JMSReplyTo", "", "3.4.6-1"),
    ("* header JMSType", "sender", "3.4.11-6"), ("* header JMSType", "", "3.4.8-1"),
    ("* header JMSExpiration", "", "3.4.9-4"),
    ("* header JMSPriority", "", "3.4-1"),
    ("* header JMSDeliveryTime", "never after_restart", "3.4.13-5"), ("* header JMSDeliveryTime", "never after_kill", "3.4.13-5"),
    ("* header JMSDeliveryTime", "never", "3.4.13-2"), ("* header JMSDeliveryTime", "sender", "3.4.13-1"), ("* header JMSDeliveryTime", "", "3.4.13-5"),
    # properties and bodies
    ("* property", "", "3.5.6-1"), ("* property *", "", "3.5.3-1"),
    ("* kind", "", "3.11.4-3"),
    ("receive_body body", "", "8.6-1"), ("* body", "bytes empty", "3.11-18"), ("* body", "text", "3.11-5"), ("* body", "object", "3.11-6"),
    ("* body", "bytes", "3.11-7"), ("* body", "", "3.11.4-3"),
    ("items *", "sent", "3.9-3"), ("write *", "wants MessageNotWriteable", "10.3-41"), ("write *", "sent", "3.9-3"), ("attempts *", "sent", "3.9-3"), ("look *", "sent", "3.9-3"),
    ("reads *", "property", "3.5.4-1"), ("reads *", "entry", "3.11.3-3"),
    # selectors
    ("* refused", "saw InvalidSelector", "3.8.1.1-4"),
    # what an administrator does, or has fail
    ("override *", "", "3.4.12-2"), ("fail_commit *", "", "6.2.7-20"), ("fail_sends *", "async", "7.3-10"),
    ("fail_sends value family", "JMSProducer", "10.2-2"), ("fail_sends value family", "", "10.2-1"), ("fail_sends *", "", "7.2-5"),
    ("exception value code", "", "10.2-6"), ("exception value alone", "", "10.2-7"), ("exception value linked", "", "10.2-7"), ("exception *", "", "10.2-5"),
    ("provoke value coded", "", "10.2-6"), ("provoke value described", "", "10.2-5"), ("provoke *", "recover", "6.2.10-28"), ("provoke *", "", "6.2.7-19"),
    # calls that must be refused
    ("* [ae][cx]ce*", "wants IllegalState is_jms under_context", "6.1.8-43"),
    ("acknowledge *", "wants IllegalState closed", "6.1.8-37"), ("acknowledge *", "wants IllegalState under_connection", "6.1.8-35"),
    ("acknowledge *", "wants IllegalState", "6.2.15-23"),
    ("* [ae][cx]ce*", "wants IllegalState closed is_context", "6.1.8-42"),
    ("* [ae][cx]ce*", "wants IllegalState closed is_connection", "6.1.8-38"),
    ("* [ae][cx]ce*", "wants IllegalState closed is_session", "6.2.15-19"),
    ("* [ae][cx]ce*", "wants IllegalState closed is_producer", "7.1-14"),
    ("* [ae][cx]ce*", "wants IllegalState closed is_consumer", "8.8-2"),
    ("* [ae][cx]ce*", "wants IllegalState under_session", "6.2.15-20"),
    ("* [ae][cx]ce*", "wants IllegalState is_session under_connection", "6.1.8-39"),
    ("* [ae][cx]ce*", "wants IllegalState is_producer under_connection", "6.1.8-40"),
    ("* [ae][cx]ce*", "wants IllegalState is_consumer under_connection", "6.1.8-41"),
    ("temporary *", "wants IllegalState QueueSession", "9.2-8"), ("temporary *", "wants IllegalState TopicSession", "9.2-13"),
    ("browser *", "wants IllegalState TopicSession", "9.2-11"), ("unsubscribe *", "wants IllegalState QueueSession", "9.2-10"),
    ("consumer *", "wants IllegalState QueueSession shared_durable", "9.2-7"),
    ("consumer *", "wants IllegalState QueueSession shared", "9.2-6"), ("consumer *", "wants IllegalState QueueSession create_durable_subscriber", "9.2-4"),
    ("consumer *", "wants IllegalState QueueSession create_durable_consumer", "9.2-5"),
    ("send *", "wants UnsupportedOperation", "7.1-4"), ("send *", "wants InvalidDestination", "7.1-10"),
    ("send *", "wants MessageFormat", "7.1-11"), ("send *", "wants MessageNotWriteable", "10.3-43"),
    ("send *", "wants IllegalState", "7.1-14"),
    ("commit *", "wants IllegalState", "6.2.7-19"), ("rollback *", "wants IllegalState", "6.2.7-19"),
    ("recover *", "wants IllegalState", "6.2.10-28"),
    ("unsubscribe *", "wants InvalidDestination", "8.3.3-23"),
    ("consumer *", "wants InvalidDestination shared_durable", "8.3.4-29"), ("consumer *", "wants InvalidDestination durable", "8.3.3-40"),
    ("consumer *", "wants InvalidDestination shared", "8.3.2-23"),
    ("consumer *", "wants InvalidDestination QueueSession", "8.2-7"), ("consumer *", "wants InvalidDestination TopicSession", "8.3.1-19"),
    ("consumer *", "wants InvalidDestination", "8.1-9"), ("consumer *", "wants JMS shared_durable", "8.3.4-24"),
    ("consumer *", "wants JMS durable", "8.3.3-10"), ("consumer *", "wants JMS shared", "8.3.2-15"),
    ("consumer exception", "wants IllegalState durable", "8.3.3-14 8.3.3-13"), ("consumer *", "wants IllegalState durable", "8.3.3-13 8.3.3-14"),
    ("property *", "wants MessageNotWriteable", "3.5.3-2"), ("property *", "wants IllegalArgument", "3.5.1-4"),
    ("property *", "wants MessageFormat", "3.5.5-2"),
    ("write *", "wants NullPointer", "3.12-13"),
    ("write *", "wants MessageFormat object", "3.11-28"), ("write *", "wants MessageFormat", "10.3-30"), ("write *", "wants IllegalArgument", "3.11-25"),
    ("receive_body *", "wants MessageFormat", "8.6-17"), ("delete *", "wants JMS", "4.1.5-9"),
    # legal calls
    ("connect refused", "xa simplified", "11.3.1-2"), ("connect refused", "xa queue", "11.3.1-3"), ("connect refused", "xa topic", "11.3.1-3"),
    ("connect refused", "xa", "11.3.1-1"), ("session refused", "xa QueueConnection", "11.3.2-2"), ("session refused", "xa TopicConnection", "11.3.2-2"),
    ("session refused", "xa", "11.3.2-1"),
    ("branch accepted", "forget", "11.3.5-16"), ("branch exception", "forget", "11.3.5-16"), ("branch accepted", "", "11.3.5-10"), ("branch exception", "", "11.3.5-10"),
    *(
        ("branch refused", f"{what} after_{failure}", f"11.3.5-6 {row}")
        for what, row in (("commit", "11.3.5-2"), ("rollback", "11.3.5-4"))
        for failure in ("sever", "restart", "kill")
    ),
    ("branch refused", "prepare", "11.3.5-2"), ("branch refused", "commit", "11.3.5-2"), ("branch refused", "one_phase", "11.3.5-3"),
    ("branch refused", "rollback", "11.3.5-4 11.3.5-1"), ("branch refused", "recover", "11.3.5-5"), ("branch refused", "suspend", "11.3.5-8"),
    ("branch refused", "resume", "11.3.5-8"), ("branch refused", "", "11.3.5-1"), ("branch value*", "", "11.3.5-5"),
    ("connect refused", "", "6.1-1"), ("session refused", "", "6.2-2"), ("producer refused", "", "7.1-1"),
    ("producer accepted", "wants InvalidDestination", "7.1-9"),
    ("send refused", "", "7.2-1"),
    ("send_many refused", "", "7.2-1"), ("send_body refused", "", "7.2-7"),
    ("browser refused", "", "4.1.6-2"),
    ("pool value pool", "", "11.2.4-15"),
    ("consumer refused", "queue", "8.2-1"), ("consumer refused", "shared_durable", "8.3.4-1"),
    ("consumer refused", "durable", "8.3.3-1"), ("consumer refused", "shared", "8.3.2-1"),
    ("consumer refused", "plain", "8.3.1-1"), ("unsubscribe refused", "", "8.3.3-18"),
    ("commit refused", "", "6.2.7-3"), ("rollback refused", "", "6.2.7-5"), ("acknowledge refused", "", "3.6-1"),
    ("receive_body value", "", "8.6-1"),
    ("send_body *", "", "7.2-7"), ("temporary *", "", "6.2.2-6"), ("set value kept", "", "7.4-11"),
    ("set value chained", "", "7.10-1"), ("* value selector", "QueueBrowser", "3.8.1.1-3"),
    ("state value selector", "", "8.1-6"), ("state value auto_start", "", "6.1.4-15"), ("state value listener", "", "8.7-15"),
    ("listen value kept", "", "8.7-15"), ("unlisten value kept", "", "8.7-16"),
    ("queue value name", "", "4.1.4-1"), ("topic value name", "", "4.2.6-1"),
    ("request value answer", "TopicSession", "9.2-32"), ("request value answer", "", "9.2-31"), ("request value to", "", "9.2-30"),
    ("request value of", "", "3.4.5-1"), ("request value *", "TopicSession", "4.2.10-5"), ("request value *", "", "4.1.7-5"),
    ("state value delivery_mode", "", "7.4-11"), ("state value priority", "", "7.4-11"),
    ("state value time_to_live", "", "7.4-11"), ("state value delivery_delay", "", "7.4-11"),
    ("state value transacted", "", "6.2-7"), ("state value acknowledge_mode", "", "6.2-8"),
    ("state value session_mode", "", "6.2-9"), ("state value jmsx", "", "3.5.9-6"),
    ("metadata value version", "", "6.1.6-3"), ("metadata value provider", "", "6.1.6-4"), ("metadata value jmsx", "", "3.5.9-6"),
    ("metadata *", "", "6.1.6-1"), ("on_exception *", "", "6.1.7-3"),
    ("problems value called", "silent", "6.1.7-10 6.1.7-1"), ("problems value called", "", "6.1.7-1"), ("problems value with", "", "6.1.7-2"),
    ("problems *", "", "6.1.7-5"), ("collect refused", "", "8.5-2"), ("await refused", "", "8.5-2"),
    ("waits *", "", "6.1.5-12"),
)  # fmt: skip
"""The first entry that fits counts."""


SELECTORS: Final[tuple[tuple[str, str], ...]] = (
    # how a number or a name is written
    (r"\b0[xX]", "3.8.1.1-15"), (r"\b0\d", "3.8.1.1-16"), (r"\d[lL]\b", "3.8.1.1-17"), (r"\d[fFdD]\b", "3.8.1.1-21 3.8.1.1-54"),
    (r"\d[eE]", "3.8.1.1-18"), (r"\d\.(?!\d)", "3.8.1.1-19"), (r"JMSDeliveryMode", "3.8.1.3-1 3.8.1.1-34"), (r"JMSTimestamp", "3.8.1.1-37"), (r"JMSX\w+", "3.8.1.1-42"),
    # operators with words
    (r"\\", "3.8.1.1-86"), (r"\bNOT\s+LIKE\b", "3.8.1.1-88"), (r"\bESCAPE\b", "3.8.1.1-89 3.8.1.1-90"),
    (r"\bLIKE\b", "3.8.1.1-82 3.8.1.1-83 3.8.1.1-84 3.8.1.1-92 3.8.1.1-93"), (r"\bNOT\s+IN\b", "3.8.1.1-76"),
    (r"\bNOT\b[^()]*\bIN\b", "3.8.1.1-4 3.8.1.1-44 3.8.1.1-53"), (r"\bIN\b", "3.8.1.1-75 3.8.1.1-77 3.8.1.1-80"),
    (r"\bBETWEEN\b", "3.8.1.1-70 3.8.1.1-72 3.8.1.1-73 3.8.1.1-53"), (r"\bIS\b", "3.8.1.1-95 3.8.1.1-98"),
    # logic
    (r"\bNOT\b.*\b(AND|OR)\b", "3.8.1.1-48 3.8.1.1-8"), (r"\bOR\b.*\bAND\b|\bAND\b.*\bOR\b", "3.8.1.1-49"),
    (r"\bOR\b", "3.8.1.2-8 3.8.1.2-9 3.8.1.2-10 3.8.1.2-11"), (r"\bAND\b", "3.8.1.2-4 3.8.1.2-5 3.8.1.2-6 3.8.1.2-7"),
    (r"\bNOT\s+\w+\s*([<>=]|IS\b|LIKE\b)", "3.8.1.1-48"), (r"\bNOT\b", "3.8.1.2-12 3.8.1.2-13"),
    # arithmetic, comparison, and properties of a type
    (r"\w\s*/", "3.8.1.1-66 3.8.1.1-5"), (r"[\w)]\s*[-+*]", "3.8.1.1-67"), (r"[-+]\s*[-+]|[-+]\w", "3.8.1.1-63 3.8.1.1-53"),
    (r"[-+*/]", "3.8.1.2-2 3.8.1.1-64"), (r"\b(TRUE|FALSE)\b", "3.8.1.1-22"), (r"[<>=]", "3.8.1.1-50 3.8.1.1-58"),
    (r"<>", "3.8.1.1-56 3.8.1.1-57 3.8.1.1-22"), (r"\b[tu]\b", "3.8.1.1-47"), (r"\bl\b|\bd\b|\bx\b", "3.8.1.1-54"),
)  # fmt: skip
"""The rows that a selector may be about, by the words and signs in it: the rarer ones first, since the others occur without them too."""


INVALID: Final[tuple[tuple[str, str], ...]] = (
    (r"--", "3.8.1.1-105"), (r"^1 IS", "3.8.1.1-105"), (r"^'a' LIKE", "3.8.1.1-105"), (r"^1 IN", "3.8.1.1-79"), (r'"', "3.8.1.1-105"),
    (r"==|!=|&&", "3.8.1.1-105"), (r"\bIN \(", "3.8.1.1-78"), (r"^(ESCAPE|IN|BETWEEN) =", "3.8.1.1-29"), (r"^NULL =", "3.8.1.1-105"),
    (r"LIKE (5|r)", "3.8.1.1-94"), (r"ESCAPE 'ab'", "3.8.1.1-91"), (r"^2a", "3.8.1.1-26"),
)  # fmt: skip
"""The rows by which a text is no selector; of other texts, the row of the place is named, and 10.3-25."""


_NO_MEMBER: Final = {"queue": "4.1.4-1", "topic": "4.2.6-1", "message": "3.12-1", "close": "4.1.6-2"}
"""The rows of steps that call no member with an owner: an administrator's, those on foreign messages, those on browsers."""


def selector_rows(text: str) -> tuple[str, ...]:
    """Return the rows that a selector may be about."""
    return tuple(
        dict.fromkeys(row for sign, rows in SELECTORS if re.search(sign, text, re.IGNORECASE) for row in rows.split())
    )


def rows_of(found: Difference, told: Expectation) -> tuple[str, ...]:
    """Return the ids of the rows that a difference breaks.

    Args:
        found: The difference.
        told: The program that showed it, with the reference provider's outcomes.
    """
    return found.rows or owners_of(found, told)[1]


def allow_counts(found: Comparison, told: Expectation) -> Comparison:
    """Allow counts of deliveries that no row owns: a count need not be exact (3.5.11-5)."""
    for each in list(found.differences):
        if each.what == f"property {COUNT}" and not rows_of(each, told):
            found.differences.remove(each)
            found.allowed.append(Allowed(each.step, each.what, "count"))
    return found


def owners_of(found: Difference, told: Expectation) -> tuple[str, tuple[str, ...]]:
    """Return the rule that names the owners of a difference, and their ids.

    Args:
        found: The difference.
        told: The program that showed it, with the reference provider's outcomes.
    """
    step = told.program.steps[found.step]
    if found.do == "select" and found.what == "value":
        return "selector", selector_rows(re.sub(r"'[^'\\]*'", "''", found.selector)) or ("3.8.1.1-4",)
    if found.what == "value selector" and step.do in {"consumer", "browser"}:
        return "selector kept", ("8.1-6", "3.8.1.1-3") if step.do == "consumer" else ("3.8.1.1-3",)
    if found.do in {"browse", "enumerate"} and found.what == "refused":
        return "browse refused", _browsing(found, told, step)
    flags = flags_of(found, told)
    text = step.args.get("selector")
    if isinstance(text, str) and found.what == "refused" and "InvalidSelector" in found.seen:
        return "selector refused", selector_rows(re.sub(r"'[^'\\]*'", "''", text)) or ("3.8.1.1-4",)
    if isinstance(text, str) and found.expected.startswith("raises InvalidSelector"):
        grammar = next((row for sign, row in INVALID if re.search(sign, text)), "")
        place = next(rows for word, rows in PLACES if not word or word in flags or word == step.do)
        return "no selector", tuple(f"{grammar} {place}".split() if grammar else f"{place} 10.3-25".split())
    shown = f"{found.do} {found.what}"
    for pattern, presumed, rows in (*LIFE, *DETAILS, *TABLE):
        if fnmatchcase(shown, pattern) and all(word in flags for word in _words(presumed)):
            return f"{pattern} | {presumed}", tuple(rows.split())
    return "member", _by_member(found, told)


def _browsing(found: Difference, told: Expectation, step: Step) -> tuple[str, ...]:
    """Return the owner of a call that browses, and the rows of the browser's selector, by which it may fail."""
    made = next((each for each in told.program.steps if each.do == "browser" and each.name == step.args["on"]), step)
    own = ("4.1.6-1",) if found.do == "browse" else _by_member(found, told)
    return own + selector_rows(re.sub(r"'[^'\\]*'", "''", made.args.get("selector") or ""))


def _by_member(found: Difference, told: Expectation) -> tuple[str, ...]:
    """Return the owner of the call, or of the attribute, that differs."""
    program, step = told.program, told.program.steps[found.step]
    if found.what.startswith("value ") and step.do == "state":
        owner = owner_of(getter_of(program, found.step, found.what.removeprefix("value ")))
    elif step.do in {"restart", "kill", "sever"}:
        owner = load_call_owners().hooks[step.do].row
    elif step.do == "advance":
        owner = load_call_owners().hooks["clock"].row
    else:
        member = member_of(program, found.step)
        owner = owner_of(f"{member}(null)" if step.do == "property" and step.args["value"] is None else member)
    owner = owner or _NO_MEMBER.get(step.do)
    return () if owner is None else (owner,)


def _words(presumed: str) -> list[str]:
    for word in ("after", "wants", "saw"):
        presumed = presumed.replace(f"{word} ", f"{word}_")
    return presumed.split()
