"""Composed faults: a fault under circumstances, and generic operators at every seam."""

import pytest

from faults import Patch, all_saboteurs, find
from faults.composing.circumstances import FACTS
from faults.composing.infection import INFECTED
from faults.composing.operators import generic_names, seams
from reference_provider.adapter import SettingsError, open_provider
from tck.api import DeliveryMode, JMSContext

PERSISTENT, NON_PERSISTENT = DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT


def priorities(tmp_path, fault, modes):
    """The priorities with which messages of some modes arrive that were sent with priority 7."""
    with open_provider({"clock": "virtual", "fault": fault}, tmp_path) as provider, provider.clock.actor():
        context = provider.connection_factory().create_context()
        queue, producer = provider.create_queue("q"), context.create_producer().set_priority(7)
        for number, mode in enumerate(modes):
            producer.set_delivery_mode(mode).send(queue, str(number))
        consumer = context.create_consumer(queue)
        got = [consumer.receive(50) for _ in modes]
        return [message.jms_priority for message in sorted(got, key=lambda message: message.text)]


@pytest.mark.parametrize(
    ("circumstances", "expected"),
    [
        ("", [4, 4, 4]),
        (" under persistent", [4, 7, 4]),
        (" under 2nd-of-session", [7, 4, 7]),
        (" under 2nd-of-session and persistent", [7, 7, 7]),
        (" under 3rd-of-producer and persistent", [7, 7, 4]),
        (" under simplified and auto", [4, 4, 4]),
        (" under classic", [7, 7, 7]),
        (" under body-from-65", [7, 7, 7]),
    ],
)
def test_a_fault_shows_where_all_its_circumstances_hold(tmp_path, circumstances, expected):
    INFECTED.taken()
    name = f"SEND_PREPARED/priority-default{circumstances}"
    assert priorities(tmp_path, name, (PERSISTENT, NON_PERSISTENT, PERSISTENT)) == expected
    assert INFECTED.taken() == expected.count(4)


def test_a_broad_fault_infects_where_it_changes_something(tmp_path):
    INFECTED.taken()
    settings = {"clock": "virtual", "fault": "3.4.10-1 under time-to-live"}
    with open_provider(settings, tmp_path) as provider, provider.clock.actor():
        context = provider.connection_factory().create_context()
        context.create_producer().send(provider.create_queue("q"), "x")
    assert INFECTED.taken() == 0


def test_history_counts_what_happened_before(tmp_path):
    fault = "MESSAGE_MADE/redelivered-default under after-rollback"
    with open_provider({"clock": "virtual", "fault": fault}, tmp_path) as provider, provider.clock.actor():
        context = provider.connection_factory().create_context(session_mode=JMSContext.SESSION_TRANSACTED)
        queue = provider.create_queue("q")
        context.create_producer().send(queue, "x")
        context.commit()
        consumer = context.create_consumer(queue)
        consumer.receive(50)
        context.rollback()
        assert consumer.receive(50).jms_redelivered is False


def test_a_destination_has_a_second_life_when_its_consumer_has_closed(tmp_path):
    fault = "MESSAGE_MADE/priority-default under second-life"
    with open_provider({"clock": "virtual", "fault": fault}, tmp_path) as provider, provider.clock.actor():
        context = provider.connection_factory().create_context()
        queue, found = provider.create_queue("q"), []
        for _ in range(2):
            context.create_producer().set_priority(7).send(queue, "x")
            consumer = context.create_consumer(queue)
            found.append(consumer.receive(50).jms_priority)
            consumer.close()
        assert found == [7, 4]


def test_there_are_more_composed_faults_than_anybody_could_write():
    alone = len(all_saboteurs()) + len(generic_names())
    assert len(set(generic_names())) == len(generic_names())
    assert len(seams()) > 300
    assert alone * len(FACTS) > 20_000


def test_every_generic_fault_fits_the_provider_and_is_undone():
    before = {name: getattr(seam.owner, seam.attribute) for name, seam in seams().items()}
    for name in generic_names():
        patch = Patch()
        find(name).install(patch)
        patch.undo()
    assert {name: getattr(seam.owner, seam.attribute) for name, seam in seams().items()} == before


def test_a_composed_fault_says_what_it_is():
    fault = find("3.4.10-1").under(FACTS["persistent"], FACTS["after-rollback"])
    assert fault.name == "3.4.10-1 under persistent and after-rollback"
    assert find(fault.name).title == fault.title
    assert fault.title.endswith("; only in calls with: persistent and after-rollback")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("3.4.10-1 under persistant", "there is no circumstance 'persistant'; near it are persistent"),
        ("ROUTED/no-such", "no fault is called 'ROUTED/no-such'"),
        ("NOWHERE/skipped under text", "no fault is called 'NOWHERE/skipped'"),
        ("no-such", "no fault is called 'no-such'"),
    ],
)
def test_a_name_that_there_is_not_is_refused_in_one_sentence(tmp_path, name, why):
    with pytest.raises(SettingsError, match=f"setting fault = .*: {why}"):
        open_provider({"fault": name}, tmp_path)


def test_a_fault_is_given_once(tmp_path):
    with pytest.raises(SettingsError, match="give one of them"):
        open_provider({"fault": "3.4.10-1", "saboteur": "3.4.10-1"}, tmp_path)


@pytest.mark.parametrize(("kind", "infects"), [("dark red", False), ("red", True)])
def test_a_fault_of_a_selector_infects_where_it_chooses_other_messages(tmp_path, kind, infects):
    INFECTED.taken()
    settings = {"clock": "virtual", "fault": "3.8.1.1-82 under argument-from-1"}
    with open_provider(settings, tmp_path) as provider, provider.clock.actor():
        context = provider.connection_factory().create_context()
        queue = provider.create_queue("q")
        consumer = context.create_consumer(queue, "kind LIKE '%red'")
        context.create_producer().set_property("kind", kind).send(queue, "x")
        consumer.receive(50)
    assert bool(INFECTED.taken()) is infects


def test_a_replaced_method_of_a_message_infects_where_it_does_otherwise(tmp_path):
    with (
        open_provider({"clock": "virtual", "fault": "3.11.1-2 under text"}, tmp_path) as provider,
        provider.clock.actor(),
    ):
        context = provider.connection_factory().create_context()
        message = context.create_text_message("x")
        INFECTED.taken()
        message.clear_body()
        assert INFECTED.taken() == 0
