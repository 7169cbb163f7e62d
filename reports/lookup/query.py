"""What a question asks for: words without those that say nothing, names taken apart, abbreviations written out.

The same rules apply to what is indexed and to what is asked. Knows nothing of SQL or of the catalogue.
"""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z]{2})|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_JMS = re.compile(r"(?:JMSX|JMS|jmsx|jms)(?=[A-Z])")

_SILENT = """
a about after all already also am an and any are as at be been before being both but by can could did do does doing for from
get gets had happen happened happens has have how i if in into is it its jakarta java jms let may me messaging might must
of off on one or our out provider reference shall should so some such tell than that the their them then there these
they this those to us using was we were what when where whether which while who why will with would you your
"""
SILENT = frozenset(_SILENT.split())
"""Words that a question is full of and that say nothing about a situation."""

WRITTEN_OUT = {
    "ack": ("acknowledge",),
    "acks": ("acknowledge",),
    "acked": ("acknowledge",),
    "async": ("asynchronous",),
    "cf": ("connection", "factory"),
    "dups": ("duplicate",),
    "dupes": ("duplicate",),
    "noack": ("unacknowledged",),
    "prio": ("priority",),
    "pubsub": ("publish", "subscribe"),
    "ptp": ("queue",),
    "sub": ("subscription",),
    "subs": ("subscription",),
    "sync": ("synchronous",),
    "ttl": ("time", "live"),
    "tx": ("transaction",),
    "txn": ("transaction",),
}
"""What people type, and the words of the catalogue for it."""

ALIKE = (
    ("id", "identifier"),
    ("crash", "crashes", "dies", "died", "killed", "failure"),
    ("raise", "raises", "throw", "throws", "refused", "error"),
    ("two", "several", "multiple", "many"),
    ("twice", "again", "second"),
    ("delete", "deleted", "remove", "removed"),
    ("lost", "loss"),
    ("invalid", "unknown", "nonexistent"),
    ("share", "shared"),
    ("unacknowledged", "unsettled"),
    ("default", "initial", "new"),
)
"""Words that stand for one another: who types one of them finds rows that have another."""

_KEPT = {"before", "after", "all", "any", "both", "one", "off"}
"""Silent in a question, yet told apart where nothing else is left."""


def spelled(text: str) -> str:
    """Add to a text the parts of its names: `JMSRedelivered` brings `redelivered`, `createBrowser` brings `browser`."""
    parts: dict[str, None] = {}
    for word in set(_WORD.findall(text)):
        for part in _parts(word):
            parts[part] = None
    return f"{text} {' '.join(sorted(parts))}" if parts else text


def asked(question: str) -> tuple[str, ...]:
    """Give the words of a question that can be looked for, in order, each once."""
    words: dict[str, None] = {}
    for word in _WORD.findall(question):
        for each in WRITTEN_OUT.get(word.lower(), (word.lower(),)):
            words[each] = None
    telling = [word for word in words if word not in SILENT]
    return tuple(telling or [word for word in words if word in _KEPT])


def alike(word: str) -> tuple[str, ...]:
    """Give the words to look for in the place of one, itself first."""
    others = [each for group in ALIKE if word in group for each in group if each != word]
    return (word, *others)


def _parts(word: str) -> list[str]:
    stripped = _JMS.sub("", word)
    found = [part.lower() for part in _CAMEL.findall(stripped)]
    whole = [] if stripped == word else [stripped.lower()]
    return [*whole, *found] if len(found) > 1 or whole else []
