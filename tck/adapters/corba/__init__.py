"""Notification channels of a CORBA service: the client side, by omniORB's Python binding, and the service that the kit starts.

orb       the object request broker of this process
values    `Any_` and events as those of omniORB, and back
errors    exceptions of the IDL as those of `tck.interworking`, and back
clients   the objects that a bridge connects, as servants
proxies   proxies as a bridge sees them
channels  factory, channel and admins as a bridge sees them
jacorb    JacORB's notification service as a child process

Nothing outside imports omniORB.
"""

from tck.adapters.corba.orb import orb
from tck.api import Clock
from tck.interworking.channel import ChannelFactory
from tck.profile.errors import AdapterError


def open_reference(reference: str, clock: Clock) -> ChannelFactory:
    """Return the channels of a factory by its reference, `IOR:...` or `corbaloc:...`.

    Raises:
        AdapterError: omniORB's Python binding is not installed, or the clock is virtual.
        ProviderUnreachable: No factory answers there.
    """
    if clock.virtual:
        raise AdapterError(
            "a notification service lives by the machine's clock, and the provider's is virtual; run beside -p reference-realtime"
        )
    orb()
    from tck.adapters.corba.channels import ForeignChannels  # noqa: PLC0415 - needs the extra

    return ForeignChannels(reference, clock)
