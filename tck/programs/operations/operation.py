"""One operation of the language of programs: how it is performed, which member of the API it calls, when it is legal, what it
changes, and how two of its outcomes are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from tck.programs.observing.environment import Environment
from tck.programs.program import Json, Step
from tck.programs.state.state import State

Call: TypeAlias = Callable[[Environment, Mapping[str, Json], "str | None"], Json]
"""Performs one step: the environment, the arguments, the name of the result. What it returns is the outcome."""
Check: TypeAlias = Callable[[State, Mapping[str, Json]], None]
"""Raises OpenOutcome where the specification leaves the outcome of a step open: the state before it, its arguments."""
Note: TypeAlias = Callable[[State, Step, Json], None]
"""Records what a step that succeeded has changed: the state, the step, its outcome on the reference provider."""

Named: TypeAlias = "str | Callable[[Step, str], str | None]"
"""A member or a class of the API: a text in which ``{on}`` is the class of the object that a step is on, and ``{kind}`` its
argument of that name; or a function of the step and that class."""


class Compared(Enum):
    """How the outcomes of one step on two providers are compared."""

    VALUE = "value"
    """Both must be equal."""
    CONTENT = "content"
    """One message: its headers, properties and body, as far as the specification lays them down."""
    MESSAGES = "messages"
    """Messages that arrived or were browsed: which, in which order, and what each holds."""
    BODY = "body"
    """A body without its message: where the order of messages is open, another message's may arrive."""
    SELECTION = "selection"
    """By selector, which messages it lets through."""
    ATTRIBUTES = "attributes"
    """Those that both providers' objects have."""
    NOTHING = "nothing"
    """Only whether the call was refused."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation.

    Attributes:
        name: The word that programs have for it.
        call: Performs it.
        check: Refuses a step whose outcome is open; None where none is.
        note: Records what it changes; None where it changes nothing that decides about later calls.
        compared: How its outcomes are compared.
        member: The member of the API that it calls; None where it lets time pass, or has something fail.
        makes: The class of the object that it makes.
        sends: Whether it sends messages that are delivered.
        gives_back: Whether messages that it took back may be redelivered afterwards.
        settles: Whether it acknowledges, recovers, commits or rolls back what a session received.
        consumes: Whether it makes a consumer, that of a connection among them.
        changes: Whether it changes the message or the producer that it is on.
        closes: The argument that names what it closes; an empty text where it closes nothing.
        fails: Whether it loses connections, so that the outcome of later calls is less certain.
        restarts: Whether it stops the provider and starts it again.
        browses: Whether the messages that it shows are not delivered by it.
        decides: Whether messages come or not by its outcome, so that another outcome opens what it reaches.
        keeps_browsers: Whether an open enumeration shows the same before and after it.
    """

    name: str
    call: Call
    check: Check | None = None
    note: Note | None = None
    compared: Compared = Compared.VALUE
    member: Named | None = None
    makes: Named = "Message"
    sends: bool = False
    gives_back: bool = False
    settles: bool = False
    consumes: bool = False
    changes: bool = False
    closes: str = ""
    fails: bool = False
    restarts: bool = False
    keeps_browsers: bool = False
    browses: bool = False
    decides: bool = False
