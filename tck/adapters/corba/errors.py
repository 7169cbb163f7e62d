"""Exceptions of the IDL as those of `tck.interworking`, and back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

import CosEventChannelAdmin
import CosEventComm
import CosNotification
import CosNotifyChannelAdmin
import CosNotifyFilter
from omniORB import CORBA

from tck.adapters.corba.values import their_properties
from tck.interworking import filters, qos

_SYSTEM: Final = {
    "OBJECT_NOT_EXIST": qos.ObjectNotExist,
    "IMP_LIMIT": qos.ImpLimit,
    "COMM_FAILURE": qos.CommFailure,
    "TRANSIENT": qos.CommFailure,
    "TIMEOUT": qos.CommFailure,
}
_OURS: Final = {kind: name for name, kind in reversed(_SYSTEM.items())}
_MODULES: Final = (CosEventComm, CosEventChannelAdmin, CosNotifyChannelAdmin, CosNotifyFilter)


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
    """Raise what an object of ours raises as the exception of the IDL with its name; one without a counterpart as UNKNOWN."""
    try:
        yield
    except (CORBA.UserException, CORBA.SystemException):
        raise
    except Exception as error:
        raise _theirs(error) from error


def _theirs(error: Exception) -> Any:
    kind, name = type(error), type(error).__name__
    if isinstance(error, qos.PropertiesRefused):
        return getattr(CosNotification, name)([_refusal(each) for each in error.errors])
    if kind in _OURS:
        return getattr(CORBA, _OURS[kind])(0, CORBA.COMPLETED_MAYBE)
    known = [getattr(each, name) for each in _MODULES if isinstance(error, qos.ChannelError) and hasattr(each, name)]
    return known[0]() if known else CORBA.UNKNOWN(0, CORBA.COMPLETED_MAYBE)


def _refusal(error: qos.PropertyError) -> Any:
    low, high = (their_properties({error.name: bound})[0].value for bound in (error.low, error.high))
    code = CosNotification.QoSError_code._item(error.code)
    return CosNotification.PropertyError(code, error.name, CosNotification.PropertyRange(low, high))
