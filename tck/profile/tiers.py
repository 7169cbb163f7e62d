"""Tiers: for each specification version, the frozen set of assertions it requires. Imports catalogue and this package.

A tier is frozen, so that a change of the catalogue does not silently change the meaning of conformance to a version:
a test compares it with the rule, and the tiers are frozen again on purpose.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Iterable
from pathlib import Path
from types import MappingProxyType

from tck.catalogue import Catalogue, Level, section_key
from tck.catalogue.errors import did_you_mean
from tck.catalogue.lines import LineIndex, syntax_error
from tck.catalogue.versions import BY_NAME, TABLE
from tck.profile.errors import ProfileError
from tck.profile.locate import profiles_directory


@dataclasses.dataclass(frozen=True, slots=True)
class Tier:
    """The assertions that one specification version requires of a provider.

    Attributes:
        name: Its name, such as ``2.0`` or ``2.0-draft``.
        version: The version by which rows count as in force: its name, but 2.0 for the draft.
        title: Its name as people write it.
        documentary: Whether it only documents a text of the past; no provider is measured by it.
        required: Ids of the judged rows at level MUST that it requires; a row with features only of who claims them.
    """

    name: str
    version: str
    title: str
    documentary: bool
    required: frozenset[str]


TIERS = MappingProxyType({version.name: version.title for version in TABLE})
"""Name and title of each tier, oldest first."""

_KEYS = {"version": str, "title": str, "documentary": bool, "required": list}


def required_by_rule(name: str, catalogue: Catalogue) -> tuple[str, ...]:
    """Return what a tier requires by the rule: judged rows at level MUST that are in force in its version.

    The draft requires those rows of 2.0 that its own text states.

    Raises:
        KeyError: There is no such tier.
    """
    tier = BY_NAME[name]
    version = tier.draft_of or name
    rows = (row for row in catalogue.judged(java=True) if row.level == Level.MUST and row.applies_to(version))
    return tuple(row.id for row in rows if not tier.draft_of or tier.text in row.sections)


def load_tier(name: str, directory: Path | None = None) -> Tier:
    """Read a frozen tier.

    Args:
        name: A specification version, or ``2.0-draft``.
        directory: The folder of the tiers; the kit's own by default.

    Raises:
        ProfileError: There is no such tier, or its file is damaged.
    """
    if name not in TIERS:
        raise ProfileError("", 0, "", f'no tier "{name}"{did_you_mean(name, TIERS)}; there are {", ".join(TIERS)}')
    file = (directory or profiles_directory() / "tiers") / f"{name}.toml"
    try:
        text = file.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except OSError as error:
        raise ProfileError(file, 0, "", f"cannot be read: {error.strerror}; install the kit again") from None
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise ProfileError(file, line, "", message) from None
    for key in (*content, *_KEYS):
        if key not in _KEYS or not isinstance(content.get(key), _KEYS[key]):
            message = "expected the keys version, title, documentary and required; freeze the tiers anew"
            raise ProfileError(file, LineIndex(text).line((key,)), key, message)
    if content["version"] != name:
        raise ProfileError(
            file, LineIndex(text).line(("version",)), "version", f"expected {name}, after the file's name"
        )
    version = BY_NAME[name].draft_of or name
    return Tier(name, version, content["title"], content["documentary"], frozenset(content["required"]))


def freeze_tiers(directory: Path, catalogue: Catalogue) -> None:
    """Write every tier again by the rule."""
    for name in TIERS:
        (directory / f"{name}.toml").write_text(_rendered(name, required_by_rule(name, catalogue)), encoding="utf-8")


def _rendered(name: str, required: Iterable[str]) -> str:
    """Render one line per section, so that a difference shows its place."""
    sections: dict[str, list[str]] = {}
    for row in required:
        sections.setdefault(row.rpartition("-")[0], []).append(f'"{row}"')
    lines = [f"  {', '.join(sections[section])}," for section in sorted(sections, key=section_key)]
    return "\n".join(
        [
            f"# What {TIERS[name]} requires of a provider. Frozen; how to freeze it anew: docs/profiles.md.",
            f'version = "{name}"',
            f'title = "{TIERS[name]}"',
            f"documentary = {str(BY_NAME[name].documentary).lower()}",
            "required = [",
            *lines,
            "]",
            "",
        ]
    )
