"""The specification versions: the one table from which everything that depends on a version is derived.

A new version is a row here, the catalogue's rows that it brings, and its frozen tier (`python -m tck.profile.freeze`). Two
lists cannot be derived and are compared by tests: the enum in `profile.schema.json` and the versions that the reference
provider plays. Imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class SpecVersion:
    """One version of the specification, or a public draft of one.

    Attributes:
        name: As rows, profiles and tiers name it.
        title: As people write it.
        text: The oldest text that may state a rule of it, as a row's ``sections`` names it.
        namespace: Where its Java types live: ``javax`` or ``jakarta``.
        brought: Interfaces that can carry a test from this version on, and other parts that tests and plans ask for.
        documentary: Whether its tier only shows what the text said; no provider is measured by it.
        draft_of: For a draft, the version whose rows are in force in it; otherwise empty.
    """

    name: str
    title: str
    text: str
    namespace: str = "javax"
    brought: tuple[str, ...] = ()
    documentary: bool = False
    draft_of: str = ""


DELIVERY_DELAYS: Final = "delivery delays"
SHARED_SUBSCRIPTIONS: Final = "shared subscriptions"
ASYNCHRONOUS_SENDS: Final = "asynchronous sends"
BODY_READS: Final = "get_body"
BOTH_DOMAINS: Final = "both domains"

TABLE: Final = (
    # Before 1.1 sessions are made through the domain-specific interfaces only.
    SpecVersion("1.0", "JMS 1.0 (October 1998)", "1.0", brought=("domain-specific",), documentary=True),
    # The text of 1.0.2b is not compared: its rules are cited from 1.1.
    SpecVersion("1.0.2b", "JMS 1.0.2b", "1.1"),
    SpecVersion("1.1", "JMS 1.1", "1.1", brought=("classic",)),
    SpecVersion("2.0-draft", "JMS 2.0, public draft", "2.0-pd", documentary=True, draft_of="2.0"),
    # Revision a; its rules are cited from the public draft and from 3.1.
    SpecVersion(
        "2.0",
        "JMS 2.0 revision a",
        "2.0-pd",
        brought=("simplified", DELIVERY_DELAYS, SHARED_SUBSCRIPTIONS, ASYNCHRONOUS_SENDS, BODY_READS, BOTH_DOMAINS),
    ),
    SpecVersion("3.1", "Jakarta Messaging 3.1", "3.1", namespace="jakarta"),
)
"""Every version and draft, oldest first."""

BY_NAME: Final[Mapping[str, SpecVersion]] = MappingProxyType({version.name: version for version in TABLE})

VERSIONS: Final = tuple(version.name for version in TABLE if not version.draft_of)
"""The versions that rows and profiles name, oldest first; drafts are tiers only."""

OLDEST: Final = VERSIONS[0]
NEWEST: Final = VERSIONS[-1]

NUMBERING: Final = "3.1"
"""The version by whose sections rows are named; ids never change."""

TEXTS: Final = tuple(dict.fromkeys(version.text for version in TABLE))
"""The texts whose section numbers a row may give, oldest first."""

NAMESPACES: Final = tuple(dict.fromkeys(version.namespace for version in reversed(TABLE)))
"""The namespaces of the Java types, newest first."""

SINCE: Final[Mapping[str, str]] = MappingProxyType(
    {part: version.name for version in TABLE for part in version.brought}
)
"""The version that brought an interface or another part of the specification."""

_DRAFT_TEXT: Final = {version.text: version.draft_of for version in TABLE if version.draft_of}


def reaches(version: str, first: str) -> bool:
    """Return whether a version is the same as another or later.

    Raises:
        ValueError: One of the two is not in `VERSIONS`.
    """
    return VERSIONS.index(version) >= VERSIONS.index(first)


def offers(version: str, part: str) -> bool:
    """Return whether a version has a part that it or an earlier one brought (`SINCE`)."""
    return reaches(version, SINCE[part])


def version_title(name: str) -> str:
    """Return a version as its text calls itself, `JMS 1.1`; another name stays."""
    return BY_NAME[name].title if name in BY_NAME else name


def text_title(text: str) -> str:
    """Return the name of a text of `TEXTS` as people write it."""
    return f"{_DRAFT_TEXT[text]} draft" if text in _DRAFT_TEXT else text


def version_of(tier: str) -> str:
    """Return the version whose rows count as in force in a tier: its name, of a draft that of its version."""
    return BY_NAME[tier].draft_of or tier if tier in BY_NAME else tier


def text_version(text: str) -> SpecVersion:
    """Return the version, or draft, that a text of `TEXTS` is of."""
    return next(version for version in TABLE if version.text == text and (version.draft_of or version.name == text))
