"""What one run takes otherwise than its profile has it: ``--tier``, ``--setting``, ``--release``, ``--no-declarations``,
``--claim everything``.

Imports this package only.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tck.profile.errors import ProfileError
from tck.profile.loader import load_profile
from tck.profile.model import Profile
from tck.profile.tiers import load_tier

RELEASE: Final = "release"
"""The setting of a Java provider that is not its adapter's: it chooses the release, as ``--release`` does."""


def as_asked(
    profile: Profile, tier: str, texts: Iterable[str], *, declarations: bool = True, everything: bool = False
) -> Profile:
    """Return the profile with the tier that its adapter is to play, if it can, and with the given settings.

    Args:
        profile: The profile as its file has it.
        tier: The tier of the run; empty for the version that the profile claims.
        texts: As for `override_settings`.
        declarations: Whether the profile's known deviations count.
        everything: Whether what the maintainers disclaim is claimed all the same.

    Raises:
        ProfileError: There is no such tier or release, or a setting is not KEY=VALUE.
    """
    settings = tuple(texts)
    chosen = released(profile, settings)
    played = play(chosen, load_tier(tier).version) if tier else chosen
    asked = override_settings(played, settings)
    if everything and asked.claims.without:
        asked = _otherwise(asked, "everything claimed", claims=dataclasses.replace(asked.claims, without=()))
    return asked if declarations else without_declarations(asked)


def check_has_releases(profile: Profile, release: str) -> None:
    """Refuse ``--release`` for a provider that is not in Java.

    Raises:
        ProfileError: As said.
    """
    if release and profile.adapter.kind != "jvm":
        message = f"--release {release}: the provider is not in Java, and only the jars of those are of a release"
        raise ProfileError(profile.path, 0, "", message)


def released(profile: Profile, texts: Iterable[str]) -> Profile:
    """Return the profile of the release that the settings name; the same one if they name none.

    Raises:
        ProfileError: The profile says nothing of that release.
    """
    if profile.adapter.kind != "jvm":
        return profile
    wanted = [text.partition("=")[2].strip() for text in texts if text.partition("=")[0].strip() == RELEASE]
    return load_profile(profile.reference, release=wanted[-1].strip("\"'")) if wanted else profile


def without_declarations(profile: Profile) -> Profile:
    """Return the profile without its known deviations: each of them is a violation then."""
    return _otherwise(profile, "no declarations", deviations=()) if profile.deviations else profile


def _otherwise(profile: Profile, how: str, **changes: Any) -> Profile:  # noqa: ANN401 - any attributes of it
    """Return the profile with changes that its digest tells."""
    text = json.dumps([profile.digest, how])
    return dataclasses.replace(profile, digest="sha256:" + hashlib.sha256(text.encode()).hexdigest(), **changes)


def beside(profile: Profile, second: Profile) -> Profile:
    """Return the profile with that of the provider beside it.

    Raises:
        ProfileError: Both are reached through a Java machine, of which a process has one.
    """
    if profile.adapter.kind == second.adapter.kind == "jvm" and profile.name != second.name:
        message = f"{profile.name} needs the Java machine of this process; run it beside a provider in Python"
        raise ProfileError(second.path, 0, "adapter.kind", message)
    return dataclasses.replace(profile, second=second)


def play(profile: Profile, version: str) -> Profile:
    """Return the profile with an adapter that plays a version, if it can (`tier_setting`)."""
    name = profile.adapter.tier_setting
    return replace_settings(profile, {**profile.adapter.settings, name: version}) if name else profile


def override_settings(profile: Profile, texts: Iterable[str]) -> Profile:
    """Apply settings as people type them: a TOML value, else plain text.

    Raises:
        ProfileError: One is not KEY=VALUE.
    """
    settings: dict[str, object] = dict(profile.adapter.settings)
    for text in texts:
        key, separator, value = text.partition("=")
        if not separator or not key.strip():
            raise ProfileError("", 0, "", f"--setting {text}: expected KEY=VALUE, for instance --setting clock=system")
        if profile.adapter.kind == "jvm" and key.strip() == RELEASE:
            continue  # the profile is that of the release already
        settings[key.strip()] = _value(value.strip())
    return replace_settings(profile, settings)


def replace_settings(profile: Profile, settings: Mapping[str, object]) -> Profile:
    """Return the profile with other adapter settings; if they differ it has another digest, since it is another target."""
    if settings == profile.adapter.settings:
        return profile
    text = json.dumps([profile.digest, settings], sort_keys=True, default=str)
    return dataclasses.replace(
        profile,
        adapter=dataclasses.replace(profile.adapter, settings=dict(settings)),
        digest="sha256:" + hashlib.sha256(text.encode()).hexdigest(),
    )


def _value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
