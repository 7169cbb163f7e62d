"""Interworking 4.1 by programs: constraints, filters and mapping filters of a channel, against what the language says."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from tck.interworking import PRIORITY, TIMEOUT, Any_, EventType, Kind, StructuredEvent, TypeCode, event, sequence_of
from tck.interworking.channel import ClientType, FilterOperator
from tck.interworking.filters import EXTENDED_TCL, ConstraintExp, MappingConstraintPair
from tck.interworking.qos import ORDER_POLICY, PRIORITY_ORDER
from tck.suite.support import Case, asserts
from tck.suite.support.harness.outcome import Broken, Undecided
from tck.suite.support.interworking.bridging import TICKS
from tck.suite.support.interworking.crossing import Crossing, crosses_to_channel
from tck.suite.support.interworking.programs import Draw, Table

TYPES: Final = (
    ("Telecom", "CommunicationsAlarm"),
    ("Telecom", "Alarm"),
    ("Telecom", "AlarmCleared"),
    ("Telephone", "Alarm"),
    ("Tele", "LargeAlarmReport"),
    ("com", "aa"),
    ("T", "a"),
    ("Finance", "StockQuote"),
)
"""Domains and types of events."""
PATTERNS: Final = (
    *(
        ("*", "*"),
        ("", ""),
        ("*", "%ALL"),
        ("Telecom", "*"),
        ("Tele*", "Alarm"),
        ("*com", "*Alarm"),
        ("T*m", "*"),
    ),
    *(("*", "*Alarm*"), ("*e*e*", "A*"), ("*", "a*a"), ("*", "*a*a*"), ("**", "Al**"), ("", "*Quote"), ("Tele", "")),
    *(("*T*", "*m*n*"), ("*", "*r*m*"), ("Telecom", "Alarm"), ("Telecom", "alarm"), ("None", "*"), ("*", "?larm")),
    *(("T", "a"), ("T*", "a*"), ("*", "*C*A*"), ("*", ".*"), ("Tel[e]com", "*")),
)
"""Types of constraints, with stars at all places."""
COUNT: Final = 8
KIND_OF_DATA: Final = {
    "sev": (Kind.LONG, (3, -7, 0, 5, 100, 4, 3, 2**31 - 1)),
    "load": (Kind.DOUBLE, (0.5, -2.5, 0.0, 3.0, 1e10, 0.25, 4.0, 100.0)),
    "kind": (Kind.STRING, ("an alarm", "alarm", "", "report", "b", "Alarm", "a larm", "x alarms")),
    "on": (Kind.BOOLEAN, (True, False, True, True, False, False, True, False)),
    "small": (Kind.SHORT, (1, 2, -3, 4, 0, 32767, 3, -32768)),
}
"""Fields of the events."""


def _events() -> list[StructuredEvent]:
    """Return events whose names are their numbers; every other one has a field `odd`."""
    found = []
    for at, (domain, type_) in enumerate(TYPES):
        data = {name: Any_.of(kind, values[at]) for name, (kind, values) in KIND_OF_DATA.items()}
        names = ("red", "alarm", "x")[: at % 4]
        data["names"] = Any_(sequence_of(TypeCode(Kind.STRING)), names)
        if at % 2:
            data["odd"] = Any_.of(Kind.LONG, at)
        found.append(event(domain, type_, str(at), data=data, body=Any_.of(Kind.STRING, str(at))))
    return found


_Truth = Callable[[StructuredEvent], bool]


def _value(each: StructuredEvent, name: str) -> Any:
    found = each.data(name)
    return None if found is None else found.value


class Conditions:
    """Makes constraints, each with a function that says what it means."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def make(self, depth: int = 3) -> tuple[str, _Truth]:
        """Return a text and its meaning."""
        form = self._draw.random.randrange(5) if depth else 4
        if form < 3:
            (one, left), (other, right) = self.make(depth - 1), self.make(depth - 1)
            if form == 0:
                return f"({one} and {other})", lambda each: left(each) and right(each)
            return f"({one} or {other})", lambda each: left(each) or right(each)
        if form == 3:
            text, inner = self.make(depth - 1)
            return f"not ({text})", lambda each: not inner(each)
        return self._atom()

    def _atom(self) -> tuple[str, _Truth]:
        draw = self._draw
        match draw.random.randrange(7):
            case 0:
                word = draw.each(_WORDS)
                return f"'{word}' ~ $kind", lambda each: word in _value(each, "kind")
            case 1:
                word = draw.each(_NAMES)
                return f"'{word}' in $names", lambda each: word in _value(each, "names")
            case 2:
                return draw.each((("exist $odd", lambda each: _value(each, "odd") is not None), ("$on", _is_on)))
            case 3:
                text, (sign, compare) = draw.each(_TEXTS), draw.each(_SIGNS)
                return f"$kind {sign} '{text}'", lambda each: compare(_value(each, "kind"), text)
            case 4:
                number = draw.each(_NUMBERS)
                by, sign, compare = draw.random.randrange(2, 5), *draw.each(_SIGNS)
                return f"$sev * {by} - 1 {sign} {number}", lambda each: compare(_value(each, "sev") * by - 1, number)
            case 5:
                name, (sign, compare), real = draw.each(("load", "small")), draw.each(_SIGNS), draw.each(_REALS)
                return f"${name} {sign} {real}", lambda each: compare(_value(each, name), real)
        sign, compare = draw.each(_SIGNS)
        return f"$sev + $small {sign} $load", lambda each: compare(
            _value(each, "sev") + _value(each, "small"), _value(each, "load")
        )


