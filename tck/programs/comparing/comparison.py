"""Compare what a program showed on two providers, step by step, wherever the specification leaves no choice.

The difference of a step is a disagreement, or it is open: then the rule that says so is named, and what it touches is no
longer compared step by step, since everything after it may follow from it. What messages hold is compared wherever both
providers showed the same message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from tck.programs.comparing.content import Known, contents_of, first_difference
from tck.programs.comparing.differences import Allowed, Difference
from tck.programs.comparing.outcomes import (
    again,
    delivered,
    hinted_sends,
    identity,
    is_a,
    named,
    shown,
    told_result,
    views,
)
from tck.programs.expectation import Execution, Expectation
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Json, Observation

FAILURES: Final = frozenset(name for name, each in OPERATIONS.items() if each.fails)
_GIVING_BACK: Final = frozenset(name for name, each in OPERATIONS.items() if each.gives_back)
_FLOW: Final = frozenset(name for name, each in OPERATIONS.items() if each.compared is Compared.MESSAGES)
_BROWSING: Final = frozenset(name for name in _FLOW if OPERATIONS[name].browses)


@dataclass(slots=True)
class Comparison:
    """What a comparison came to."""

    differences: list[Difference] = field(default_factory=list)
    allowed: list[Allowed] = field(default_factory=list)


def compare(told: Expectation, ran: Execution, claimed: tuple[str, ...] = ()) -> Comparison:
    """Compare what the reference provider told with what a provider showed in the same program.

    Args:
        told: The program, and what the reference provider showed.
        ran: What the other provider showed.
        claimed: The optional JMSX properties that its profile claims.
    """
    return _Comparing(told, ran, claimed).run()


class _Comparing:
    def __init__(self, told: Expectation, ran: Execution, claimed: tuple[str, ...]) -> None:
        self.told = told
        self.steps = told.program.steps
        self.ran = ran
        self.sends = {each["number"]: each for each in told.sends}
        self.verdict = Comparison()
        self.open = False
        self.spoilt: set[str] = set()
        self.loose: set[str] = {each["end"] for each in told.ends.values() if each["contended"]}
        self.before: set[str] = set()
        self.known = Known(hinted_sends(told), claimed)

    def run(self) -> Comparison:
        for number, expected in enumerate(self.told.seen):
            step = self.steps[number]
            if number >= len(self.ran.seen):
                break
            seen = self.ran.seen[number]
            if "hung" in seen:
                self._differ(number, "hung", told_result(expected), "the call does not return")
                break
            self._step(number, expected, seen)
            if step.do in _GIVING_BACK:
                self.before.add(step.do)
        else:
            if self.ran.hung and len(self.ran.seen) == len(self.told.seen):
                self._differ(len(self.steps) - 1, "hung", "all clients close", "a close at the end does not return")
        self._listeners()
        self._contended()
        return self.verdict

    # -- steps -----------------------------------------------------------------------------------------------------

    def _step(self, number: int, expected: Observation, seen: Observation) -> None:
        if "skipped" in expected or "skipped" in seen:
            return
        step = self.steps[number]
        if any(name in self.spoilt for name in step.uses()):
            # What is made of something else is something else.
            self.spoilt |= {step.name} if step.name else set()
            return
        before = len(self.verdict.differences) + len(self.verdict.allowed)
        self._compare(number, expected, seen)
        differs = len(self.verdict.differences) + len(self.verdict.allowed) > before
        if step.name and (differs or step.do in _FLOW) and not self._same(expected, seen):
            self.spoilt.add(step.name)

    @staticmethod
    def _same(expected: Observation, seen: Observation) -> bool:
        """Return whether two steps gave the same message, whatever else differs."""
        ours, theirs = (views(each["ok"]) if isinstance(each.get("ok"), dict) else [] for each in (expected, seen))
        if len(ours) != 1 or len(theirs) != 1:
            return False
        return bool(identity(ours[0]) == identity(theirs[0]) and ours[0]["kind"] == theirs[0]["kind"])

    def _compare(self, number: int, expected: Observation, seen: Observation) -> None:
        if "raises" in expected:
            self._raised(number, expected["raises"], seen)
        elif "raises" in seen:
            self._refused(number, expected, seen)
        elif self.steps[number].do in _FLOW:
            self._flow(number, expected, seen)
        elif expected["ok"] != seen["ok"]:
            self._values(number, expected["ok"], seen["ok"])

    def _raised(self, number: int, wanted: str, seen: Observation) -> None:
        loose = self._end(number) in self.loose or self.open
        if "raises" not in seen:
            if self.steps[number].do == "receive_body" and (loose or not self._single(number)):
                self._allow(number, "value", "order")
                return
            self._differ(number, "accepted", f"raises {wanted}", told_result(seen))
            self.open = True
        elif self._any_jms(number, wanted) and (
            is_a(seen["raises"], "JMSException") or is_a(seen["raises"], "JMSRuntimeException")
        ):
            self._allow(number, "exception", "temporary")
        elif not is_a(seen["raises"], wanted):
            self._differ(number, "exception", f"raises {wanted}", f"raises {seen['raises']}: {seen.get('text', '')}")

    def _any_jms(self, number: int, wanted: str) -> bool:
        """Return whether a consumer of another connection's temporary destination is refused: the exception is not named."""
        made = {each.name for each in self.steps[:number] if each.do == "temporary"}
        return wanted.startswith("InvalidDestination") and self.steps[number].args.get("of") in made

    def _refused(self, number: int, expected: Observation, seen: Observation) -> None:
        if self.steps[number].do == "receive_body" and (self._end(number) in self.loose or not self._single(number)):
            self._allow(number, "value", "order")
            return
        shown = f"raises {seen['raises']}: {seen.get('text', '')}"
        self._differ(number, "refused", told_result(expected), shown)
        self.open = True

    def _values(self, number: int, expected: Json, seen: Json) -> None:
        match OPERATIONS[self.steps[number].do].compared:
            case Compared.BODY:
                self._body(number, expected, seen)
            case Compared.CONTENT:
                self._content(number, expected, seen)
            case Compared.SELECTION:
                self._selected(number, expected, seen)
            case Compared.ATTRIBUTES:  # the class may have further ones, as a QueueReceiver has
                common = [key for key in expected if key in seen]
                self._value(number, {key: expected[key] for key in common}, {key: seen[key] for key in common})
            case Compared.VALUE:
                self._value(number, expected, seen)
            case _:
                pass

    def _body(self, number: int, expected: Json, seen: Json) -> None:
        end = self._end(number)
        if end in self.loose or self.open or not self._single(number):
            self._loosen(number, "value", "order" if end not in self.loose else "contended")
            return
        what = "missing" if seen["got"] is None else "extra" if expected["got"] is None else "body"
        self._differ(number, what, shown(expected["got"]), shown(seen["got"]))
        self.open = True

    def _selected(self, number: int, expected: Json, seen: Json) -> None:
        if self.open or self.told.seen[number].get("open"):
            self._allow(number, "value", "in use")
            return
        for text, ours in expected.items():
            if ours != seen.get(text):
                self._differ(number, "value", f"{text}: {str(ours).replace(': ', ' ')}", shown(seen.get(text)))

    def _value(self, number: int, expected: Json, seen: Json) -> None:
        if expected == seen:
            return
        path, ours, theirs = first_difference(expected, seen)
        where = f"{' '.join(path)}: " if path else ""
        self._differ(
            number, f"value {path[-1]}" if path else "value", f"{where}{shown(ours)}", f"{where}{shown(theirs)}"
        )

    # -- messages one by one and in sequences ----------------------------------------------------------------------

    def _flow(self, number: int, expected: Observation, seen: Observation) -> None:
        wanted, got = views(expected["ok"]), views(seen["ok"])
        loose = self.open or self._end(number) in self.loose or expected.get("open") is not None
        if expected.get("open") == "in use" and (len(wanted) != len(got)):
            self._allow(number, "shown", "in use")
        if not loose:
            loose = not self._sequence(number, wanted, got)
        self._matched(number, wanted, got, loose=loose)

    def _sequence(self, number: int, wanted: Sequence[Json], got: Sequence[Json]) -> bool:
        """Compare which messages came, and in which order; tell whether they did as expected."""
        ours, theirs = [identity(each) for each in wanted], [identity(each) for each in got]
        if ours == theirs:
            return True
        if self.steps[number].do in {"receive", "collect"} and ours and theirs:
            return self._other(number, wanted[0], got[0])
        missing, extra = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
        clean = True
        for key in missing:
            clean &= self._missing(number, next(each for each in wanted if identity(each) == key))
        for key in extra:
            clean &= self._extra(number, next(each for each in got if identity(each) == key))
        return self._order(number, wanted, got) and clean and not missing and not extra

    def _other(self, number: int, wanted: Json, got: Json) -> bool:
        """Another message came than was expected: too early, in the place of one that is lost, or it should not be there."""
        end = self._end(number)
        if identity(got) not in set(self._later(self.told.seen, number, end)):
            if self._may_be_left(number, got) and not self._must_precede(wanted, got):
                self._loosen(number, "order", "order")
            else:
                self._extra(number, got)
        elif identity(wanted) not in set(self._later(self.ran.seen, number, end)):
            self._missing(number, wanted)
        elif self._must_precede(wanted, got):
            self._differ(number, "order", named(wanted), f"{named(got)} first")
            self.open = True
        else:
            self._loosen(number, "order", "again" if again(wanted) or again(got) else "order")
        return False

    def _may_be_left(self, number: int, got: Json) -> bool:
        """Return whether the reference provider may still hold a message that it did not give: nothing has shown the end empty."""
        send, end = self.sends.get(got["send"]), self.told.ends.get(self.steps[number].args.get("on", ""))
        if send is None or end is None or send["destination"] != end["of"]:
            return False
        emptied = any(
            self._end(at) == end["end"]
            and (
                self.steps[at].do == "drain"
                or (self.steps[at].do in _FLOW and not views(self.told.seen[at].get("ok") or {}))
            )
            for at in range(number, len(self.told.seen))
        )
        earlier = (identity(each) for at in range(number) for each in self._given(at, end["end"]))
        return not emptied and identity(got) not in set(earlier)

    def _given(self, number: int, end: str) -> Sequence[Json]:
        seen = self.told.seen[number]
        if self._end(number) != end or self.steps[number].do not in _FLOW or not isinstance(seen.get("ok"), dict):
            return ()
        return views(seen["ok"])

    def _missing(self, number: int, wanted: Json) -> bool:
        send = self.sends.get(wanted["send"])
        if send is not None and send["mode"] == 1 and self.before & {"restart", "kill"}:
            self._loosen(number, "missing", "lost")
            return False
        self._differ(number, "missing", named(wanted), "it does not come")
        self.open = True
        return False

    def _extra(self, number: int, got: Json) -> bool:
        if self.before & FAILURES and (again(got) or self._persistence_open(got)):
            self._loosen(number, "extra", "repeated" if again(got) else "lost")
            return False
        flags = {"expired"} if self._expired(number, got) else set()
        self._differ(number, "extra", "no such message", named(got), flags)
        self.open = True
        return False

    def _persistence_open(self, got: Json) -> bool:
        send = self.sends.get(got["send"])
        return send is None or send["mode"] == 1

    def _expired(self, number: int, got: Json) -> bool:
        """Return whether a message had a time to live that is over by now; then it should not come, and may."""
        send = self.sends.get(got["send"])
        passed = sum(each.args["units"] for each in self.steps[:number] if each.do == "advance")
        return send is not None and 0 < send["ttl"] <= passed + 1

    def _order(self, number: int, wanted: Sequence[Json], got: Sequence[Json]) -> bool:
        ranks: dict[object, int] = {}
        for rank, each in enumerate(wanted):
            ranks.setdefault(identity(each), rank)
        common = [each for each in got if identity(each) in ranks]
        for first, second in pairwise(common):
            if ranks[identity(first)] > ranks[identity(second)]:
                if self._must_precede(second, first):
                    self._differ(number, "order", f"{named(second)} before {named(first)}", f"{named(first)} first")
                    self.open = True
                else:
                    self._loosen(number, "order", "again" if again(first) or again(second) else "order")
                return False
        return True

    def _must_precede(self, first: Json, second: Json) -> bool:
        """Return whether one message must come before another (6.2.9)."""
        if again(first) or again(second):
            return False
        one, two = self.sends.get(first["send"]), self.sends.get(second["send"])
        if one is None or two is None or one["number"] >= two["number"]:
            return False
        same = all(one[name] == two[name] for name in ("producer", "destination", "mode", "delay"))
        return same and bool(one["priority"] >= two["priority"])

    def _later(self, seen: Sequence[Observation], number: int, end: str | None) -> Iterator[object]:
        for at in range(number, min(len(seen), len(self.steps))):
            if self._end(at) == end and self.steps[at].do in _FLOW and isinstance(seen[at].get("ok"), dict):
                yield from (identity(each) for each in views(seen[at]["ok"]))

    def _matched(self, number: int, wanted: Sequence[Json], got: Sequence[Json], *, loose: bool) -> None:
        """Compare what messages hold that both showed."""
        rest: dict[object, list[Json]] = {}
        for each in got:
            rest.setdefault(identity(each), []).append(each)
        for each in wanted:
            found = rest.get(identity(each))
            if found:
                self._content(number, each, found.pop(0), loose=loose)

    def _content(self, number: int, expected: Json, seen: Json, *, loose: bool = False) -> None:
        failed = bool(self.before & FAILURES)
        # A browser delivers nothing; how often a message was delivered is not its business.
        loose = loose or self.steps[number].do in _BROWSING
        for found in contents_of(expected, seen, self.known, loose=loose, failed=failed, again=bool(self.before)):
            if isinstance(found, str):
                self._allow(number, "content", found)
            else:
                what, ours, theirs, flags = found
                self._differ(number, what, ours, theirs, flags)

    # -- listeners and consumers in competition --------------------------------------------------------------------

    def _listeners(self) -> None:
        """Compare what listeners were given over the whole program, consumer by consumer."""
        ours, theirs = delivered(self.told.seen), delivered(self.ran.seen)
        last = {name: at for at, each in enumerate(self.told.seen) for name in each.get("delivered", {}).get("by", {})}
        if self.ran.hung:
            return
        for name in {**ours, **theirs}:
            wanted, got = ours.get(name, []), theirs.get(name, [])
            number = last.get(name, len(self.told.seen) - 1)
            loose = self.open or self.told.ends.get(name, {}).get("end") in self.loose
            if not loose:
                loose = not self._sequence(number, wanted, got)
            self._matched(number, wanted, got, loose=loose)

    def _contended(self) -> None:
        """Where consumers competed, compare which messages came at all, whoever got them."""
        if self.open or self.before & FAILURES or self.ran.hung or len(self.ran.seen) < len(self.told.seen):
            return
        for end in {each["end"] for each in self.told.ends.values() if each["contended"]}:
            uses = [at for at in range(len(self.steps)) if self._end(at) == end]
            bodies = any(self.steps[at].do == "receive_body" for at in uses)
            if bodies or not any(self.steps[at].do == "drain" for at in uses[-2:]):
                continue
            last = uses[-1]
            ours, theirs = self._all(self.told.seen, end), self._all(self.ran.seen, end)
            for key in ours.keys() - theirs.keys():
                self._differ(last, "missing", named(ours[key]), "none of the consumers gets it")
            for key in theirs.keys() - ours.keys():
                self._extra(last, theirs[key])

    def _all(self, seen: Sequence[Observation], end: str) -> dict[object, Json]:
        found: dict[object, Json] = {}
        for number, each in enumerate(seen):
            if self._end(number) == end and self.steps[number].do in _FLOW and isinstance(each.get("ok"), dict):
                found |= {identity(view): view for view in views(each["ok"])}
        for name, given in delivered(seen).items():
            if self.told.ends.get(name, {}).get("end") == end:
                found |= {identity(view): view for view in given}
        return found

    # -- helpers ---------------------------------------------------------------------------------------------------

    def _end(self, number: int) -> str | None:
        """Return the endpoint of a step on a consumer."""
        found = self.told.ends.get(self.steps[number].args.get("on", ""))
        return None if found is None else found["end"]

    def _single(self, number: int) -> bool:
        """Return whether all that a consumer can get must come in one order."""
        of = self.told.ends.get(self.steps[number].args.get("on", ""), {}).get("of")
        sends = [each for each in self.told.sends if each["destination"] == of]
        streams = {(each["producer"], each["mode"], each["delay"], each["priority"]) for each in sends}
        return len(streams) <= 1 and not self.before

    def _differ(self, number: int, what: str, expected: str, seen: str, flags: Any = ()) -> None:
        found = set(flags) | {f"after {each}" for each in self._before(number)}
        end = self.told.ends.get(self.steps[number].args.get("on", "")) if number < len(self.steps) else None
        if end is not None:
            found.add(end["kind"])
        do = self.steps[number].do
        self.verdict.differences.append(Difference(number, do, what, expected, seen, frozenset(found)))

    def _before(self, number: int) -> set[str]:
        """Return the calls before a step that give back messages of its queue or subscription."""
        end = self._end(number)
        users = {name for name, each in self.told.ends.items() if each["end"] == end}
        users |= {str(step.args["on"]) for step in self.steps[:number] if step.do == "consumer" and step.name in users}
        return {
            step.do
            for step in self.steps[:number]
            if step.do in FAILURES or (step.do in _GIVING_BACK and step.args["on"] in users)
        }

    def _allow(self, number: int, what: str, rule: str) -> None:
        self.verdict.allowed.append(Allowed(number, what, rule))

    def _loosen(self, number: int, what: str, rule: str) -> None:
        """Allow a difference, and compare no more step by step which messages come: all of that may follow from it."""
        self._allow(number, what, rule)
        self.open = True
