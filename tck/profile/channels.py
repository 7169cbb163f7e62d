"""Profiles of notification channels: a service that bridges run on in place of the stand-in channels, and its known deviations."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any, Final

from tck.catalogue import Catalogue, load_catalogue
from tck.catalogue.errors import did_you_mean
from tck.profile.bridges import CLAIMS, REFERENCES, load_bridge
from tck.profile.errors import ProfileError
from tck.profile.loader import SCHEMA, check_names, deviations_of, read_source
from tck.profile.locate import profiles_directory
from tck.profile.model import Profile

_KEYS: Final = ("name", "title", "opens")


def channel_names() -> tuple[str, ...]:
    """Return the names of the channels that the kit has a profile of."""
    return tuple(sorted(file.stem for file in (profiles_directory() / "channels").glob("*.toml")))


def on_channel(profile: Profile, channel: str, catalogue: Catalogue | None = None) -> Profile:
    """Return a profile whose bridge runs on another channel, with the channel's deviations before its own.

    What a bridge claims holds as far as the channel's profile claims it too.

    Args:
        profile: The provider's; without a bridge, the kit's own is meant.
        channel: The name of a channel of the kit, the path to a profile, or a reference, `IOR:...` or `corbaloc:...`.
        catalogue: Rows are checked against it; loaded when not given.

    Raises:
        ProfileError: There is no such channel, or its profile breaks a rule; file, line and key are named.
    """
    bridge = profile.bridge or load_bridge()
    if channel.startswith(REFERENCES):
        made = dataclasses.replace(bridge, channels="", channels_reference=channel, claims=frozenset())
        return dataclasses.replace(profile, bridge=made)
    source = read_source(_found(channel), _schema())
    check_names(source, catalogue if catalogue is not None else load_catalogue())
    table = source.content["profile"] = source.content["channel"]
    made = dataclasses.replace(
        bridge,
        title=f"{bridge.title} on {table['title']}",
        channels=table["opens"],
        claims=bridge.claims & frozenset(table.get("claims", ())),
    )
    return dataclasses.replace(profile, bridge=made, deviations=(*deviations_of([source], {}), *profile.deviations))


def _schema() -> dict[str, Any]:
    whole = json.loads(SCHEMA.read_text(encoding="utf-8"))
    text = {"type": "string", "minLength": 1, "expected": "a text"}
    claims = {"type": "array", "items": {"enum": list(CLAIMS)}}
    table = {"type": "object", "required": list(_KEYS), "additionalProperties": False}
    properties = {**dict.fromkeys(_KEYS, text), "claims": claims}
    return {
        **{key: value for key, value in whole.items() if key.startswith("$")},
        "type": "object",
        "required": ["channel"],
        "additionalProperties": False,
        "properties": {"channel": {**table, "properties": properties}, "deviation": whole["properties"]["deviation"]},
    }


def _found(channel: str) -> Path:
    path = Path(channel)
    if path.is_file():
        return path
    known = profiles_directory() / "channels" / f"{channel}.toml"
    if known.is_file():
        return known
    names = channel_names()
    raise ProfileError(
        "",
        0,
        "",
        f'no channel "{channel}"{did_you_mean(channel, names)}; the kit has {", ".join(names)}, any other is given by the '
        "path to its TOML file, or by its reference, IOR:... or corbaloc:...",
    )
