"""Operations on exceptions: those that the provider makes when asked to, and those that its calls raise."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from tck import api
from tck.programs.observing.environment import Environment, exception_name
from tck.programs.observing.look import tried
from tck.programs.operations.operation import Operation
from tck.programs.program import Json
from tck.programs.state.objects import OpenOutcome
from tck.programs.state.state import State

CHECKED: Final = (
    "JMSException", "IllegalStateException", "InvalidClientIDException", "InvalidDestinationException", "InvalidSelectorException",
    "JMSSecurityException", "MessageEOFException", "MessageFormatException", "MessageNotReadableException",
    "MessageNotWriteableException", "ResourceAllocationException", "TransactionInProgressException", "TransactionRolledBackException",
)  # fmt: skip
"""The exceptions of the older interfaces."""
RUNTIME: Final = tuple(
    each.replace("Exception", "RuntimeException")
    for each in CHECKED
    if each not in {"MessageEOFException", "MessageNotReadableException"}
)
"""Their twins of the simplified interface."""
PROVOKING: Final[Mapping[str, bool]] = {"commit": False, "rollback": False, "recover": True}
"""Calls that are refused, each by whether the session that refuses it is transacted."""
_BEHIND: Final = "behind"


def exception(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Have the provider make an exception, link another one to it if that is wanted, and tell what it says of itself."""
    kind: Any = getattr(api, args["kind"])
    linked = api.IllegalArgumentException(_BEHIND) if args.get("linked") else None
    checked = issubclass(kind, api.JMSException)
    given: list[Any] = [args["code"]] if "code" in args else []
    if linked is not None and not checked:
        given = [args.get("code"), linked]
    made: Any = env.provider.new_exception(kind, args["reason"], *given)
    alone = tried(lambda: _name(made.linked_exception)) if checked else None
    if linked is not None and checked:
        made = env.provider.link_exception(made, linked)
    return {
        "reason": tried(lambda: made.reason),
        "code": tried(lambda: made.error_code),
        "alone": alone,
        "linked": tried(lambda: _name(made.linked_exception if checked else made.__cause__)),
        "class": exception_name(made),
    }


def _name(found: object) -> str | None:
    return None if found is None else str(found)


def _check_exception(state: State, args: Mapping[str, Json]) -> None:
    runtime = args["kind"] in RUNTIME
    if not runtime and args["kind"] not in CHECKED:
        raise OpenOutcome("it is no exception of the API")
    if runtime and (not state.capabilities.modern or "simplified" not in state.capabilities.apis):
        raise OpenOutcome("the version, or what is claimed of it, has no runtime exceptions")


def provoke(env: Environment, args: Mapping[str, Json], _: str | None) -> Json:
    """Make a call that is refused, and tell whether its exception has a description, and a code that is text or null."""
    try:
        getattr(env.get(args["on"]), args["what"])()
    except (api.JMSException, api.JMSRuntimeException) as error:
        return {
            "raised": True,
            "described": tried(partial(_described, error)),
            "coded": tried(partial(_coded, error)),
        }
    return {"raised": False, "described": None, "coded": None}


def _described(error: api.JMSException | api.JMSRuntimeException) -> bool:
    return bool((error.reason or "").strip())


def _coded(error: api.JMSException | api.JMSRuntimeException) -> bool:
    return isinstance(error.error_code, (str, type(None)))


def _check_provoke(state: State, args: Mapping[str, Json]) -> None:
    found = state.usable(args["on"])
    if args["what"] not in PROVOKING:
        raise OpenOutcome("nothing says that it is refused")
    if found.state != "open" or (found.mode == "transacted") != PROVOKING[args["what"]]:
        raise OpenOutcome("it would not be refused, or for another reason")


OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("exception", exception, check=_check_exception),
    Operation("provoke", provoke, check=_check_provoke),
)
