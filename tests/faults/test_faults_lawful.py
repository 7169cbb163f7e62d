"""Lawful providers: one for each row that leaves a choice, and each does otherwise indeed."""

from __future__ import annotations

import pytest

from faults import Patch, all_lawful
from faults.composing.circumstances import EACH_SECOND, ODD_MESSAGES, Under
from faults.kit.declaring import lawful
from faults.lawful.rows_without import ROWS_WITHOUT
from reference_provider import fault_points
from reference_provider.adapter import open_provider
from tck.catalogue import Level, load_catalogue

CATALOGUE = load_catalogue()
CHOICES = {row for row in CATALOGUE if CATALOGUE[row].level in {Level.SHOULD, Level.MAY}}
PERMITTED = {row for each in all_lawful().values() for row in each.rows}


def test_each_row_that_leaves_a_choice_has_a_lawful_provider_or_a_reason():
    assert set(ROWS_WITHOUT) == CHOICES - PERMITTED


def test_lawful_providers_name_rows_that_leave_a_choice():
    assert PERMITTED <= CHOICES


def test_each_lawful_provider_has_both_forms():
    names = set(all_lawful())
    assert {name.removesuffix("/at-times") for name in names} == {name for name in names if "/at-times" not in name}
    assert len(names) % 2 == 0


def test_a_name_is_taken_once():
    with pytest.raises(ValueError, match="two faults are called lawful/priority-ignored"):
        lawful("priority-ignored", "again", "3.4.10-4")(lambda patch: None)


@pytest.mark.parametrize("name", sorted(all_lawful()))
def test_a_lawful_provider_opens_and_delivers(name, tmp_path):
    settings = {"clock": "virtual", **all_lawful()[name].settings, "saboteur": name}
    with open_provider(settings, tmp_path) as provider, provider.clock.actor():
        context = provider.connection_factory().create_context()
        queue = provider.create_queue("q")
        consumer = context.create_consumer(queue)
        for text in ("a", "b"):
            context.create_producer().send(queue, text)
        assert [consumer.receive_body(str, 10_000) for _ in range(2)] == ["a", "b"]
        context.close()


def received(name, tmp_path):
    """The texts of four messages, priorities 1 and 9 in turn, on two queues, as a provider delivers them."""
    tmp_path.mkdir()
    with open_provider({"clock": "virtual", "saboteur": name}, tmp_path) as provider, provider.clock.actor():
        context = provider.connection_factory().create_context()
        found = []
        for queue in (provider.create_queue("one"), provider.create_queue("two")):
            for number, priority in enumerate((1, 9, 1, 9)):
                context.create_producer().set_priority(priority).send(queue, f"{number}")
            consumer = context.create_consumer(queue)
            found.append("".join(consumer.receive_body(str, 1000) for _ in range(4)))
        context.close()
        return found


def test_everywhere_and_at_times(tmp_path):
    assert received("lawful/priority-ignored", tmp_path / "a") == ["0123", "0123"]
    assert received("lawful/priority-ignored/at-times", tmp_path / "b") == ["1302", "0123"]


class Counted:
    """Something with a function and a property to be changed."""

    def act(self):
        return "as before"

    value = property(lambda self: "old")


def test_every_second_object_shows_a_change():
    patch = Patch()
    at_times = Under(patch, EACH_SECOND)
    at_times.replace(Counted, "act", lambda self: "otherwise")
    at_times.replace(Counted, "value", property(lambda self: "new"))
    first, second, third, fourth = (Counted() for _ in range(4))
    try:
        assert [each.act() for each in (first, second, third, fourth, second)] == [
            "as before",
            "otherwise",
            "as before",
            "otherwise",
            "otherwise",
        ]
        assert [each.value for each in (first, second)] == ["old", "new"]
    finally:
        patch.undo()
    assert (second.act(), second.value) == ("as before", "old")


def test_half_of_the_messages_expire(tmp_path):
    patch = Patch()
    Under(patch, ODD_MESSAGES).at(fault_points.EXPIRY_CHECKED, lambda original, broker, entry: False)
    try:
        with open_provider({"clock": "virtual"}, tmp_path) as provider, provider.clock.actor():
            context = provider.connection_factory().create_context()
            queue = provider.create_queue("q")
            for number in range(6):
                context.create_producer().set_time_to_live(10).send(queue, f"{number}")
            provider.clock.advance(1000)
            consumer = context.create_consumer(queue)
            assert len([1 for _ in range(6) if consumer.receive_body_no_wait(str) is not None]) == 3
            context.close()
    finally:
        patch.undo()
