"""Exceptions of the IDL as those of `tck.interworking`, and back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

from omniORB import CORBA

from tck.interworking import filters, qos

_SYSTEM: Final = {
    "OBJECT_NOT_EXIST": qos.ObjectNotExist,
    "IMP_LIMIT": qos.ImpLimit,
    "COMM_FAILURE": qos.CommFailure,
    "TRANSIENT": qos.CommFailure,
    "TIMEOUT": qos.CommFailure,
}


@contextlib.contextmanager
def ours() -> Iterator[None]:
    """Raise what a call of the channel raises as an exception of ours; one without a counterpart as a `ChannelError` with its name."""
    try:
        yield
    except (CORBA.UserException, CORBA.SystemException) as error:
        raise _ours(error) from error


def _ours(error: Any) -> qos.ChannelError:
    name = type(error).__name__
    if name in _SYSTEM:
        return _SYSTEM[name](str(error))
    found = getattr(qos, name, None) or getattr(filters, name, None)
    if not (isinstance(found, type) and issubclass(found, qos.ChannelError)):
        return qos.ChannelError(f"{name}: {error}")
    if issubclass(found, qos.PropertiesRefused):
        refused = error.qos_err if found is qos.UnsupportedQoS else error.admin_err
        return found(*(_refused(each) for each in refused))
    return found(str(error))


def _refused(error: Any) -> qos.PropertyError:
    low, high = (each.value() for each in (error.available_range.low_val, error.available_range.high_val))
    bounds = (each if isinstance(each, int) else 0 for each in (low, high))
    return qos.PropertyError(qos.QoSErrorCode(error.code._v), error.name, *bounds)


@contextlib.contextmanager
def theirs() -> Iterator[None]:
    """Raise what a client of ours raises so that the channel learns of it: `Disconnected` as that, the rest as UNKNOWN."""
    import CosEventComm  # noqa: PLC0415 - stubs of the extra

    try:
        yield
    except qos.Disconnected as error:
        raise CosEventComm.Disconnected from error
    except Exception as error:
        raise CORBA.UNKNOWN(0, CORBA.COMPLETED_MAYBE) from error
