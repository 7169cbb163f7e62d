"""Compare what a program showed on two providers, step by step, wherever the specification leaves no choice.

The difference of a step is a disagreement, or it is open: then the rule that says so is named, and what it touches is no
longer compared step by step, since everything after it may follow from it. What messages hold is compared wherever both
providers showed the same message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from tck.programs.comparing import ambiguous
from tck.programs.comparing.content import contents_of, first_difference
from tck.programs.comparing.ground import FLOW, Comparison, Ground
from tck.programs.comparing.history import CONSUMING, FAILURES, History
from tck.programs.comparing.outcomes import again, delivered, identity, is_a, named, result_text, shown, views
from tck.programs.comparing.receipts import in_closed_hands, settled
from tck.programs.expectation import Execution, Expectation
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Json, Observation

__all__ = ["FAILURES", "Comparison", "compare"]

_BROWSING: Final = frozenset(name for name in FLOW if OPERATIONS[name].browses)
_RESTARTING: Final = frozenset(name for name, each in OPERATIONS.items() if each.restarts)


def compare(
    expectation: Expectation,
    ran: Execution,
    claimed: tuple[str, ...] = (),
    *,
    prefetches: bool = True,
    history: History | None = None,
) -> Comparison:
    """Compare what the reference provider showed with what a provider showed in the same program.

    Args:
        expectation: The program, and what the reference provider showed.
        ran: What the other provider showed.
        claimed: The optional JMSX properties that its profile claims.
        prefetches: Whether it may hand messages to a consumer that has not asked for them; then these may count as delivered.
        history: What the steps reach, where it is known already.
    """
    return _Comparing(expectation, ran, claimed, prefetches=prefetches, history=history).run()


class _Comparing(Ground):
    def run(self) -> Comparison:
        for number, expected in enumerate(self.expected.seen):
            step = self.steps[number]
            if number >= len(self.seen):
                break
            seen = self.seen[number]
            if "hung" in seen:
                self.differ(number, "hung", result_text(expected), "the call does not return")
                break
            self._step(number, expected, seen)
            self._listening(expected, seen)
            self.failed |= step.do in FAILURES
        else:
            if self.hung and len(self.seen) == len(self.expected.seen):
                self.differ(len(self.steps) - 1, "hung", "all clients close", "a close at the end does not return")
        self._listeners()
        self._contended()
        return self.verdict

    # -- steps -----------------------------------------------------------------------------------------------------

    def _step(self, number: int, expected: Observation, seen: Observation) -> None:
        step = self.steps[number]
        if "skipped" in expected or ("skipped" in seen and "raises" in expected):
            return
        if "skipped" in seen or any(name in self.changed for name in step.uses()):
            # What is made of something else is something else.
            self.changed |= {step.name} if step.name else set()
            self.follow(number)
            return
        before = len(self.verdict.differences) + len(self.verdict.allowed)
        self._compare(number, expected, seen)
        differs = len(self.verdict.differences) + len(self.verdict.allowed) > before
        if step.name and (differs or step.do in FLOW) and not self._same(expected, seen):
            self.changed.add(step.name)

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
        elif self.steps[number].do in FLOW:
            self._flow(number, expected, seen)
        elif expected["ok"] != seen["ok"]:
            self._values(number, expected["ok"], seen["ok"])

    def _raised(self, number: int, wanted: str, seen: Observation) -> None:
        undecided = self.is_undecided(number)
        if "raises" not in seen:
            if rule := ambiguous.accepted(self.steps, number, seen["ok"]):
                self.leave_open(number, "value", rule)
                return
            if self.steps[number].do == "receive_body" and (undecided or not self.single(number)):
                self.leave_open(number, "value", "order")
                return
            nothing = self.steps[number].do == "receive_body" and seen["ok"] == {"got": None}
            self.differ(number, "missing" if nothing else "accepted", f"raises {wanted}", result_text(seen))
            self.follow(number)
        elif (rule := ambiguous.any_exception(self.steps, number, wanted, older=self.known.older)) and (
            self.steps[number].do == "next" or any(is_a(seen["raises"], each) for each in ambiguous.OURS)
        ):
            self.allow(number, "exception", rule)
        elif not is_a(seen["raises"], wanted):
            self.differ(number, "exception", f"raises {wanted}", f"raises {seen['raises']}: {seen.get('text', '')}")

    def _refused(self, number: int, expected: Observation, seen: Observation) -> None:
        if self.steps[number].do == "receive_body" and self.may_be_another(number, str(seen["raises"])):
            self.leave_open(number, "value", "order")
            return
        if self.is_uncertain(number):
            self.leave_open(number, "refused", "follows")
            return
        if ambiguous.browsed(self.steps, number):
            self.leave_open(number, "refused", "browsed")
            return
        shown = f"raises {seen['raises']}: {seen.get('text', '')}"
        part = {f"part_{word}" for word in str(seen.get("part", "")).replace(",", "").split()}
        self.differ(number, "refused", result_text(expected), shown, part)
        self.follow(number)

    def _values(self, number: int, expected: Json, seen: Json) -> None:
        match OPERATIONS[self.steps[number].do].compared:
            case Compared.BODY:
                self._body(number, expected, seen)
            case Compared.CONTENT:
                self._content(number, expected, seen)
            case Compared.SELECTION:
                self._selected(number, expected, seen)
            case Compared.ATTRIBUTES:  # the class may have further ones, as a QueueReceiver has
                common = [key for key in expected if key in seen and not ambiguous.attribute(key, expected[key])]
                self._value(number, {key: expected[key] for key in common}, {key: seen[key] for key in common})
            case Compared.VALUE:
                self._value(number, expected, seen)
            case _:
                pass

    def _body(self, number: int, expected: Json, seen: Json) -> None:
        if self.is_undecided(number) or not self.single(number):
            self.leave_open(number, "value", "contended" if self.end(number) in self.contended else "order")
            return
        what = "missing" if seen["got"] is None else "extra" if expected["got"] is None else "body"
        self.differ(number, what, shown(expected["got"]), shown(seen["got"]))
        self.follow(number)

    def _selected(self, number: int, expected: Json, seen: Json) -> None:
        if self.is_open(number) or self.expected.seen[number].get("open"):
            self.allow(number, "value", "in use")
            return
        for text, ours in expected.items():
            if ours != seen.get(text) and not self.virtual and "{time " in text:
                self.allow(number, "value", "time")  # two sends have one timestamp only where time stands still
            elif ours != seen.get(text):
                self.differ(number, "value", f"{text}: {str(ours).replace(': ', ' ')}", shown(seen.get(text)))

    def _value(self, number: int, expected: Json, seen: Json) -> None:
        expected, seen = ambiguous.readings(self.steps, number, expected, seen, older=self.known.older)
        if expected == seen:
            return
        path, ours, theirs = first_difference(expected, seen)
        where = f"{' '.join(path)}: " if path else ""
        self.differ(
            number, f"value {path[-1]}" if path else "value", f"{where}{shown(ours)}", f"{where}{shown(theirs)}"
        )
        if OPERATIONS[self.steps[number].do].decides:
            self.follow(number)

    # -- messages one by one and in sequences ----------------------------------------------------------------------

    def _flow(self, number: int, expected: Observation, seen: Observation) -> None:
        wanted, got = views(expected["ok"]), views(seen["ok"])
        undecided = self.is_undecided(number) or expected.get("open") is not None
        if expected.get("open") == "in use" and (len(wanted) != len(got)):
            self.allow(number, "shown", "in use")
        if not undecided:
            undecided = not self._sequence(number, wanted, got)
        self._matched(number, wanted, got, undecided=undecided)

    def _sequence(self, number: int, wanted: Sequence[Json], got: Sequence[Json]) -> bool:
        """Compare which messages came, and in which order; tell whether they did as expected."""
        ours, theirs = [identity(each) for each in wanted], [identity(each) for each in got]
        if ours == theirs:
            return True
        one_message = self.steps[number].do in {"receive", "collect"}
        if self.listener is None and one_message and ours and theirs:
            return self._other(number, wanted[0], got[0])
        missing, extra = Counter(ours) - Counter(theirs), Counter(theirs) - Counter(ours)
        others_twice = self.listener is not None and len(ours) == len(theirs) and set(ours) == set(theirs) and missing
        if others_twice and not self.must_precede(wanted[0], got[0]):
            # The first one is redelivered after a listener has thrown, and which comes first is open.
            self.leave_open(number, "order", "again")
            return False
        clean = True
        for key in missing:
            clean &= self._missing(number, next(each for each in wanted if identity(each) == key))
        for key in extra:
            clean &= self._extra(number, next(each for each in reversed(got) if identity(each) == key))
        return self._order(number, wanted, got) and clean and not missing and not extra

    def _other(self, number: int, wanted: Json, got: Json) -> bool:
        """Another message came than was expected: too early, in the place of one that is lost, or it should not be there."""
        end = self.end(number)
        ordered = self.must_precede(wanted, got)
        rule = "again" if again(wanted) or again(got) else "order"
        if self.comes_otherwise(number, end) and not ordered:
            self.leave_open(number, "order", rule)
        elif ordered and self.comes_otherwise(number, end):
            self._missing(number, wanted)
        elif identity(got) not in set(self.later(self.expected.seen, number, end)):
            if self.may_be_left(self.expected.seen, number, got) and not ordered:
                self.leave_open(number, "order", rule)
            else:
                self._extra(number, got)
        elif identity(wanted) not in set(self.later(self.seen, number, end)):
            if self.may_be_left(self.seen, number, wanted) and not ordered:
                self.leave_open(number, "order", rule)
            else:
                self._missing(number, wanted)
        elif ordered:
            self.differ(number, "order", named(wanted), f"{named(got)} first", self._priorities(wanted, got), wanted)
            self.follow(number)
        else:
            self.leave_open(number, "order", rule)
        return False

    def _missing(self, number: int, wanted: Json) -> bool:
        send = self.sends.get(wanted["send"])
        # What fails in the step in which the reference provider gave it may have come before.
        until = number if self.listener is None else self.given_at(self.expected.seen, number, wanted) + 1
        if send is not None and send["mode"] == 1 and self.history.failed(wanted["send"], until, _RESTARTING):
            self.leave_open(number, "missing", "lost")
            return False
        if self.is_timed_otherwise(wanted):
            self.leave_open(number, "missing", "as sent")
            return False
        self.differ(number, "missing", named(wanted), "it does not come", message=wanted)
        self.follow(number)
        return False

    def _extra(self, number: int, got: Json) -> bool:
        at, place = self.given_at(self.seen, number, got), (self.subject(number) or {"end": None})["end"]
        known = got["send"] is not None and settled(self.history, self.seen, place, got, at)
        until = at if self.listener is None else at + 1
        difference = ("extra", "no such message", named(got))
        held = self.known.older and again(got) and in_closed_hands(self.history, self.seen, place, got, at)
        if (held or self.history.failed(got["send"], until)) and not known:
            if again(got) or self.sends.get(got["send"], {"mode": 1})["mode"] == 1:
                self.leave_open(number, "extra", "in hand" if held else "repeated" if again(got) else "lost")
                return False
            if place is not None and identity(got) in self.all_shown(self.seen[:at], place):
                difference = ("header JMSRedelivered", "true", "false")  # it may be redelivered, and has to say so
        self.differ(number, *difference, self.timely(at, got), got)
        self.follow(number)
        return False

    def _order(self, number: int, wanted: Sequence[Json], got: Sequence[Json]) -> bool:
        ranks: dict[object, int] = {}
        for rank, each in enumerate(wanted):
            ranks.setdefault(identity(each), rank)
        common = [each for each in got if identity(each) in ranks]
        turned = [pair for pair in combinations(common, 2) if ranks[identity(pair[0])] > ranks[identity(pair[1])]]
        for first, second in turned:
            if self.overtaken(second, first, got):
                flags = self._priorities(second, first)
                self.differ(
                    number, "order", f"{named(second)} before {named(first)}", f"{named(first)} first", flags, second
                )
                self.follow(number)
                return False
        if turned:
            repeated = any(again(each) for each in turned[0])
            self.leave_open(number, "order", "again" if repeated else "order")
        return not turned

    def _priorities(self, first: Json, second: Json) -> set[str]:
        """Return whether two messages, or those of their destination, were sent with different priorities or modes."""
        one, two = self.sends[first["send"]], self.sends[second["send"]]
        if one["priority"] != two["priority"]:
            return {"other_priority"}
        sends = [each for each in self.expected.sends if each["destination"] == one["destination"]]
        words = {"mixed_priorities": "priority", "mixed_modes": "mode"}
        return {word for word, name in words.items() if len({each[name] for each in sends}) > 1}

    def _matched(self, number: int, wanted: Sequence[Json], got: Sequence[Json], *, undecided: bool) -> None:
        """Compare what messages hold that both showed."""
        rest: dict[object, list[Json]] = {}
        for each in got:
            rest.setdefault(identity(each), []).append(each)
        for each in wanted:
            found = rest.get(identity(each))
            if found and each["send"] not in self.changed_sends:
                self._content(number, each, found.pop(0), undecided=undecided)

    def _content(self, number: int, expected: Json, seen: Json, *, undecided: bool = False) -> None:
        if expected == seen:
            return
        at, end, came = self.origin(number, expected)
        # A browser delivers nothing; how often a message was delivered is not its business.
        undecided = undecided or self.steps[at].do in _BROWSING
        failed = self.history.failed(None if came is None else came["send"], at)
        undecided = undecided or (failed and self.unseen(at, end, came))
        # Of what a prepared branch gives back after a failure, nothing says how a provider knows that it was delivered.
        undecided = undecided or (
            failed and any(each.do == "branch_rollback" for each in self.history.backs(end, 0, at))
        )
        chances, asked = self.chances(at, end, came), self.steps[number].args.get("on")
        for found in contents_of(expected, seen, self.known, undecided=undecided, failed=failed, again=chances):
            if isinstance(found, str):
                self.allow(number, "content", found)
            elif self.as_sent(number, expected.get("send"), found[0], found[2]):
                self.allow(number, "content", "as sent")
            elif found[0] in {"body", "again"} and ambiguous.nul(self.steps, self.sends, expected, asked):
                self.allow(number, "content", "nul")
            else:
                what, ours, theirs, flags = found
                if not self.virtual and ambiguous.passed(what, ours, theirs):
                    self.allow(number, "content", "time")
                    continue
                self.note_sent(number, what, theirs)
                self.differ(number, what, ours, theirs, flags, came if at == number else None)

    # -- listeners and consumers in competition --------------------------------------------------------------------

    def _listening(self, expected: Observation, seen: Observation) -> None:
        """Note which listeners were given something else: what they settle and what comes after them is open."""
        if expected.get("delivered") == seen.get("delivered"):
            return
        ours, theirs = delivered([expected]), delivered([seen])
        for name in {**ours, **theirs}:
            one, two = ([identity(each) for each in given.get(name, [])] for given in (ours, theirs))
            if one != two:
                self.doubtful |= self.history.others(name)

    def _listeners(self) -> None:
        """Compare what listeners were given over the whole program, consumer by consumer."""
        ours, theirs = delivered(self.expected.seen), delivered(self.seen)
        last = {
            name: at for at, each in enumerate(self.expected.seen) for name in each.get("delivered", {}).get("by", {})
        }
        if self.hung:
            return
        for name in {**ours, **theirs}:
            wanted, got = ours.get(name, []), theirs.get(name, [])
            number = last.get(name, len(self.expected.seen) - 1)
            self.listener = name
            if wanted != got:
                undecided = self.expected.ends.get(name, {}).get("end") in self.opened | self.contended
                if not undecided:
                    undecided = not self._sequence(number, wanted, got)
                self._matched(number, wanted, got, undecided=undecided)
        self.listener = None

    def _contended(self) -> None:
        """Where consumers competed, compare which messages came at all, whoever got them."""
        if self.failed or self.hung or len(self.seen) < len(self.expected.seen):
            return
        for end in sorted(self.contended - self.opened):
            # What was refused has received nothing.
            uses = [
                at
                for at, expectation in enumerate(self.expected.seen)
                if self.end(at) == end and "raises" not in expectation
            ]
            bodies = any(self.steps[at].do == "receive_body" for at in uses)
            if bodies or not any(self.steps[at].do == "drain" for at in uses[-2:]):
                continue
            last = uses[-1]
            ours, theirs = self.all_shown(self.expected.seen, end), self.all_shown(self.seen, end)
            missing = ours.keys() - theirs.keys() if self._handed_out(end, uses) else set()
            for key in (key for key in missing if "expired" not in self.timely(last, ours[key])):
                if self.is_timed_otherwise(ours[key]):
                    self.leave_open(last, "missing", "as sent")
                else:
                    self.differ(last, "missing", named(ours[key]), "none of the consumers gets it", message=ours[key])
            for key in theirs.keys() - ours.keys():
                self._extra(last, theirs[key])

    def _handed_out(self, end: str, uses: Sequence[int]) -> bool:
        """Return whether no open consumer of an endpoint can hold messages: each was drained last, or has a listener."""
        drains = {self.steps[at].args["on"]: at for at in uses if self.steps[at].do == "drain"}
        first = last = max(drains.values())
        later = {step.name for step in self.steps[last:] if step.do in CONSUMING}
        for name in {name for name, each in self.expected.ends.items() if each["end"] == end} - self.history.gone[last]:
            if name in later or self._listens(name, last):
                continue
            after = [self.steps[at] for at in uses if at > drains.get(name, 0)]
            if name not in drains or any(step.args["on"] == name and step.do != "close" for step in after):
                return False
            first = min(first, drains[name])
        # What comes meanwhile, or later, may be handed to one that was drained before.
        return not any(
            step.do == "advance" or (end in self.history.touched[at] and step.do not in FLOW)
            for at, step in enumerate(self.steps[: len(self.expected.seen)])
            if at > first and not (at > last and step.do == "close")
        )

    def _listens(self, name: str, until: int) -> bool:
        """Return whether the listener of a consumer receives whatever the consumer is handed."""
        does = [step.do for step in self.steps[:until] if step.args.get("on") == name and "listen" in step.do]
        found = self.history.rules.consumers.get(name)
        heard = does[-1:] == ["listen"] or (found is not None and found.pooled)
        return heard and (found is None or found.session.connection.started)
