"""Branches of distributed transactions: the program is the transaction manager of its XA sessions and contexts (11.3).

Only the plain protocol is used: start, work, end; then prepare and commit, commit in one phase, or rollback. A branch may be
joined again by its own resource, or end as failed: then a commit is refused, and ``undo`` rolls it back. What an XA session does
outside of a branch is left open, and so is what becomes of a branch that loses its session before it is prepared.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from tck import api
from tck.programs.observing.environment import Environment
from tck.programs.operations.operation import Operation
from tck.programs.program import Json, Step
from tck.programs.state.objects import Branch, OpenOutcome, Session
from tck.programs.state.state import State

_FORMAT: Final = 7
_STARTS: Final[Mapping[str, int]] = {
    "start": api.XAResource.TMNOFLAGS, "resume": api.XAResource.TMRESUME, "join": api.XAResource.TMJOIN,
}  # fmt: skip
_LEAVES: Final[Mapping[str, int]] = {
    "end": api.XAResource.TMSUCCESS, "suspend": api.XAResource.TMSUSPEND, "fail": api.XAResource.TMFAIL,
}  # fmt: skip
_ROLLED_BACK: Final = frozenset(range(api.XAException.XA_RBBASE, api.XAException.XA_RBEND + 1))
_LAWFUL: Final[Mapping[str, frozenset[int]]] = {
    "fail": _ROLLED_BACK,
    "undo": _ROLLED_BACK | {api.XAException.XAER_NOTA},
}
"""By call, the codes with which a provider may say that the branch is rolled back already, as well as return (11.3.5-14)."""
_STATES: Final[Mapping[str, str]] = {
    "resume": "active", "join": "active", "end": "ended", "suspend": "suspended", "fail": "failed", "prepare": "prepared",
}  # fmt: skip
"""By call, the state of a branch after it; after any other it is finished."""
_WORK: Final = frozenset({"send", "send_many", "receive", "drain"})
"""Operations that belong to the branch in which their session works."""
_ALWAYS: Final = frozenset({"branch", "producer", "consumer", "message", "set", "close", "start", "stop", "sever"})
"""Operations on XA sessions, and on what belongs to them, that are no work on messages."""
_LOSING: Final = frozenset({"close", "restart", "kill", "sever"})
_FORMER: Final[Mapping[str, frozenset[str]]] = {
    "resume": frozenset({"suspended"}), "end": frozenset({"active"}), "suspend": frozenset({"active"}), "join": frozenset({"ended"}),
    "prepare": frozenset({"ended", "failed"}), "one_phase": frozenset({"ended", "failed"}), "undo": frozenset({"failed"}),
    "commit": frozenset({"prepared", "finished"}), "rollback": frozenset({"ended", "prepared"}),
    "forget": frozenset({"prepared", "finished"}),
}  # fmt: skip
"""By call, the states of a branch in which its outcome is laid down."""


def branch(env: Environment, args: Mapping[str, Json], name: str | None) -> Json:
    """Make a call of the transaction manager on the resource of an XA session."""
    resource, what = env.resources[args["on"]], args["what"]
    flags = api.XAResource
    if what == "start":
        env.keep(name, api.Xid(_FORMAT, f"{env.scope}.{name}".encode()[-api.Xid.MAXGTRIDSIZE :], b"b"))
        env.turn(args["on"])
    if what == "recover":
        listed = set(resource.recover(flags.TMSTARTRSCAN | flags.TMENDRSCAN))
        mine = {key: value for key, value in env.objects.items() if isinstance(value, api.Xid)}
        return {"in_doubt": sorted(key for key, xid in mine.items() if xid in listed)}
    xid = env.get(args["of"] if what != "start" else name or "")
    try:
        _call(resource, what, xid)
    except api.XAException as error:
        if error.error_code not in _LAWFUL.get(what, ()):
            raise
    return None


def _call(resource: api.XAResource, what: str, xid: api.Xid) -> None:
    if what in _STARTS:
        resource.start(xid, _STARTS[what])
        return
    if what in _LEAVES:
        resource.end(xid, _LEAVES[what])
        return
    match what:
        case "prepare":
            resource.prepare(xid)
        case "commit" | "one_phase":
            resource.commit(xid, what == "one_phase")
        case "rollback" | "undo":
            resource.rollback(xid)
        case _:
            resource.forget(xid)


def _check_branch(state: State, args: Mapping[str, Json]) -> None:
    session, what = state.sessions[args["on"]], args["what"]
    if not session.xa or session.state != "open":
        raise OpenOutcome("only an open XA session has a resource to ask")
    if what in _LEAVES:
        if session.branch is None or session.branch.name != args.get("of"):
            raise OpenOutcome("the resource does not work on that branch")
        return
    if session.branch is not None:
        raise OpenOutcome("the resource works on a branch")
    if what in {"start", "join"} and any(each.state == "suspended" for each in _of(state, session)):
        raise OpenOutcome("its resource has suspended a branch")
    if what in {"start", "recover"}:
        return
    _check_known(session, state.branches[args["of"]], what)


def _check_known(session: Session, found: Branch, what: str) -> None:
    if found.state not in _FORMER[what]:
        raise OpenOutcome(f"{found.name} is {found.state}")
    if what == "resume" and found.session is not session:
        raise OpenOutcome("another resource has suspended it")
    if what == "join" and found.session is not session:
        raise OpenOutcome("whether isSameRM() is true of two resources is the provider's answer")  # 11.3.5-9
    if (what == "prepare" or found.state == "failed") and not (found.unsent or found.held or what == "undo"):
        raise OpenOutcome("a branch without work is read-only, or not")  # 11.3.5-2


def _note_branch(state: State, step: Step, _: object) -> None:
    session, what = state.sessions[step.args["on"]], step.args["what"]
    if what == "start":
        session.branch = state.branches[step.name or ""] = Branch(step.name or "", session)
        return
    if what == "recover":
        return
    found = state.branches[step.args["of"]]
    found.state = _STATES.get(what, "finished")
    if what in _STARTS:
        session.branch = found
    elif what in _LEAVES:
        found.unsent |= session.unsent
        found.held |= session.held
        session.unsent.clear()
        session.held.clear()
        session.branch = None
    elif found.state == "finished":
        found.unsent.clear()
        found.held.clear()
        found.session.epoch += 1


def _of(state: State, session: Session) -> Iterator[Branch]:
    return (each for each in state.branches.values() if each.session is session)


def check_scope(state: State, step: Step) -> None:
    """Refuse what is open about XA sessions: other calls, work outside of a branch, and to lose a branch unprepared.

    Raises:
        OpenOutcome: The step is such a call.
    """
    if not state.branches and not any(each.xa for each in state.sessions.values()):
        return
    failed = {name for name, each in state.branches.items() if each.state == "failed"}
    if failed and (step.do != "branch" or step.args.get("of") not in failed):
        raise OpenOutcome("when the work of a failed branch is undone is open until it is rolled back")
    mine = [each for each in state.sessions.values() if each.xa and _concerns(state, step, each)]
    if step.do in _LOSING and any(
        each.state not in {"prepared", "finished"}
        for each in state.branches.values()
        if _lost(state, step, each.session)
    ):
        raise OpenOutcome("what becomes of a branch that is not prepared is left to the provider")
    for session in mine:
        if step.do not in _WORK | _ALWAYS or step.args.get("async"):
            raise OpenOutcome("what an XA session does then is left open")
        if step.do in _WORK and session.branch is None:
            raise OpenOutcome("what an XA session does outside of a branch is left open")


def _concerns(state: State, step: Step, session: Session) -> bool:
    """Return whether a step is on an XA session, or on what belongs to it."""
    names = {str(step.args.get(key)) for key in ("on", "of", "session") if not (step.do == "branch" and key == "of")}
    owners = {session.name, session.connection.name} if step.do != "session" else {session.name}
    for name in names:
        found = state.consumers.get(name) or state.producers.get(name) or state.browsers.get(name)
        message = state.messages.get(name) if step.do == "acknowledge" else None
        if name in owners or (found is not None and found.session is session):
            return True
        if message is not None and message.receiver is session:
            return True
    return False


def _lost(state: State, step: Step, session: Session) -> bool:
    """Return whether a step closes or loses an XA session, or what belongs to it; a consumer may be closed."""
    if step.do in {"restart", "kill"}:
        return True
    name = str(step.args.get("on"))
    if step.do == "sever" or name in state.connections:
        return state.connection_of(name) is session.connection
    return name == session.name


OPERATIONS: Final[tuple[Operation, ...]] = (Operation("branch", branch, check=_check_branch, note=_note_branch),)
