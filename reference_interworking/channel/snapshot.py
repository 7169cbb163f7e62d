"""A channel as rows of its file, and a channel again from them: what `restart` finds after the channel's crash, and no more.

A key is () for the channel, (side, admin) and (side, admin, proxy) for these, (side, admin, proxy, number) for an event that waits for
a consumer, and ("changes", change, place) for one that a prepared transaction brings. Filters are kept by their constraints; one that a
client made itself is gone with its process, like the client. Needs the channel's lock. Imports `tck.interworking` only.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import copy
from operator import attrgetter, itemgetter
from typing import Any, Final, TypeAlias, TypeVar

from reference_interworking.channel.acknowledged import Item
from reference_interworking.channel.admins import StandInAdmin
from reference_interworking.channel.consumers import Consuming
from reference_interworking.channel.core import Core
from reference_interworking.channel.event_queue import Waiting
from reference_interworking.channel.managed import Managed
from reference_interworking.channel.proxies import Calling
from reference_interworking.channel.store import Key, Row, Rows
from reference_interworking.channel.suppliers import Supplying
from reference_interworking.channel.transacted import Change, Stored, Taken
from reference_interworking.etcl import Filter, MappingFilter
from tck.interworking import PERSISTENT, EventType, decode, encode
from tck.interworking.acknowledgment import LAST_NUMBER
from tck.interworking.channel import ClientType, FilterOperator
from tck.interworking.filters import EXTENDED_TCL, ConstraintExp, FilterFactory, MappingConstraintPair
from tck.interworking.qos import CONNECTION_RELIABILITY

_LOG: Final = logging.getLogger(__name__)
ChangeT = TypeVar("ChangeT", bound=Change)
Sides: TypeAlias = Mapping[str, Mapping[int, StandInAdmin[Any]]]

_PLAIN: Final[Mapping[type, tuple[str, ...]]] = {
    Core: ("qos.own", "limits.own", "transacted", "made_changes"),
    Managed: ("qos.own", "made_filters"),
    StandInAdmin: ("made",),
    Calling: ("suspended",),
    Supplying: ("kept.series.upcoming", "kept.retried", "kept.stopped"),
    Consuming: ("heard.seen.state", "heard.owed", "heard.stopped"),
}
"""What each kind of object keeps as it is."""
_MAPPING: Final = ("priority_filter", "lifetime_filter")


def rows_of(core: Core, made: int, sides: Sides) -> Rows:
    """Return the rows of a channel; none unless it, an admin or a connection is persistent. `made` is how many admins it made."""
    rows: Rows = {}
    reliable = [core.qos[CONNECTION_RELIABILITY]]
    for side, admins in sides.items():
        for number, admin in admins.items():
            lasting = [each for each in admin.proxies.values() if each.lasting]
            reliable += [admin.qos[CONNECTION_RELIABILITY], *(PERSISTENT for _ in lasting)]
            rows[side, number] = {**_managed(admin), "operator": admin.operator.name}, None
            for proxy in lasting:
                rows[side, number, proxy.id] = {**_managed(proxy), "type": proxy.type.name}, None
                if isinstance(proxy, Supplying):
                    rows.update(((side, number, proxy.id, at), row) for at, row in _events(core, proxy))
    if core.destroyed or PERSISTENT not in reliable:
        return {}
    for change in core.changes:
        if isinstance(change, Stored) and change.prepared:
            rows.update((("changes", change.number, at), (None, event)) for at, event in enumerate(change.events))
    return {**rows, (): ({"plain": _plain(core), "made": made}, None)}


def _plain(owner: object) -> dict[str, Any]:
    paths = [each for kind, paths in _PLAIN.items() if isinstance(owner, kind) for each in paths]
    return {each: copy(attrgetter(each)(owner)) for each in paths}


def _managed(managed: Managed) -> dict[str, Any]:
    filters = [(number, _filter(each)) for number, each in managed.filters.items()]
    mapping = [(each, _filter(getattr(managed, each))) for each in _MAPPING if isinstance(managed, Supplying)]
    return {"plain": _plain(managed), "filters": filters, "mapping": mapping}


def _filter(found: object) -> Any:  # noqa: ANN401 - what JSON takes
    if isinstance(found, Filter):
        return [_constraint(each.constraint_expression) for each in found.get_all_constraints()]
    if not isinstance(found, MappingFilter):
        return None
    pairs = [
        (*_constraint(e.constraint_expression), encode(e.value).hex()) for e in found.get_all_mapping_constraints()
    ]
    return encode(found.default_value).hex(), pairs


def _constraint(given: ConstraintExp) -> tuple[list[tuple[str, str]], str]:
    return [(each.domain_name, each.type_name) for each in given.event_types], given.constraint_expr


def _events(core: Core, proxy: Supplying[Any]) -> Iterator[tuple[int, Row]]:
    """Give the number and the row of what outlives a crash: with the item that keeps it, or the prepared change that takes it."""
    places: list[tuple[Waiting, tuple[Any, ...]]] = [(each, (None, 0, False, None)) for each in proxy.pending()]
    for item in proxy.kept.items:
        places += [(each, (item.number, at, item.due > 0, None)) for at, each in enumerate(item.waiting)]
    for change in core.changes:
        if isinstance(change, Taken):
            number = change.number if change.prepared else None
            places += [(each, (None, 0, False, number)) for each in change.taken_from(proxy)]
    for each, place in places:
        if each.persistent or proxy.transacts:
            yield each.number, ((each.priority, each.since, each.deadline, each.persistent, *place), each.event)


def fill(channel: Any, core: Core, sides: Sides, rows: Rows) -> None:  # noqa: ANN401 - what knows this module
    """Fill a channel that nobody knows yet, by the calls that its clients made."""
    found: dict[Key, Any] = {}
    events = defaultdict[Key, list[Any]](list)
    for key, (state, event) in rows.items():
        if event is not None:
            events[key[:-1]].append(event if state is None else (Waiting(event, key[-1], *state[:4]), *state[4:]))
        elif key:
            made = found[key] = (_admin if len(key) == 2 else _proxy)(channel, sides[key[0]], key, state)
            _fill_plain(made, state)
            _fill_filters(made, state, channel.default_filter_factory)
    for key, group in events.items():
        if key in found:
            _fill_events(core, found[key], group)
        else:
            _prepared(core.kind(Stored)(core), key[1]).add(group)
    core.number_from(max((key[3] for key in rows if len(key) == 4), default=-1) + 1)
    _fill_plain(core, rows[()][0])  # behind the proxies: they may be more than the limits allow now
    channel.made = rows[()][0]["made"]


def _admin(channel: Any, admins: Mapping[int, Any], key: Key, state: Mapping[str, Any]) -> Any:  # noqa: ANN401 - of either side
    channel.made = key[1] - 1
    if key[1]:  # 0 is the one that the channel is made with
        make = channel.new_for_consumers if key[0] == "consumers" else channel.new_for_suppliers
        make(FilterOperator[state["operator"]])
    return admins[key[1]]


def _proxy(_: object, admins: Mapping[int, Any], key: Key, state: Mapping[str, Any]) -> Any:  # noqa: ANN401 - of any kind
    style, kind = state["type"].split("_")
    admin, last = admins[key[1]], admins[key[1]].made
    admin.made = key[2] - 1
    obtain = f"obtain_notification_{style.lower()}_{'supplier' if key[0] == 'consumers' else 'consumer'}"
    made, _ = getattr(admin, obtain)(ClientType[f"{kind}_EVENT"])
    admin.made, made.connected, made.awaited = last, True, True
    return made


def _fill_plain(owner: object, state: Mapping[str, Any]) -> None:
    for path, value in state["plain"].items():
        *parents, name = path.split(".")
        setattr(attrgetter(".".join(parents))(owner) if parents else owner, name, value)


def _fill_filters(made: Any, state: Mapping[str, Any], filters: FilterFactory) -> None:  # noqa: ANN401 - an admin or a proxy
    for number, constraints in state["filters"]:
        if constraints is None:
            _LOG.warning("filter %d of %s was made by a client, and is gone with its process", number, made)
            continue
        made.filters[number] = filters.create_filter(EXTENDED_TCL)
        made.filters[number].add_constraints([_expression(*each) for each in constraints])
    for name, kept in state["mapping"]:
        if kept is not None:
            mapping = filters.create_mapping_filter(EXTENDED_TCL, decode(bytes.fromhex(kept[0])))
            pairs = [(_expression(*each), decode(bytes.fromhex(value))) for *each, value in kept[1]]
            mapping.add_mapping_constraints([MappingConstraintPair(*each) for each in pairs])
            setattr(made, name, mapping)


def _expression(types: list[list[str]], text: str) -> ConstraintExp:
    return ConstraintExp(tuple(EventType(*each) for each in types), text)


def _fill_events(core: Core, proxy: Supplying[Any], group: list[Any]) -> None:
    parts = defaultdict[Any, list[Any]](list)
    for waiting, item, _, tried, change in sorted(group, key=itemgetter(2)):
        parts[item, change].append((waiting, tried))
    proxy.queue.fill([waiting for waiting, _ in parts.pop((None, None), [])])
    oldest = proxy.kept.series.upcoming  # in the circle of numbers
    for (item, change), held in sorted(
        parts.items(), key=lambda part: ((part[0][0] or 0) - oldest) % (LAST_NUMBER + 1)
    ):
        waits = tuple(waiting for waiting, _ in held)
        if item is None:
            _prepared(core.kind(Taken)(core, proxy, waits), change)
        else:
            proxy.kept.items.append(Item(item, waits, due=int(held[0][1])))


def _prepared(change: ChangeT, number: int) -> ChangeT:
    change.prepared, change.number = True, number
    return change
