"""Read a question: drop filler words, split names, expand abbreviations.

The same rules apply to indexed texts and to questions. Independent of SQL and of the catalogue.
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
"""Filler words, which say nothing about a situation."""

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
"""Abbreviations, and the words of the catalogue for them."""

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
"""Synonyms: a question with one of them also finds rows with another."""

_KEPT = {"before", "after", "all", "any", "both", "one", "off"}
"""Filler words that are searched for if a question has no others."""


def spelled(text: str) -> str:
    """Append to a text the parts of its names: `redelivered` for `JMSRedelivered`, `browser` for `createBrowser`."""
    parts: dict[str, None] = {}
    for word in set(_WORD.findall(text)):
        for part in _parts(word):
            parts[part] = None
    return f"{text} {' '.join(sorted(parts))}" if parts else text


def asked(question: str) -> tuple[str, ...]:
    """Return the words of a question to search for, in order, each once."""
    words: dict[str, None] = {}
    for word in _WORD.findall(question):
        for each in WRITTEN_OUT.get(word.lower(), (word.lower(),)):
            words[each] = None
    telling = [word for word in words if word not in SILENT]
    return tuple(telling or [word for word in words if word in _KEPT])


def alike(word: str) -> tuple[str, ...]:
    """Return a word and its synonyms, the word first."""
    others = [each for group in ALIKE if word in group for each in group if each != word]
    return (word, *others)


def _parts(word: str) -> list[str]:
    stripped = _JMS.sub("", word)
    found = [part.lower() for part in _CAMEL.findall(stripped)]
    whole = [] if stripped == word else [stripped.lower()]
    return [*whole, *found] if len(found) > 1 or whole else []
