"""Profiles of bridges: which converter is judged by the rows on interworking. Imports this package's errors and folders."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tck.catalogue.errors import did_you_mean
from tck.catalogue.lines import LineIndex, syntax_error
from tck.profile.errors import ProfileError
from tck.profile.locate import profiles_directory

DEFAULT_BRIDGE: Final = "reference"

_KEYS = ("name", "title")
_JUDGED = ("converter", "factory", "reference")
_TARGETS = ("converter", "factory", "channels")
_MAY = (*_JUDGED, "channels", "channels_at", "claims")

REFERENCES: Final = ("IOR:", "corbaloc:")
"""How the reference of a CORBA object begins."""
CLAIMS: Final = ("acknowledgment", "application-acknowledgment", "transactions")
"""What a bridge and its channel may leave out: event acknowledgment (sections 2.6 and 4.2 of the document), what the bridge is told of
acknowledgments by the application (2.6.2), and routing transactions (2.7, 3.2 and 4.3)."""


@dataclass(frozen=True, slots=True)
class Bridge:
    """A bridge as its profile describes it.

    Attributes:
        name: Its name.
        title: Its name as people write it.
        converter: `package.module:callable`; called without arguments it gives a `tck.interworking.Converter`. Empty for none.
        factory: `package.module:callable` for bridges that run; called with the factory of channels and the provider it gives a
            `tck.interworking.bridge.BridgeFactory`. Empty for a converter alone, or where there is a reference.
        reference: `IOR:...` or `corbaloc:...` of a `CosBridgeAdmin::BridgeFactory` that runs already; else empty.
        channels: `package.module:callable` for the channels; called with the provider's clock it gives a
            `tck.interworking.channel.ChannelFactory`. Empty for the stand-in channels of the kit, or those of `channels_reference`.
        channels_at: `host:port` at which the bridge of `reference` finds the channels, as `corbaloc::host:port/EventChannelFactory`.
        channels_reference: The reference of a CORBA channel factory, for channels that are opened by one; else empty.
        claims: Those of `CLAIMS` that the bridge and its channels have; rows about others are unsupported.
        path: The file.
    """

    name: str
    title: str
    path: Path
    converter: str = ""
    factory: str = ""
    reference: str = ""
    channels: str = ""
    channels_at: str = ""
    channels_reference: str = ""
    claims: frozenset[str] = frozenset()

    @property
    def runs(self) -> bool:
        """Whether there are bridges that run, beside a converter or without one."""
        return bool(self.factory or self.reference)


def bridge_names() -> tuple[str, ...]:
    """Return the names of the bridges that come with the kit."""
    return tuple(sorted(file.stem for file in (profiles_directory() / "bridges").glob("*.toml")))


def load_bridge(name_or_path: str = DEFAULT_BRIDGE) -> Bridge:
    """Read the profile of a bridge.

    Args:
        name_or_path: A path to a TOML file, or the name of a bridge that comes with the kit.

    Raises:
        ProfileError: There is none, or it breaks a rule; file, line and key are named.
    """
    path = _found(name_or_path)
    try:
        text = path.read_text(encoding="utf-8")
        content = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileError(path, 0, "", f"cannot be read: {error}") from None
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise ProfileError(path, line, "", message) from None
    if fault := _fault(content):
        where, message = fault
        raise ProfileError(path, LineIndex(text).line(where) if where else 0, ".".join(where), message)
    table = content["bridge"]
    return Bridge(**{**table, "claims": frozenset(table.get("claims", ()))}, path=path)


def _found(name_or_path: str) -> Path:
    """Return the file of a bridge: the path itself if there is such a file, else that of the name in the kit."""
    path = Path(name_or_path)
    known = profiles_directory() / "bridges" / f"{name_or_path}.toml"
    if path.is_file() or not known.is_file():
        if path.is_file():
            return path
        names = bridge_names()
        raise ProfileError(
            "",
            0,
            "",
            f'no bridge "{name_or_path}"{did_you_mean(name_or_path, names)}; the kit has {", ".join(names)}, any other '
            "is given by the path to its TOML file",
        )
    return known


def _fault(content: Mapping[str, object]) -> tuple[tuple[str, ...], str] | None:
    """Return the place of the first key that breaks a rule, and the rule."""
    bridge = content.get("bridge")
    if not isinstance(bridge, Mapping) or len(content) > 1:
        others = [key for key in content if key != "bridge"]
        return tuple(others[:1]), "expected the table [bridge] and no other"
    for key in (*bridge, *_KEYS):
        if key not in (*_KEYS, *_MAY):
            known = (*_KEYS, *_MAY)
            return ("bridge", key), f"unknown key{did_you_mean(key, known)}; known are {', '.join(known)}"
        if key not in bridge:
            return ("bridge",), f"expected the keys {', '.join(_KEYS)}; {key} is missing"
        if key == "claims":
            if message := _claims_fault(bridge[key]):
                return ("bridge", key), message
        elif not isinstance(bridge[key], str) or not bridge[key].strip():
            return ("bridge", key), "expected a text"
    return _target_fault(bridge)


def _target_fault(bridge: Mapping[str, str]) -> tuple[tuple[str, ...], str] | None:
    """Return the place of the first key that names something wrongly, and the rule."""
    for key in _TARGETS:
        if key in bridge and ":" not in bridge[key]:
            return ("bridge", key), f'expected package.module:callable, saw "{bridge[key]}"'
    if not any(key in bridge for key in _JUDGED):
        return ("bridge",), f"expected one of the keys {', '.join(_JUDGED)}"
    if "reference" not in bridge:
        return (("bridge", "channels_at"), "expected with a reference only") if "channels_at" in bridge else None
    if not bridge["reference"].startswith(REFERENCES):
        return ("bridge", "reference"), f'expected IOR:... or corbaloc:..., saw "{bridge["reference"]}"'
    if "factory" in bridge:
        return ("bridge", "factory"), "expected a factory or a reference, not both"
    if not bridge.get("channels_at", "").rpartition(":")[2].isdecimal():
        return (
            "bridge",
        ), 'expected channels_at = "host:port" beside the reference: where the bridge finds the kit\'s channels'
    return None


def _claims_fault(given: object) -> str | None:
    """Return why a value is no list of claims, or None."""
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        return f"expected a list of texts out of {', '.join(CLAIMS)}"
    for each in given:
        if each not in CLAIMS:
            return f'unknown claim "{each}"{did_you_mean(each, CLAIMS)}; known are {", ".join(CLAIMS)}'
    return None