def _is_on(each: StructuredEvent) -> bool:
    return _value(each, "on") is True


_WORDS: Final = ("alarm", "arm", "a", "report", "zz")
_NAMES: Final = ("red", "alarm", "x", "blue")
_TEXTS: Final = ("alarm", "", "b", "report")
_NUMBERS: Final = (-1, 0, 5, 8, 199, 14)
_REALS: Final = (0.5, -2.5, 0, 3, 4, 1000)
_SIGNS: Final[Sequence[tuple[str, Callable[[Any, Any], bool]]]] = (
    ("==", lambda one, other: one == other),
    ("!=", lambda one, other: one != other),
    ("<", lambda one, other: one < other),
    ("<=", lambda one, other: one <= other),
    (">", lambda one, other: one > other),
    (">=", lambda one, other: one >= other),
)


def _of_types(types: Sequence[tuple[str, str]], each: StructuredEvent) -> bool:
    """Return whether an event is of one of the types of a constraint; none stand for all."""
    own = each.header.fixed_header.event_type
    return not types or any(
        _fits(domain, own.domain_name) and (type_ == "%ALL" or _fits(type_, own.type_name)) for domain, type_ in types
    )


def _fits(pattern: str, name: str) -> bool:
    parts = map(re.escape, pattern.split("*"))
    return not pattern or re.fullmatch(".*".join(parts), name, re.DOTALL) is not None


class Constraints:
    """Some constraints, and which events satisfy one of them."""

    def __init__(self, crossing: Crossing, given: Sequence[tuple[Sequence[tuple[str, str]], str, _Truth]]) -> None:
        self._given = given
        expressions = [ConstraintExp(tuple(EventType(*each) for each in types), text) for types, text, _ in given]
        factory = crossing.channel.default_filter_factory
        self.filter = crossing.calls("create_filter", lambda: factory.create_filter(EXTENDED_TCL))
        crossing.calls(f"add_constraints of {self}", lambda: self.filter.add_constraints(expressions))

    def __str__(self) -> str:
        return "; ".join(f"{' '.join(':'.join(each) for each in types)} {text}" for types, text, _ in self._given)

    def holds(self, each: StructuredEvent) -> bool:
        """Return what the language says."""
        return any(_of_types(types, each) and truth(each) for types, _, truth in self._given)

    def matched(self, events: Sequence[StructuredEvent]) -> list[str]:
        """Return the names of the events that the filter matches, and of those on which it fails, with the exception."""
        found = []
        for each in events:
            try:
                found += [_name(each)] if self.filter.match_structured(each) else []
            except Exception as error:  # noqa: BLE001 - whatever it raises is what was seen
                found.append(f"{_name(each)}: {type(error).__name__}")
        return found

    def chosen(self, events: Sequence[StructuredEvent]) -> list[str]:
        """Return the names of the events that satisfy one."""
        return [_name(each) for each in events if self.holds(each)]


def _name(each: StructuredEvent) -> str:
    return each.header.fixed_header.event_name


def _always(_: StructuredEvent) -> bool:
    return True


def _carried(case: Case) -> Crossing:
    """Return both sides once the bridge has carried over the channel: it is that channel which is judged."""
    crossing = Crossing(case)
    try:
        crossing.bridge(crossing.to_channel())
        crosses_to_channel(crossing)
    except Broken as error:
        raise Undecided(f"no bridge carries over the channel: {error}") from error
    return crossing


