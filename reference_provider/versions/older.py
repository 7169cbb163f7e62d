"""The classes of an old version: subclasses without the members that came later, whose objects make objects of their kind.

An object gets its old class right after it was made, in the method that makes it: a subclass without slots of its own
has the same layout, so the object itself stays what it is.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from typing import Any, Final, NoReturn, TypeVar, cast

from reference_provider.provider import ReferenceProvider
from reference_provider.versions.behaviour import CHANGES, Member, refusal
from reference_provider.versions.members import is_whole, missing

_T = TypeVar("_T")

_ROOMS: Final = ("reference_provider.client.", "reference_provider.messages.")
"""Where the classes are that have members of the messaging API."""


def as_of(provider: ReferenceProvider, version: str) -> ReferenceProvider:
    """Return the provider as it is in `version`: what came later raises UnsupportedOperationException."""
    if not is_whole(version):
        provider.__class__ = cast("type[ReferenceProvider]", class_of(type(provider), version))
    return provider


def made_by(member: Member, version: str) -> Member:
    """Return a method whose result is an object of the old version."""

    @functools.wraps(member)
    def make(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401 # as the original takes and returns them
        return aged(member(*arguments, **named), version)

    return make


def aged(made: _T, version: str) -> _T:
    """Give an object of the client's rooms its class of the old version; leave others alone."""
    kind = type(made)
    if kind.__module__.startswith(_ROOMS) and not hasattr(kind, "PLAYS"):
        made.__class__ = cast("type[_T]", class_of(cast("type", kind), version))
    return made


@functools.cache
def class_of(kind: type, version: str) -> type:
    """Return the subclass that a class has in an old version; one for each class, so objects stay comparable."""
    members: dict[str, Any] = {
        "__doc__": kind.__doc__,
        "__module__": kind.__module__,
        "__slots__": (),
        "PLAYS": version,
    }
    for base in kind.__mro__:
        for name, change in CHANGES.get(base, {}).items():
            members.setdefault(name, change(getattr(kind, name), version))
    for name in _makers(kind):
        members[name] = made_by(members.get(name) or getattr(kind, name), version)
    if isinstance(described := getattr(kind, "meta_data", None), property) and described.fget is not None:
        members["meta_data"] = property(made_by(described.fget, version))
    for name, first in missing(kind, version):
        members[name] = _refused(kind, name, first, version)
    made: type = type(kind)(kind.__name__, (kind,), members)  # of the same metaclass, that of abstract types
    return made


def _makers(kind: type) -> Iterator[str]:
    """Yield the methods that make objects of the messaging API."""
    for name, _ in inspect.getmembers(kind, inspect.isfunction):
        if name.startswith("create_") or name.endswith("_factory") or name in {"lookup", "message_of"}:
            yield name


def _refused(kind: type, name: str, first: str, version: str) -> object:
    what = f"{_owner(kind, name).__name__}.{name}"

    def refuse(*_: object, **__: object) -> NoReturn:
        raise refusal(what, first, version)

    return property(refuse, refuse) if not callable(inspect.getattr_static(kind, name)) else refuse


def _owner(kind: type, name: str) -> type:
    """Return the type of the messaging API that declares a member."""
    return next(each for each in reversed(kind.__mro__) if name in vars(each))
