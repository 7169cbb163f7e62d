"""The object request broker of this process: started when the first channel is opened, on the loopback interface only."""

from __future__ import annotations

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


def orb(at: str = "") -> Any:
    """Return the ORB of this process; a forked child starts one of its own.

    Args:
        at: `host:port` at which others reach it. The first call of a process decides; without one it is any free port of this machine's
            loopback interface.

    Raises:
        AdapterError: omniORB's Python binding is not installed, or the port is taken.
    """
    if os.getpid() not in _started:
        _started[os.getpid()] = _start(at), at
    made, where = _started[os.getpid()]
    if at not in ("", where):
        raise AdapterError(f"this process is reached at {where or 'a port of its own'} already, not at {at}")
    return made


_started: Final[dict[int, tuple[Any, str]]] = {}


def _start(at: str) -> Any:
    try:
        import omniORB  # noqa: PLC0415 - an extra
        from omniORB import CORBA  # noqa: PLC0415
    except ImportError as error:
        raise AdapterError(f"a channel of CORBA needs omniORB's Python binding ({error}); {HOW}") from None
    # Before any value of these types: stubs register their type codes when they are imported.
    import CosNotifyChannelAdmin  # noqa: F401, PLC0415
    import TimeBase  # noqa: F401, PLC0415

    options = {**OPTIONS, "endPoint": f"giop:tcp:{at}"} if at else OPTIONS
    try:
        made = CORBA.ORB_init(["tck", *(each for name, value in options.items() for each in (f"-ORB{name}", value))])
        made.resolve_initial_references("RootPOA")._get_the_POAManager().activate()
    except CORBA.INITIALIZE as error:
        raise AdapterError(f"{at} cannot be listened at: {error}; name another port, and run with -n 0") from error
    omniORB.setClientCallTimeout(CALL_MS)
    return made
