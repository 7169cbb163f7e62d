"""Notification channels by CORBA, with omniORB's Python binding: those of a service, which the kit may start, and ours for others.

orb       the object request broker of this process
values    `Any_` and events as those of omniORB, and back
errors    exceptions of the IDL as those of `tck.interworking`, and back
clients   the objects that a bridge connects, as servants
proxies   proxies as a bridge sees them
bridges   bridges of others, by the reference of their factory
channels  factory, channel and admins as a bridge sees them
serving   servants before objects of ours, and the operations that their interfaces share
servants  a factory of ours with its channels, admins, proxies and filters, as servants
jacorb    JacORB's notification service as a child process

Nothing outside imports omniORB.
"""

import subprocess
import sys
from typing import Final

from tck.adapters.corba.orb import orb
from tck.api import Clock, SystemClock
from tck.interworking.bridge import BridgeFactory
from tck.interworking.channel import ChannelFactory
from tck.profile.errors import AdapterError, ProviderUnreachable

_UNREACHABLE: Final = 2


def check_channels(reference: str = "") -> None:
    """Check what channels of CORBA need, and that a factory answers, in a process that ends: a process with an ORB cannot be forked.

    Raises:
        AdapterError: Something is missing; what, and what to do.
        ProviderUnreachable: No factory answers at the reference.
    """
    _check("open_reference", reference)


def check_bridges(reference: str) -> None:
    """Check what bridges of CORBA need, and that a factory of bridges answers, as `check_channels` does."""
    _check("open_bridges", reference)


def _check(opener: str, reference: str) -> None:
    program = "import sys; from tck.adapters.corba import checked; sys.exit(checked(*sys.argv[1:]))"
    command = [sys.executable, "-c", program, opener, reference]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        said = done.stderr.strip().rpartition("\n")[2] or "omniORB ended without a word"
        raise (ProviderUnreachable if done.returncode == _UNREACHABLE else AdapterError)(said)


def checked(opener: str, reference: str) -> int:
    """Print why channels or bridges cannot be opened; return 0 if they can."""
    try:
        orb()
        if reference and opener == "open_reference":
            open_reference(reference, SystemClock())
        elif reference:
            open_bridges(reference)
    except AdapterError as error:
        sys.stderr.write(f"{error}\n")
        return _UNREACHABLE if isinstance(error, ProviderUnreachable) else 1
    return 0


def open_reference(reference: str, clock: Clock) -> ChannelFactory:
    """Return the channels of a factory by its reference, `IOR:...` or `corbaloc:...`.

    Raises:
        AdapterError: omniORB's Python binding is not installed, or the clock is virtual.
        ProviderUnreachable: No factory answers there.
    """
    _check_clock(clock)
    orb()
    from tck.adapters.corba.channels import ForeignChannels  # noqa: PLC0415 - needs the extra

    return ForeignChannels(reference, clock)


def _check_clock(clock: Clock) -> None:
    if clock.virtual:
        raise AdapterError(
            "a channel of CORBA lives by the machine's clock, and the provider's is virtual; run beside -p reference-realtime"
        )


def open_bridges(reference: str, channels: ChannelFactory | None = None) -> BridgeFactory:
    """Return the bridges of a `CosBridgeAdmin::BridgeFactory`.

    Args:
        reference: Its reference, `IOR:...` or `corbaloc:...`.
        channels: Those of ours between which bridges are made; they have been exported.

    Raises:
        AdapterError: omniORB's Python binding is not installed.
        ProviderUnreachable: No factory of bridges answers there.
    """
    orb()
    from tck.adapters.corba.bridges import ForeignBridges  # noqa: PLC0415 - needs the extra

    if channels is None:
        return ForeignBridges(reference)
    from tck.adapters.corba.servants import export as exported  # noqa: PLC0415 - likewise

    return ForeignBridges(reference, exported(channels)[1])


def export(channels: ChannelFactory, at: str = "") -> str:
    """Return a reference, `IOR:...`, by which bridges of any ORB reach channels of ours until this process ends.

    It is the same at each call: the channels of all factories that were given lately are found there, the ids of the second shifted by a
    million, and so on.

    Args:
        channels: The factory.
        at: `host:port`, which makes it known as `corbaloc::host:port/EventChannelFactory`, too.

    Raises:
        AdapterError: omniORB's Python binding is not installed, the port is taken, or the clock is virtual.
    """
    _check_clock(channels.clock)
    orb(at)
    from tck.adapters.corba.servants import export as exported  # noqa: PLC0415 - needs the extra

    return exported(channels, at)[0]
