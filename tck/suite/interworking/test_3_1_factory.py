"""Interworking 3.1: the operations of bridges and of their factory."""

from __future__ import annotations

from collections.abc import Callable

from tck.interworking.bridge import BridgeAlreadyStarted, BridgeInactive
from tck.suite.support import Case, asserts, expect
from tck.suite.support.harness.outcome import Broken
from tck.suite.support.interworking.crossing import STARTED, STOPPED, Crossing, crosses_to_channel, crosses_to_jms


def _raises(case: Case, kind: type[Exception], what: str, call: Callable[[], object]) -> Exception:
    """Demand an exception of exactly one kind; return it."""
    try:
        call()
    except kind as error:
        case.witness(f"{what} raised {type(error).__name__}: {error}")
        return error
    except Exception as error:
        raise Broken(f"{what} raised {type(error).__name__}: {error}", expected=kind.__name__) from error
    raise Broken(f"{what} returned", expected=kind.__name__)


@asserts("iw-3.1.2.1-1", "iw-3.1.2.1-2", "iw-3.1.2.1-3", plain=True)
def test_a_start_makes_the_bridge_carry(case: Case) -> None:
    """After start_bridge the state is started and items cross; the proxy was connected, and the connection started."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_channel(), started=False)
    before = crossing.provider_calls("Connection.start")
    crossing.calls("start_bridge", bridge.start_bridge)
    expect.equal("the state", crossing.state(bridge), STARTED)
    begun = crossing.provider_calls("Connection.start") - before
    expect.true("a connection was started", begun > 0, f"{begun} were")
    crosses_to_channel(crossing)
    connects = crossing.recorded("connect_structured_push_supplier", by_channel=False)
    expect.true("the proxy was connected", any(each.arguments != (None,) for each in connects), repr(connects))


@asserts("iw-3.1.2.1-4", "iw-3.1-13", plain=True)
def test_a_second_start_is_refused(case: Case) -> None:
    """start_bridge of a started bridge raises BridgeAlreadyStarted, and it goes on carrying."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    _raises(case, BridgeAlreadyStarted, "start_bridge", bridge.start_bridge)
    crossing.still(STARTED, bridge)
    crosses_to_jms(crossing)


@asserts("iw-3.1.2.2-1", "iw-3.1.2.2-5", plain=True)
def test_a_stop_of_a_stopped_bridge_is_refused(case: Case) -> None:
    """stop_bridge of a new bridge, and of one that was stopped, raises BridgeInactive."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms(), started=False)
    _raises(case, BridgeInactive, "stop_bridge of a new bridge", bridge.stop_bridge)
    crossing.calls("start_bridge", bridge.start_bridge)
    crossing.calls("stop_bridge", bridge.stop_bridge)
    _raises(case, BridgeInactive, "a second stop_bridge", bridge.stop_bridge)
    crossing.still(STOPPED, bridge)


@asserts("iw-3.1.2.2-3", plain=True)
def test_a_stop_suspends_or_disconnects_and_stops_the_connection(case: Case) -> None:
    """stop_bridge suspends or disconnects the proxy, and stops the connection to JMS."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    crossing.calls("stop_bridge", bridge.stop_bridge)
    calls = {each.operation for each in crossing.channels.calls() if not each.by_channel}
    done = {name for name in calls if name == "suspend_connection" or name.startswith("disconnect_")}
    expect.true("the proxy was suspended or disconnected", bool(done), repr(sorted(calls)))
    expect.true("a connection was stopped", crossing.provider_calls("Connection.stop") > 0, "none was")


@asserts("iw-3.1.2.3-1", "iw-3.1-16", plain=True)
def test_the_states_of_a_life(case: Case) -> None:
    """New, started, stopped and started again, the states are stopped, started, stopped and started."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_channel(), started=False)
    states = [crossing.state(bridge)]
    for step in (bridge.start_bridge, bridge.stop_bridge, bridge.start_bridge):
        crossing.calls("a step of the life", step)
        states.append(crossing.state(bridge))
    with expect.for_row("iw-3.1.2.3-1"):
        expect.equal("the states", states, [STOPPED, STARTED, STOPPED, STARTED])
    with expect.for_row("iw-3.1-16"):
        expect.equal("the states", states, [STOPPED, STARTED, STOPPED, STARTED])
        expect.record(f"a {type(states[0]).__name__}")


@asserts("iw-3.1.2.4-1", "iw-3.1.2.4-2", plain=True)
def test_destroy_disconnects_both_sides(case: Case) -> None:
    """Destroy of a started bridge disconnects from the proxy, and ends its connection to JMS."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_jms())
    crosses_to_jms(crossing)
    crossing.calls("destroy", bridge.destroy)
    done = [
        each for each in crossing.channels.calls() if each.operation.startswith("disconnect_") and not each.by_channel
    ]
    expect.true("the proxy was disconnected", bool(done), "no disconnect call")
    expect.equal("proxies for consumers", len(crossing.proxy_suppliers()), 0)


@asserts("iw-3.1.2.4-3", "iw-3.1.2.4-4", plain=True)
def test_how_destroy_ends_the_connection_is_recorded(case: Case) -> None:
    """Destroy may be called on a started bridge, or is refused there; it closes the connection, or stops it."""
    crossing = Crossing(case)
    bridge = crossing.bridge(crossing.to_channel())
    crosses_to_channel(crossing)
    crossing.calls("destroy", bridge.destroy)
    with expect.for_row("iw-3.1.2.4-3"):
        closed = crossing.provider_calls("Connection.close") > 0
        expect.true(
            "the connection was closed or stopped", closed or crossing.provider_calls("Connection.stop") > 0, "neither"
        )
        expect.record("closed" if closed else "stopped")
    with expect.for_row("iw-3.1.2.4-4"):
        expect.equal("the bridges", crossing.factory.get_all_bridges(), ())
        expect.record("it is destroyed")


@asserts("iw-3.1.3.1-8", "iw-3.1.3.3-1", "iw-3.1.3.2-1", plain=True)
def test_each_bridge_has_an_id_of_its_own(case: Case) -> None:
    """Of twenty bridges each has another id, by which it is found, and get_all_bridges gives exactly these ids."""
    crossing = Crossing(case)
    made = [
        crossing.calls("create_bridge", lambda: crossing.factory.create_bridge(*crossing.to_jms())) for _ in range(20)
    ]
    ids = [id_ for _, id_ in made]
    expect.distinct("ids", ids)
    expect.equal("all bridges", sorted(crossing.factory.get_all_bridges()), sorted(ids))
    found = [crossing.factory.get_bridge_with_id(id_) is bridge for bridge, id_ in made]
    expect.equal("each is found by its id", found, [True] * 20)


@asserts("iw-3.1.3.2-2", plain=True)
def test_ids_of_destroyed_bridges_are_recorded(case: Case) -> None:
    """Whether a destroyed bridge stays in the list is left open; those that live are in it."""
    crossing = Crossing(case)
    made = [
        crossing.calls("create_bridge", lambda: crossing.factory.create_bridge(*crossing.to_jms())) for _ in range(3)
    ]
    crossing.calls("destroy", made[1][0].destroy)
    left = set(crossing.factory.get_all_bridges())
    expect.true("the living ones are there", {made[0][1], made[2][1]} <= left, repr(left))
    expect.record("it is gone" if made[1][1] not in left else "it stays")
