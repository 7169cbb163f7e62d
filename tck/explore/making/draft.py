"""Random programs, made step by step on the reference provider: what it answers says which steps can follow.

A program is a run of moves, each a few steps that belong together: make a client, send some messages, take some, settle
them, resume a subscription, change a message and look at it. Half of the programs play scenes, scripted sequences that lead
to states which chance rarely meets; of the others a theme says how often each move comes, or (swarm) half of all moves and
values are dropped. At the end all clients are closed, and every queue and durable subscription is emptied and shown. The
same random numbers make the same program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from tck.explore.making.contents import Contents
from tck.explore.making.selectors import Selectors
from tck.programs.legality import Rules
from tck.programs.operations import OPERATIONS
from tck.programs.performing import perform
from tck.programs.program import Json, Observation, Step
from tck.programs.runner import Runner
from tck.programs.state.objects import Capabilities, Consumer, Message, OpenOutcome, Producer, Session

LONGEST: Final = 45
"""A program has at most about so many steps before it ends; the ending comes on top."""

_THREADLESS: Final = frozenset(
    {"queue", "topic", "advance", "restart", "kill", "sever", "await", "collect", "close_waiting"}
)
"""Steps of which it makes no difference which thread makes them: those without a call, or with a thread of their own."""


class Draft:
    """A program in the making: the steps so far, what they showed, and what they made."""

    def __init__(self, random: Random, capabilities: Capabilities, runner: Runner) -> None:
        self.random = random
        self.capabilities = capabilities
        self.runner = runner
        self.rules = Rules(capabilities)
        self.contents = Contents(random, capabilities.features)
        self.steps: list[Step] = []
        self.seen: list[Observation] = []
        self._numbers: dict[str, int] = {}
        self.stocks: list[str] = []
        self.second = False
        """Whether a second thread makes half of the steps."""
        self._wet: set[str] = set()
        self._taken: set[str] = set()
        self._pending: dict[str, set[str]] = {}

    # -- steps -----------------------------------------------------------------------------------------------------

    def repeat(self, steps: Sequence[Step]) -> None:
        """Do steps of another program."""
        for step in steps:
            kind = (step.name or "").rstrip("0123456789")
            if step.name:
                number = int(step.name.removeprefix(kind) or 0)
                self._numbers[kind] = max(number, self._numbers.get(kind, 0))
            self.do(step.do, step.name, **step.args)

    def fresh(self, prefix: str) -> str:
        """Return a name that is not taken."""
        self._numbers[prefix] = self._numbers.get(prefix, 0) + 1
        return f"{prefix}{self._numbers[prefix]}"

    def do(self, do: str, name: str | None = None, /, **args: Json) -> Observation | None:
        """Do a step if it may be done; give what it showed, None if it may not."""
        if self.second and do not in _THREADLESS and "together" not in args and self.chance(0.5):
            args = {**args, "by": "second"}
        step = Step(do, args, name)
        if do == "drain" and not self.rules.consumers[args["on"]].session.connection.started:
            return None  # it would look as if nothing were left
        try:
            self.rules.check(step)
        except OpenOutcome:
            return None
        seen = perform(self.rules, self.runner, step)
        self.steps.append(step)
        self.seen.append(seen)
        self._remember(step, seen)
        return seen

    def _remember(self, step: Step, seen: Observation) -> None:
        """Note which queues and subscriptions may have messages: a good guess is enough."""
        if "ok" not in seen:
            return
        on = step.args.get("on", "")
        if OPERATIONS[step.do].sends:
            producer = self.rules.producers[on]
            to = step.args.get("to") or (producer.destination.name if producer.destination else "")
            ends = {to, *(each.key for each in self.rules.endpoints.values() if each.destination.name == to)}
            if producer.session.mode == "transacted":
                self._pending.setdefault(producer.session.name, set()).update(ends)
            else:
                self._wet |= ends
        elif step.do == "commit":
            self._wet |= self._pending.pop(on, set())
        elif OPERATIONS[step.do].gives_back or step.do == "advance":
            self._wet |= self._taken
        elif step.do in {"receive", "receive_body", "collect", "drain"}:
            key = self.rules.consumers[on].end.key
            self._taken.add(key)
            if step.do == "drain" or not seen["ok"]["got"]:
                self._wet.discard(key)

    def made(self, do: str, prefix: str, /, **args: Json) -> str | None:
        """Do a step that makes something; give its name, None if it was not made."""
        name = self.fresh(prefix)
        seen = self.do(do, name, **args)
        return name if seen is not None and "ok" in seen else None

    # -- choices ---------------------------------------------------------------------------------------------------

    def chance(self, share: float) -> bool:
        """Return yes in so many cases of one."""
        return self.random.random() < share

    def one(self, among: Sequence[Any]) -> Any:
        """Choose one; None of none."""
        return self.random.choice(list(among)) if among else None

    def sessions(self) -> list[Session]:
        """Return the sessions that can be used."""
        return [
            each for each in self.rules.sessions.values() if each.state == "open" and not each.running and not each.xa
        ]

    def consumers(self) -> list[Consumer]:
        """Return the open consumers."""
        return [each for each in self.rules.consumers.values() if each.state == "open"]

    def receivers(self) -> list[Consumer]:
        """Return the consumers that messages can be received from."""
        found = [each for each in self.consumers() if not each.session.listening and not each.session.running]
        return self._mostly([each for each in found if self.hopeful(each)], found)

    def hopeful(self, found: Consumer) -> bool:
        """Return whether a consumer may have a message to receive."""
        return found.end.key in self._wet

    def _mostly(self, wanted: list[Any], found: list[Any]) -> list[Any]:
        return wanted if wanted and self.chance(0.93) else found

    def awaited(self, names: list[str]) -> list[str]:
        """Return the destinations at which somebody waits or a subscription is, mostly; else all of them."""
        known = {each.destination.name for each in self.rules.endpoints.values()}
        return self._mostly([name for name in names if name in known], names)

    def producers(self) -> list[Producer]:
        """Return the producers that can be used."""
        found = self.rules.producers.values()
        return [each for each in found if each.state == "open" and not each.session.running]

    def messages(self) -> list[Message]:
        """Return the messages, those made or received last more often."""
        return list(self.rules.messages.values())[-6:]

    def destinations(self, kind: str | None = None) -> list[str]:
        """Return the destinations that are there, by name."""
        found = self.rules.destinations.values()
        return [each.name for each in found if not each.deleted and (kind is None or each.kind == kind)]

    def selector(self) -> str:
        """Write a selector."""
        return Selectors(self.random).sure()


Move = Callable[[Draft], None]

THEMES: Final[Mapping[str, Mapping[str, float]]] = {
    "delivery": {"client": 1.5, "session": 1, "consume": 4, "burst": 5, "interleave": 1.5, "reopen": 1.5, "take": 7, "take_all": 2, "settle": 3, "close": 1.5, "listen": 1.5,
                 "start_stop": 1, "tweak": 1, "time": 1, "browse": 1, "send_on": 1.5, "temporary": 0.5, "flood": 0.4, "close_waiting": 0.5,
                 "again_named": 0.5},
    "contents": {"client": 0.5, "consume": 2, "burst": 6, "take": 8, "tweak": 5, "read": 9, "send_on": 2.5, "settle": 1.5, "browse": 1},
    "selectors": {"client": 0.3, "burst": 3, "select": 9, "browse": 1.5, "consume": 1.5, "take": 2, "settle": 0.5, "wrong_selector": 1.5},
    "subscriptions": {"client": 2, "session": 1, "consume": 6, "burst": 5, "interleave": 0.7, "reopen": 4, "take": 6, "take_all": 2, "settle": 2, "resume": 5, "close": 2,
                      "unsubscribe": 1.5, "start_stop": 0.5, "listen": 1, "flood": 0.8, "again_named": 0.5},
    "settings": {"client": 1, "settings": 7, "burst": 8, "take": 6, "consume": 2, "time": 3, "browse": 1.5, "settle": 1, "getters": 2},
    "states": {"client": 2, "session": 2, "consume": 3, "burst": 3, "take": 3, "close": 3, "wrong": 8, "getters": 4, "start_stop": 1,
               "settle": 2, "temporary": 3, "tweak": 1, "unsubscribe": 1, "close_waiting": 1.5, "request": 1.5, "again_named": 1},
    "failures": {"client": 2, "consume": 4, "burst": 6, "take": 5, "settle": 3, "fail": 2, "resume": 2, "browse": 1, "tweak": 0.5,
                 "time": 0.5, "flood": 0.3},
}  # fmt: skip
"""How often each move comes, by theme."""


SWARM: Final = 0.2
"""The share of programs in which half of the moves and values are dropped, and one or two moves are dominant."""
SECOND: Final = 0.04
"""The share of programs in which a second thread makes half of the steps, while the first one waits."""
TARGETED: Final = 0.6
"""The share of programs that are made of scenes mostly."""
LONGEST_TARGETED: Final = 80
"""Such a program has at most about so many steps before it ends, since a scene needs a dozen."""


def generate(draft: Draft, moves: Mapping[str, Move], scenes: Mapping[str, tuple[Move, float]], ending: Move) -> str:
    """Make a program; give the name of its theme.

    Args:
        draft: The program, empty.
        moves: All moves by name.
        scenes: All scenes by name, with how often each comes.
        ending: The move at the end.
    """
    draft.second = draft.chance(SECOND)
    roll = draft.random.random()
    theme = "targeted" if roll < TARGETED else "swarm" if roll < TARGETED + SWARM else ""
    if theme == "targeted":
        _targeted(draft, moves, scenes)
    else:
        weights = _swarm(draft) if theme else None
        if weights is None:
            theme, weights = _themed(draft)
        moves["begin"](draft)
        _make(draft, moves, weights, draft.random.choice((10, 16, 22, 30, LONGEST)))
    ending(draft)
    return theme


def finish(draft: Draft, moves: Mapping[str, Move], ending: Callable[..., None]) -> None:
    """Go on with a program that has begun, by few moves of one theme or none, look again, and end it; as in `generate`."""
    if draft.chance(0.6):
        _make(draft, moves, _themed(draft)[1], len(draft.steps) + draft.one((2, 5, 10)))
    ending(draft, again=True)


def _make(draft: Draft, moves: Mapping[str, Move], weights: Mapping[str, float], length: int) -> None:
    names, shares = list(weights), list(weights.values())
    for _ in range(4 * length):
        if len(draft.steps) >= length:
            break
        moves[draft.random.choices(names, shares)[0]](draft)


def _themed(draft: Draft) -> tuple[str, dict[str, float]]:
    """Return a theme and its weights."""
    theme = draft.one(
        [
            "selectors",
            *(each for each in THEMES if each != "failures" or draft.capabilities.failures or draft.chance(0.3)),
        ]
    )
    weights = dict(THEMES[theme])
    if draft.chance(0.15):
        # A touch of another theme, so that its conditions meet these.
        for name, weight in THEMES[draft.one(list(THEMES))].items():
            weights[name] = weights.get(name, 0) + weight / 2
    return str(theme), weights


_ALWAYS: Final = ("client", "consume", "burst", "take")
"""Without these little happens."""


def _swarm(draft: Draft) -> dict[str, float]:
    """Return equal weights for half of all moves, and more for one or two of them."""
    draft.contents.narrow()
    every = sorted({name for theme in THEMES.values() for name in theme})
    weights = {name: 1.0 for name in every if draft.chance(0.5)}
    if not draft.capabilities.failures:
        weights.pop("fail", None)
    weights["fail"] = min(weights.get("fail", 0), 0.5)
    for name in draft.random.sample(sorted(weights), min(len(weights), draft.one((1, 2)))):
        weights[name] *= 4
    for name in _ALWAYS:
        weights[name] = weights.get(name, 0) + 1.5
    return weights


def _targeted(draft: Draft, moves: Mapping[str, Move], scenes: Mapping[str, tuple[Move, float]]) -> None:
    """Play scenes one after the other, with some other moves between them."""
    names, shares = list(scenes), [share for _, share in scenes.values()]
    length = draft.random.choice((LONGEST // 2, LONGEST, LONGEST_TARGETED, LONGEST_TARGETED))
    if draft.chance(0.3):
        draft.contents.narrow()
    between = dict(THEMES[draft.one(list(THEMES))])
    if draft.chance(0.4):
        moves["begin"](draft)
    for _ in range(length):
        scenes[draft.random.choices(names, shares)[0]][0](draft)
        if len(draft.steps) >= length:
            break
        if draft.rules.sessions and draft.rules.destinations and draft.chance(0.4):
            moves[draft.random.choices(list(between), list(between.values()))[0]](draft)