def _drawn(crossing: Crossing, draw: Draw) -> Constraints:
    """Return one to three constraints, each with types, a text, or both."""
    given: list[tuple[Sequence[tuple[str, str]], str, _Truth]] = []
    conditions = Conditions(draw)
    for _ in range(draw.random.randrange(1, 4)):
        types = [draw.each(PATTERNS) for _ in range(draw.random.randrange(3))]
        text, truth = ("", _always) if types and draw.chance(0.3) else conditions.make()
        given.append((types, text, truth))
    return Constraints(crossing, given)


@asserts("iw-4.1-1", "iw-4.1-5", "iw-4.1-6", variant="constraints", domain=("queue",), plain=True)
def test_constraints_match_as_the_language_says(case: Case) -> None:
    """Types of constraints with stars at all places, and conditions of all operators made at random, match what they say."""
    crossing, table, events, draw = _carried(case), Table(), _events(), Draw(81)

    def program() -> None:
        for pattern in PATTERNS:
            given = table.attempt("iw-4.1-1", f"{pattern}", lambda: Constraints(crossing, [([pattern], "", _always)]))
            seen = given.matched(events)
            table.note("iw-4.1-1", f"what is of the type {pattern}", seen, given.chosen(events))
        for _ in range(60):
            text, truth = Conditions(draw).make()
            given = table.attempt("iw-4.1-5", text, lambda: Constraints(crossing, [([], text, truth)]))
            seen = given.matched(events)
            for row in ("iw-4.1-5", "iw-4.1-6"):
                table.note(row, f"what satisfies {text}", seen, given.chosen(events))
        for _ in range(20):
            given = table.attempt("iw-4.1-1", "several constraints", lambda: _drawn(crossing, draw))
            seen = given.matched(events)
            table.note("iw-4.1-1", f"what satisfies one of {given}", seen, given.chosen(events))

    table.play(program)


KINDS: Final = (ClientType.STRUCTURED_EVENT, ClientType.SEQUENCE_EVENT)


def _pulling(admin: Any, kind: ClientType) -> Any:
    """Return a proxy to pull from, connected."""
    proxy: Any = admin.obtain_notification_pull_supplier(kind)[0]
    if kind == ClientType.STRUCTURED_EVENT:
        proxy.connect_structured_pull_consumer(None)
    else:
        proxy.connect_sequence_pull_consumer(None)
    return proxy


def _all_of(proxy: Any, kind: ClientType) -> list[str]:
    """Return the names of the events that wait at a proxy."""
    found: list[StructuredEvent] = []
    while True:
        one = kind == ClientType.STRUCTURED_EVENT
        more = proxy.try_pull_structured_event() if one else proxy.try_pull_structured_events(3)
        if not more:
            return [_name(each) for each in found]
        found += [more] if one else more


