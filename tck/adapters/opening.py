"""Open what a profile names: a provider, or the converter, bridges and channels of a bridge. The one place that imports an adapter.

May import the provider SPI, interworking, profiles and this package.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

from tck.adapters.jvm.machine import set_exit_status
from tck.api.clock import Clock
from tck.api.connections import ConnectionFactory
from tck.api.exceptions import SettingsError
from tck.api.spi import Provider, ProviderInfo
from tck.interworking import Converter
from tck.interworking.bridge import BridgeFactory
from tck.interworking.channel import ChannelFactory
from tck.profile.bridges import Bridge
from tck.profile.errors import AdapterError, ProviderUnreachable, shown
from tck.profile.model import Profile

CHANNELS: Final = "reference_interworking.channel:StandInFactory"
"""The channels that stand in for a Notification Service."""
BY_REFERENCE: Final = "tck.adapters.corba:open_reference"
"""Opens the channels of a CORBA factory by its reference."""


def open_provider(profile: Profile, work_dir: Path) -> Provider:
    """Import the profile's target and call it with the settings and the directory.

    A module that is not on the import path is also looked for beside the profile: one module and one profile are a
    whole adapter. That directory then stays at the end of the import path, for later imports of the adapter.

    Args:
        profile: Whose provider to open.
        work_dir: A directory of its own for the provider.

    Raises:
        AdapterError: The module or the callable is missing, cannot be called so, or returns no provider.
        ProviderUnreachable: The adapter raised an exception while opening; its text is in the message.
    """
    adapter = profile.adapter
    where = f"profile {profile.name} ({shown(profile.path)})"
    opener: Callable[[Mapping[str, object], Path], object]
    if adapter.kind == "jvm":
        from tck.adapters.jvm import provider as jvm  # noqa: PLC0415 - 60 ms that only a Java provider needs

        opener = partial(jvm.open_provider, name=profile.name, file=profile.path.resolve())
    else:
        opener, where = _target(profile, where)
    try:
        provider = opener(adapter.settings, work_dir)
    except AdapterError:
        raise
    except SettingsError as error:
        raise AdapterError(f"{where}: {error}; correct [adapter.settings], or --setting") from error
    except (Exception, SystemExit) as error:  # an adapter may exit where it finds no licence, say
        _raise_interruption(error)
        raise ProviderUnreachable(
            f"{where}: the provider could not be opened: {_native(error)}; check that it runs and what [adapter.settings] says"
        ) from error
    if not isinstance(provider, Provider):
        raise AdapterError(f"{where} returned {kind_of(provider)}; an adapter returns a tck.api.Provider")
    return provider


def _raise_interruption(error: BaseException) -> None:
    """Raise the interruption by the user that an exception was made of, if it was: Python wraps what a class's set-up raises."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, KeyboardInterrupt):
            raise cause
        cause = cause.__cause__


def check_provider(provider: Provider, profile: Profile) -> None:
    """Check the types of objects that every case needs. What raises is left to the cases, which judge it.

    Raises:
        AdapterError: A method returned something of another type.
    """
    for name, kind in (("info", ProviderInfo), ("connection_factory", ConnectionFactory)):
        try:
            returned = getattr(provider, name)()
        except Exception:  # noqa: BLE001, S112 - as said
            continue
        if not isinstance(returned, kind):
            provider.close()
            raise AdapterError(
                f'profile {profile.name} ({shown(profile.path)}), target "{profile.adapter.target}": '
                f"Provider.{name}() returned {kind_of(returned)}; expected a tck.api.{kind.__name__}"
            )


def check_adapter(profile: Profile) -> None:
    """Check what a profile's adapter needs on this machine, as far as possible without opening the provider.

    For kind ``jvm``: settings, lock file, jars (which are downloaded if need be), Java. For kind ``python``: the target can be
    imported, and called as an adapter is.

    Raises:
        AdapterError: Something is missing; what, and how to get it.
    """
    if profile.adapter.kind == "jvm":
        from tck.adapters.jvm import provider as jvm  # noqa: PLC0415 - as in open_provider

        jvm.check_settings(profile.adapter.settings, name=profile.name, file=profile.path.resolve())
    else:
        _target(profile, f"profile {profile.name} ({shown(profile.path)})")


def check_bridge(bridge: Bridge) -> None:
    """Check everything that the profile of a bridge names.

    A module beside the profile is found too.

    Raises:
        AdapterError: Something is missing; what, and what to do.
    """
    for key in ("converter", "factory"):
        if getattr(bridge, key):
            _of_bridge(bridge, key)
    if bridge.channels or bridge.channels_reference:
        opener = _of_bridge(bridge, "channels")
        check = getattr(sys.modules[opener.__module__], "check_channels", None)
        if check is not None:
            check(bridge.channels_reference)
    if bridge.reference:
        from tck.adapters import corba  # noqa: PLC0415 - an extra

        corba.check_bridges(bridge.reference)


_CALLED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "converter": "open_converter()",
        "factory": "open_factory(channels, provider)",
        "channels": "open_channels(clock)",
    }
)
"""How each callable of a bridge is called."""


def _of_bridge(bridge: Bridge, key: str) -> Callable[..., object]:
    """Return the callable that a key of a bridge's profile names; for channels that of the kit where it names none."""
    module, _, attributes = (getattr(bridge, key) or _own_channels(bridge)).partition(":")
    return imported(module, attributes, bridge.path.resolve().parent, _bridge_at(bridge, key), _CALLED[key])


