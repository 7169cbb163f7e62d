"""The object request broker of this process: started when the first channel is opened, on the loopback interface only."""

from __future__ import annotations

import functools
import os
from typing import Any, Final

from tck.profile.errors import AdapterError

CALL_MS: Final = 60_000
"""How long a call may take before it raises `CommFailure`, in ms."""
OPTIONS: Final = {
    "nativeCharCodeSet": "UTF-8",
    "endPoint": "giop:tcp:127.0.0.1:",
    "maxGIOPConnectionPerServer": "100",  # a pull that waits has one to itself; the default is 5
}
HOW: Final = "install the extra corba: pip install 'jms-tck[corba]' (CPython 3.10 or 3.11 on Linux)"


def orb() -> Any:
    """Return the ORB of this process; a forked child starts one of its own.

    Raises:
        AdapterError: omniORB's Python binding is not installed.
    """
    return _started(os.getpid())


@functools.cache
def _started(_process: int) -> Any:
    try:
        import omniORB  # noqa: PLC0415 - an extra
        from omniORB import CORBA  # noqa: PLC0415
    except ImportError as error:
        raise AdapterError(f"a channel of CORBA needs omniORB's Python binding ({error}); {HOW}") from None
    # Before any value of these types: stubs register their type codes when they are imported.
    import CosNotifyChannelAdmin  # noqa: F401, PLC0415
    import TimeBase  # noqa: F401, PLC0415

    options = [each for name, value in OPTIONS.items() for each in (f"-ORB{name}", value)]
    made = CORBA.ORB_init(["tck", *options])
    made.resolve_initial_references("RootPOA")._get_the_POAManager().activate()
    omniORB.setClientCallTimeout(CALL_MS)
    return made
