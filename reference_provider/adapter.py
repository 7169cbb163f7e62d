"""The entry point: `open_provider(settings, work_dir)`.

Settings, all optional:

| key | value |
|---|---|
| `clock` | `"system"` (default), `"virtual"`, or `"passing"`: a virtual one without the clock hook |
| `file` | path of the database; default `provider.sqlite` in the work directory |
| `version` | `"3.1"` (default), `"2.0"`, `"1.1"`, `"1.0.2b"`, `"1.0"`: the version of the specification to follow |
| `users` | table of passwords by user name; without it any user may connect |
| `redelivery_limit`, `dead_letter_queue` | the largest number of deliveries of a message (default 0: no limit), and the queue that then gets it |
| `fault` | name of a deliberate fault: a row, a narrow or generic one, any of them with circumstances; `saboteur` is the same |
| `max_pages` | largest size of the file, in database pages; 0 (default) for no limit |
| `max_body_bytes`, `max_header_bytes` | largest body, and largest header with properties, that a send accepts, in bytes (default 256 MiB and 4 MiB) |
| `max_object_depth` | largest nesting depth of values in the body of an object message, 1 to 100 (default) |

Imports the provider, and saboteurs only if a setting demands one.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, cast, get_args

from reference_provider.broker.broker import Rules
from reference_provider.clock import ProviderClock, RealClock, VirtualClock
from reference_provider.messages import Limits, Version
from reference_provider.provider import ReferenceProvider
from reference_provider.server import Server, Settings
from reference_provider.store import StoreOptions
from reference_provider.versions import as_of
from tck.api import (
    SettingsError,
)

_KNOWN: Final = (
    "clock",
    "dead_letter_queue",
    "fault",
    "file",
    "max_body_bytes",
    "max_header_bytes",
    "max_object_depth",
    "max_pages",
    "redelivery_limit",
    "saboteur",
    "users",
    "version",
)


class _PassingClock(VirtualClock):
    """A virtual clock for slow providers: whoever waits for them lets time pass, so nobody is promised that it stands still."""

    __slots__ = ()
    still = False


_CLOCKS: Final[dict[str, Callable[[], ProviderClock]]] = {
    "system": RealClock,
    "virtual": VirtualClock,
    "passing": _PassingClock,
}


def open_provider(settings: Mapping[str, object], work_dir: Path) -> ReferenceProvider:
    """Open a provider with the settings of a profile; `work_dir` holds its file unless they name one.

    Raises SettingsError for an unknown setting or value, JMSException for an unfit file.
    """
    for key in settings:
        if key not in _KNOWN:
            raise SettingsError(f"unknown setting {key!r} of the reference provider; it knows {list(_KNOWN)}")
    clock = _CLOCKS[_choice(settings, "clock", tuple(_CLOCKS), "system")]()
    file = Path(str(settings.get("file", work_dir / "provider.sqlite")))
    undo = _break(settings)
    try:
        server = Server(
            Settings(file, _rules(settings), _users(settings.get("users", {})), _limits(settings)),
            clock,
        )
    except BaseException:
        undo()
        raise
    return as_of(ReferenceProvider(server, undo), server.version)


def _rules(settings: Mapping[str, object]) -> Rules:
    dead_letter_queue = settings.get("dead_letter_queue")
    return Rules(
        cast("Version", _choice(settings, "version", get_args(Version), "3.1")),
        _number(settings, "redelivery_limit"),
        None if dead_letter_queue is None else str(dead_letter_queue),
        StoreOptions(max_pages=_number(settings, "max_pages")),
    )


def _limits(settings: Mapping[str, object]) -> Limits:
    usual = Limits()
    return Limits(
        _number(settings, "max_body_bytes", usual.body_bytes),
        _number(settings, "max_header_bytes", usual.header_bytes),
        _number(settings, "max_object_depth", usual.object_depth, range(1, usual.object_depth + 1)),
    )


def _number(settings: Mapping[str, object], key: str, default: int = 0, allowed: range = range(sys.maxsize)) -> int:
    value = settings.get(key, default)
    if type(value) is not int or value not in allowed:
        most = "on" if allowed.stop == sys.maxsize else f"to {allowed.stop - 1}"
        raise SettingsError(f"setting {key} = {value!r}: expected a whole number from {allowed.start} {most}")
    return value


def _choice(settings: Mapping[str, object], key: str, allowed: tuple[str, ...], default: str) -> str:
    value = settings.get(key, default)
    if value not in allowed:
        raise SettingsError(f"setting {key} = {value!r}: expected one of {list(allowed)}")
    return str(value)


def _users(value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise SettingsError(f"setting users = {value!r}: expected a table of passwords by user name")
    return {str(name): str(password) for name, password in value.items()}


def _break(settings: Mapping[str, object]) -> Callable[[], None]:
    """Put the fault of the settings into the provider; return what takes it out."""
    names = [str(settings[key]) for key in ("fault", "saboteur") if settings.get(key) is not None]
    if not names:
        return lambda: None
    if len(names) > 1:
        raise SettingsError("settings fault and saboteur are the same: give one of them")
    import faults  # noqa: PLC0415 # only a broken provider loads them

    patch = faults.Patch()
    try:
        faults.find(names[0]).install(patch)
    except KeyError as error:
        raise SettingsError(f"setting fault = {names[0]!r}: {error.args[0]}") from error
    return patch.undo