def open_converter(bridge: Bridge) -> Converter:
    """Return a new converter of a bridge.

    Raises:
        AdapterError: The callable is missing, fails, or gives something else.
    """
    return cast("Converter", _opened(bridge, "converter", Converter))


def open_bridges(bridge: Bridge, channels: ChannelFactory, provider: Provider) -> BridgeFactory:
    """Return the factory of running bridges that a profile names.

    Raises:
        AdapterError: It names none, or the callable is missing, fails, or gives something else.
    """
    if bridge.reference:
        from tck.adapters import corba  # noqa: PLC0415 - an extra

        corba.export(channels, bridge.channels_at)
        return corba.open_bridges(bridge.reference, channels)
    return cast("BridgeFactory", _opened(bridge, "factory", BridgeFactory, channels, provider))


def open_channels(bridge: Bridge, clock: Clock) -> ChannelFactory:
    """Return a factory of channels that live by a clock: those that a profile names, or else the stand-in channels of the kit.

    Raises:
        AdapterError: The callable is missing, fails, or gives something else.
    """
    given = (bridge.channels_reference, clock) if bridge.channels_reference else (clock,)
    return cast("ChannelFactory", _opened(bridge, "channels", ChannelFactory, *given))


def _opened(bridge: Bridge, key: str, wanted: type[object], *arguments: object) -> object:
    """Call what a key of a bridge's profile names, and demand an object of a type."""
    maker = _of_bridge(bridge, key)
    where = _bridge_at(bridge, key)
    try:
        made = maker(*arguments)
    except Exception as error:
        _raise_interruption(error)
        raise AdapterError(f"{where}: it cannot be opened: {_native(error)}") from error
    if not isinstance(made, wanted):
        raise AdapterError(f"{where} gave {kind_of(made)}; expected a tck.interworking {wanted.__name__}")
    return made


def _own_channels(bridge: Bridge) -> str:
    return BY_REFERENCE if bridge.channels_reference else CHANNELS


def _bridge_at(bridge: Bridge, key: str) -> str:
    return f'bridge {bridge.name} ({shown(bridge.path)}), {key} "{getattr(bridge, key) or _own_channels(bridge)}"'


def leave_with(code: int) -> None:
    """Set the exit code for the case that a Java machine in this process has to be left running and ends the process."""
    set_exit_status(code)


def _target(profile: Profile, where: str) -> tuple[Callable[[Mapping[str, object], Path], object], str]:
    """Return the checked callable that a profile of kind ``python`` names, and the words for its place."""
    module_name, _, attributes = profile.adapter.target.partition(":")
    where = f'{where}, target "{profile.adapter.target}"'
    opener = imported(
        module_name, attributes, profile.path.resolve().parent, where, "open_provider(settings, work_dir)"
    )
    _check_call(opener, where)
    return opener, where


def imported(module_name: str, attributes: str, beside: Path, where: str, example: str) -> Callable[..., object]:
    """Return the callable that a profile names.

    Args:
        module_name: The module.
        attributes: The name in it, with dots.
        beside: The folder of the profile, whose modules are found too.
        where: The words for its place, with which errors begin.
        example: The signature that such a callable has.

    Raises:
        AdapterError: There is no such module or callable, or the import fails; what to do.
    """
    try:
        module: object = _module(module_name, beside)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if module_name != missing and not module_name.startswith(f"{missing}."):
            raise AdapterError(f"{where}: the module needs {missing}, which is not installed; install it") from error
        raise AdapterError(
            f"{where}: there is no module {missing}, neither on the import path nor in {shown(beside)}; "
            "install the adapter, or put its module beside the profile"
        ) from error
    except Exception as error:
        _raise_interruption(error)
        raise AdapterError(f"{where}: the module cannot be imported: {_native(error)}") from error
    found = module
    for name in attributes.split("."):
        if not hasattr(found, name):
            callables = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
            has = f"; it has {', '.join(sorted(callables)[:8])}" if callables else ""
            raise AdapterError(f"{where}: the module {module_name} has no {attributes}{has}")
        found = getattr(found, name)
    if not callable(found):
        raise AdapterError(f"{where} is {kind_of(found)} and cannot be called; name a function {example}")
    return found


def _module(name: str, beside: Path) -> object:
    """Import a module; if it is not found, put the profile's directory at the end of the import path and try again."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        top = name.partition(".")[0]
        if error.name != top or str(beside) in sys.path:
            raise
        if not (beside / f"{top}.py").is_file() and not (beside / top).is_dir():
            raise
        sys.path.append(str(beside))
        importlib.invalidate_caches()
        return importlib.import_module(name)


def _check_call(opener: Callable[..., object], where: str) -> None:
    """Distinguish a wrong signature from a provider that cannot be reached."""
    try:
        signature = inspect.signature(opener)
    except (TypeError, ValueError):
        return  # some callables of C have no signature; the call itself will show it
    try:
        signature.bind({}, Path())
    except TypeError as error:
        raise AdapterError(f"{where} takes {signature}, {error}; expected open_provider(settings, work_dir)") from None


def _native(error: BaseException) -> str:
    text = str(error).strip()
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def kind_of(value: object) -> str:
    """Return the class of a value in words, with its module."""
    return "None" if value is None else f"an object of type {type(value).__module__}.{type(value).__qualname__}"