@asserts("iw-4.1-1", "iw-4.1-6", variant="filters", domain=("queue",), plain=True)
def test_filters_choose_at_each_place(case: Case) -> None:
    """Filters of proxies and admins, at both sides and joined by both operators, let pass what one of each place matches."""
    table, draw = Table(), Draw(82)
    before = _carried(case)

    def program() -> None:
        for turn in range(4):
            crossing, events = before.beside(), _events()
            kind, operator = KINDS[turn % 2], FilterOperator(turn // 2 % 2)
            consumers = crossing.channel.new_for_consumers(operator)[0]
            proxy = _pulling(consumers, kind)
            places = [_filters(crossing, draw, place) for place in (consumers, proxy)]
            watch, supplier = _pulling(crossing.channel.default_consumer_admin, kind), crossing.supplier()
            at_source = _filters(crossing, draw, supplier) if turn % 4 == 3 else None
            for each in events:
                supplier.push_structured_event(each)
            free = crossing.supplier()
            crossing.dispatched(free)
            came = [each for each in events if at_source is None or at_source(each)]
            join = all if operator == FilterOperator.AND_OP else any
            wanted = [_name(each) for each in came if join(holds(each) for holds in places)]
            seen = [name for name in _all_of(proxy, kind) if name != "fence"]
            for row in ("iw-4.1-1", "iw-4.1-6"):
                what = f"turn {turn}: what passes filters of admin and proxy with {operator.name}"
                table.note(row, what, sorted(seen), sorted(wanted))
            passed = [name for name in _all_of(watch, kind) if name != "fence"]
            table.note("iw-4.1-1", f"turn {turn}: what passes at the source", sorted(passed), sorted(map(_name, came)))

    table.play(program)


def _filters(crossing: Crossing, draw: Draw, place: Any) -> _Truth:
    """Add one or two filters, and one that is removed again; return what passes."""
    made = [_drawn(crossing, draw) for _ in range(draw.random.randrange(1, 3))]
    gone = place.add_filter(Constraints(crossing, [([], "$sev > -1000", _always)]).filter)
    for each in made:
        place.add_filter(each.filter)
    place.remove_filter(gone)
    return lambda event: any(each.holds(event) for each in made)


def _mapping(crossing: Crossing, values: Sequence[Any_], default: Any_) -> Any:
    """Return a filter that gives each event the value at its number."""
    factory = crossing.channel.default_filter_factory
    made = crossing.calls("create_mapping_filter", lambda: factory.create_mapping_filter(EXTENDED_TCL, default))
    pairs = [MappingConstraintPair(ConstraintExp((), f"$at == {at}"), value) for at, value in enumerate(values)]
    crossing.calls("add_mapping_constraints", lambda: made.add_mapping_constraints(pairs))
    return made


def _numbered(headers: Sequence[dict[str, Any_]]) -> list[StructuredEvent]:
    return [
        event("d", "t", str(at), header=each, data={"at": Any_.of(Kind.LONG, at)}) for at, each in enumerate(headers)
    ]


LEVELS: Final = (-32767, -300, -1, 0, 1, 9, 300, 32767)
OWN: Final = (None, None, -32767, -5, 0, 5, 300, 32767)


@asserts("iw-4.1-1", "iw-4.1-6", variant="mapping", domain=("queue",), plain=True)
def test_mapping_filters_hold_in_place_of_headers(case: Case) -> None:
    """The priority and the life that mapping filters give hold for a proxy, whether they are above or below those of the events."""
    table, draw, before = Table(), Draw(83), _carried(case)

    def program() -> None:
        for turn in range(6):
            crossing, kind = before.beside(), KINDS[turn % 2]
            proxy, supplier = _pulling(crossing.channel.default_consumer_admin, kind), crossing.supplier()
            levels = draw.random.sample(LEVELS, COUNT)
            proxy.set_qos({ORDER_POLICY: PRIORITY_ORDER})
            proxy.priority_filter = _mapping(
                crossing, [Any_.of(Kind.SHORT, each) for each in levels], Any_.of(Kind.SHORT, 0)
            )
            own = draw.random.sample(OWN, COUNT)
            for each in _numbered([{} if p is None else {PRIORITY: Any_.of(Kind.SHORT, p)} for p in own]):
                supplier.push_structured_event(each)
            crossing.dispatched(supplier)
            seen = [name for name in _all_of(proxy, kind) if name != "fence"]
            wanted = [str(levels.index(each)) for each in sorted(levels, reverse=True)]
            for row in ("iw-4.1-1", "iw-4.1-6"):
                table.note(row, f"turn {turn}: {own} mapped to {levels}", seen, wanted)

    table.play(program)


@asserts("iw-4.1-1", "iw-4.1-6", variant="mapped-lives", domain=("queue",), plain=True)
def test_mapped_lives_hold_in_place_of_timeouts(case: Case) -> None:
    """Of events with and without a Timeout those live on to which the filter of a proxy gives a long life, and the others end."""
    table, draw, before = Table(), Draw(84), _carried(case)
    short = case.long_delay()

    def program() -> None:
        lives = [(own, given) for own in (None, short, 1000 * short) for given in (short, 1000 * short)] * 2
        draw.random.shuffle(lives)
        proxies, units = [], [Any_.of(Kind.ULONGLONG, given * TICKS) for _, given in lives]
        for kind in KINDS:
            crossing = before.beside()
            proxy, supplier = _pulling(crossing.channel.default_consumer_admin, kind), crossing.supplier()
            proxy.lifetime_filter = _mapping(crossing, units, Any_.of(Kind.ULONGLONG, 0))
            headers = [{} if own is None else {TIMEOUT: Any_.of(Kind.ULONGLONG, own * TICKS)} for own, _ in lives]
            for each in _numbered(headers):
                supplier.push_structured_event(each)
            proxies.append((proxy, kind))
        case.pass_time(2 * short, "the short lives must end")
        wanted = [str(at) for at, (_, given) in enumerate(lives) if given > short]
        for proxy, kind in proxies:
            seen = _all_of(proxy, kind)
            for row in ("iw-4.1-1", "iw-4.1-6"):
                table.note(row, f"{kind.name}: what lives on", seen, wanted)

    table.play(program)
