"""Other adapter settings than those of the profile's file, for one run: ``--setting KEY=VALUE``. Imports this package only."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping

from tck.profile.errors import ProfileError
from tck.profile.model import Profile


def override_settings(profile: Profile, texts: Iterable[str]) -> Profile:
    """Apply settings as people type them: a TOML value, or plain text where that is none.

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
    """Give the profile with other adapter settings; where they differ it has another digest, since it is another target."""
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
