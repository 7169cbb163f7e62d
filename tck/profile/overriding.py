"""Adapter settings of one run that differ from the profile's: ``--tier``, ``--setting``. Imports this package only."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping

from tck.profile.errors import ProfileError
from tck.profile.model import Profile
from tck.profile.tiers import load_tier


def as_asked(profile: Profile, tier: str, texts: Iterable[str]) -> Profile:
    """Return the profile with the tier that its adapter is to play, if it can, and with the given settings.

    Args:
        profile: The profile as its file has it.
        tier: The tier of the run; empty for the version that the profile claims.
        texts: As for `override_settings`.

    Raises:
        ProfileError: There is no such tier, or a setting is not KEY=VALUE.
    """
    played = play(profile, load_tier(tier).version) if tier else profile
    return override_settings(played, texts)


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
        settings[key.strip()] = _value(value.strip())
    return replace_settings(profile, settings)


def replace_settings(profile: Profile, settings: Mapping[str, object]) -> Profile:
    """Return the profile with other adapter settings; if they differ it has another digest, since it is another target."""
    if settings == profile.adapter.settings:
        return profile
    told = json.dumps([profile.digest, settings], sort_keys=True, default=str)
    return dataclasses.replace(
        profile,
        adapter=dataclasses.replace(profile.adapter, settings=dict(settings)),
        digest="sha256:" + hashlib.sha256(told.encode()).hexdigest(),
    )


def _value(text: str) -> object:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
