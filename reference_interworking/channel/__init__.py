"""A stand-in for a notification channel: in process, on a clock that may be virtual, for runs without a CORBA service.

`StandInFactory` makes its channels. The channel's own thread makes all calls to clients (see `dispatcher`), push and pull
styles are both offered, and crashes can be asked for. Imports `tck.api` and `tck.interworking` only.
"""

from reference_interworking.channel.core import Options
from reference_interworking.channel.stand_in import StandInChannel, StandInFactory

__all__ = ["Options", "StandInChannel", "StandInFactory"]
