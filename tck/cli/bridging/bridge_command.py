"""`tck bridge run`: a bridge between a channel of a notification service and destinations of a provider, until ^C or SIGTERM."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from tck import temporary
from tck.adapters.opening import check_bridge, leave_with, open_bridges, open_channels, open_provider
from tck.api import JMSException, Provider
from tck.cli.bridging.counting import counted
from tck.cli.bridging.keeping import Ends, Keeper
from tck.cli.support import choices
from tck.cli.support.console import Problem, emit, emit_json, note, stdout_to_stderr
from tck.interworking import BridgeError
from tck.interworking.bridge import DestinationType, FlowStyle, JMSDestination, MessageType
from tck.interworking.channel import ChannelFactory
from tck.interworking.qos import ChannelError, ChannelNotFound
from tck.profile import (
    AdapterError,
    Bridge,
    ProfileError,
    ProviderUnreachable,
    as_asked,
    check_has_releases,
    load_bridge,
    load_profile,
    on_channel,
)
from tck.profile.bridges import REFERENCES
from tck.profile.model import Profile
from tck.record import Exit
from tck.running.options import REAL_TIME
from tck.workload.interrupts import Interrupts, LeftAtOnce, patient_interrupt

_FILE: Final = "NAME|FILE"
_CHANNEL: Final = (
    "The service: IOR:... or corbaloc:..., a file with one, jacorb, or a profile (default: the channels of --bridge)."
)
_PLACES: Final = "The destination; with --to both two, the one that is read and the one that is written."


@click.group("bridge")
def command() -> None:
    """Run a bridge between a notification channel and a provider."""


@command.command("run")
@click.option("--channel", default="", metavar="REFERENCE|FILE|NAME", help=_CHANNEL)
@click.option("--channel-id", type=click.IntRange(min=0), metavar="N", help="The channel (default: a new one).")
@click.option(
    "--destination", "destinations", multiple=True, required=True, metavar="queue:NAME|topic:NAME", help=_PLACES
)
@click.option("--to", type=click.Choice(["jms", "channel", "both"]), required=True, help="Where events or messages go.")
@click.option("--style", type=click.Choice(["push", "pull"]), default="push", help="Who calls at the channel (push).")
@click.option("--sequences", is_flag=True, help="Carry sequences of events, not single ones.")
@click.option("-p", "--profile", default=REAL_TIME, show_default=True, metavar=_FILE, help="The provider.")
@click.option("--bridge", default="reference", show_default=True, metavar=_FILE, help="The bridge, by its profile.")
@choices.setting_option
@choices.release_option
@click.option("--keep", is_flag=True, help="Destroy neither the bridges nor a channel that was made.")
@click.option("--every", type=choices.Seconds(min=1), metavar="SECONDS", help="Print counts that often.")
@click.option("--attempts", type=click.IntRange(min=1), metavar="N", help="Give up a loss after N attempts (never).")
@choices.format_option
def run(destinations: tuple[str, ...], to: str, keep: bool, every: float | None, form: str, **given: Any) -> int:  # noqa: ANN401 - options
    """Run a bridge until ^C or SIGTERM, and resume it after a loss of either side."""
    places = _places(destinations, ("channel", "jms") if to == "both" else (to,))
    type_ = MessageType.SEQUENCE_EVENT if given["sequences"] else MessageType.STRUCTURED_EVENT
    ends = Ends(given["channel_id"], places, FlowStyle[given["style"].upper()], type_)
    counts: Counter[str] = Counter()
    show, quiet = (note, stdout_to_stderr()) if form == "json" else (emit, contextlib.nullcontext())
    with quiet, _reported(), patient_interrupt(note) as interrupts:
        loaded = load_profile(given["profile"])
        check_has_releases(loaded, given["release"])
        found = as_asked(loaded, "", choices.with_release(given["settings"], given["release"]))
        bridge = _bridge_on(found, given["bridge"], given["channel"])
        with open_provider(found, temporary.make_folder("bridge")) as provider:
            keeper = _keeper(found, bridge, given["channel"], ends, provider, counts)
            keeper.attempts = given["attempts"]
            keeper.open()
            interrupts.will_ask()
            try:
                show(f"tck: {keeper} on {found.title}; ^C ends it")
                keeper.watch(_Waiting(interrupts, every, lambda: show(_line(keeper, counts))))
            except LeftAtOnce:
                raise
            except KeyboardInterrupt:
                interrupts.heed()
            finally:
                keeper.close(keep=keep)
    leave_with(Exit.CONFORMANT)
    if form == "json":
        carried = {each: counts[each] for each in places}
        losses = {"losses": keeper.losses, "restarts": keeper.restarts}
        emit_json({"channel": keeper.channel_id, "carried": carried, **losses, "exit": int(Exit.CONFORMANT)})
    else:
        emit(_line(keeper, counts))
    return Exit.CONFORMANT


def _places(texts: tuple[str, ...], ways: tuple[str, ...]) -> dict[str, JMSDestination]:
    """Return the destination of each direction."""
    found = []
    for text in texts:
        kind, _, name = text.partition(":")
        if kind not in ("queue", "topic") or not name:
            raise Problem(f"--destination {text}: expected queue:NAME or topic:NAME")
        found.append(JMSDestination(DestinationType[kind.upper()], name))
    if len(found) != len(ways) or len(set(found)) != len(found):
        raise Problem(
            f"--destination: saw {', '.join(texts)}; expected one, or with --to both two: the one that is read, and another "
            "that is written, for on one alone each message would go round without end"
        )
    return dict(zip(ways, found, strict=True))


def _bridge_on(profile: Profile, name: str, channel: str) -> Bridge:
    """Return the bridge, on a channel if one is named; what it names is there."""
    bridge = load_bridge(name)
    if channel:
        bridge = on_channel(dataclasses.replace(profile, bridge=bridge), _reference(channel)).bridge or bridge
    if not bridge.factory:
        raise Problem(f"--bridge {name}: its profile names no factory, which runs bridges in this process; name one")
    if not (bridge.channels or bridge.channels_reference):
        raise Problem("expected --channel: a reference, a file with one, jacorb, or a profile")
    check_bridge(bridge)
    return bridge


def _reference(channel: str) -> str:
    """Return the reference that a file holds, or what was given."""
    path = Path(channel)
    if channel.startswith(REFERENCES) or path.suffix == ".toml" or not path.is_file():
        return channel
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not text.startswith(REFERENCES):
        raise Problem(f"--channel {channel}: expected a file with IOR:... or corbaloc:..., saw {text[:20]!r}")
    return text


def _keeper(
    profile: Profile, bridge: Bridge, channel: str, ends: Ends, provider: Provider, counts: Counter[str]
) -> Keeper:
    if provider.clock.virtual:
        raise Problem(f"-p {profile.name}: its clock is virtual, and a bridge runs in real time; take -p {REAL_TIME}")

    def channels() -> ChannelFactory:
        # A service that starts again may write its file anew.
        now = (
            dataclasses.replace(bridge, channels_reference=_reference(channel)) if bridge.channels_reference else bridge
        )
        return open_channels(now, provider.clock)

    return Keeper(ends, channels, lambda made: open_bridges(bridge, made, counted(provider, counts)), note)


class _Waiting:
    """Waits, asks for signals ten times a second, and prints counts when they are due."""

    def __init__(self, interrupts: Interrupts, every: float | None, show: Callable[[], None]) -> None:
        self._interrupts, self._every, self._show = interrupts, every, show
        self._pause, self._shown = threading.Event(), time.monotonic()

    def __call__(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self._interrupts.check()
            self._pause.wait(0.1)
        if self._every is not None and time.monotonic() - self._shown >= self._every:
            self._shown = time.monotonic()
            self._show()


def _line(keeper: Keeper, counts: Counter[str]) -> str:
    carried = ", ".join(f"{counts[each]:,} to {each}" for each in keeper.ends.destinations)
    return f"tck: carried {carried}; losses {keeper.losses}, restarts {keeper.restarts}"


@contextlib.contextmanager
def _reported() -> Iterator[None]:
    """Tell an error in one message, with its exit code."""
    try:
        yield
    except ProfileError as error:
        raise Problem(str(error)) from error
    except AdapterError as error:
        cause = error.__cause__ if isinstance(error.__cause__, AdapterError) else error
        raise Problem(
            str(cause), Exit.PROVIDER_LOST if isinstance(cause, ProviderUnreachable) else Exit.USAGE
        ) from error
    except ChannelNotFound as error:
        raise Problem("--channel-id: the service has no such channel; leave the option out for a new one") from error
    except BridgeError as error:
        raise Problem(f"the bridge refuses: {error}; change --destination, --style or --channel-id") from error
    except (ChannelError, JMSException) as error:
        what = f"{type(error).__name__}: {error}"
        raise Problem(f"no bridge can be made: {what}; check service and provider", Exit.PROVIDER_LOST) from error
