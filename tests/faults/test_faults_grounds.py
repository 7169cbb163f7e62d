"""Models of other brokers: lawful providers that faults can change in place of the reference provider."""

import struct
from contextlib import contextmanager

import pytest

from faults import Patch, find
from faults.composing.operators import generic_names
from faults.finding import found_alone, grounds
from faults.kit.declaring import ON
from faults.lawful import converting
from reference_provider.adapter import SettingsError, open_provider
from tck.api import Byte, Char, Float, Int, JMSContext, Short

PREFETCHING, CONVERTING = "lawful/prefetching", "lawful/converting"


@contextmanager
def opened(tmp_path, fault, mode=JMSContext.AUTO_ACKNOWLEDGE):
    """A provider, a context of a mode, and a queue with five texts and a consumer."""
    with open_provider({"clock": "virtual", "fault": fault}, tmp_path) as provider, provider.clock.actor():
        context = provider.connection_factory().create_context(session_mode=mode)
        queue = provider.create_queue("q")
        consumer = context.create_consumer(queue)
        for text in "abcde":
            context.create_producer().send(queue, text)
        yield provider, context, queue, consumer
        context.close()


def texts(consumer, count=9):
    """The texts of what a consumer gets, those redelivered in upper case."""
    got = [found for _ in range(count) if (found := consumer.receive_no_wait()) is not None]
    return "".join(each.text.upper() if each.jms_redelivered else each.text or "-" for each in got)


def test_a_message_taken_ahead_is_no_other_consumers_and_goes_back_undelivered(tmp_path):
    with opened(tmp_path, PREFETCHING) as (_, context, queue, first):
        other = context.create_context(session_mode=JMSContext.AUTO_ACKNOWLEDGE)
        second = other.create_consumer(queue)
        assert texts(first, 1) == "a"
        assert "".join(each.text for each in context.create_browser(queue).get_enumeration()) == "bcde"
        assert texts(second) == "de"
        first.close()
        assert texts(second) == "bc"


def test_recover_and_acknowledge_are_about_what_was_handed_out_alone(tmp_path):
    with opened(tmp_path, PREFETCHING, JMSContext.CLIENT_ACKNOWLEDGE) as (_, context, _, consumer):
        assert texts(consumer, 2) == "ab"
        context.recover()
        assert texts(consumer, 3) == "ABc"
        context.acknowledge()
        context.recover()
        assert texts(consumer) == "de"


def test_a_stopped_connection_hands_out_nothing_and_what_expired_is_not_handed_out(tmp_path):
    with opened(tmp_path, PREFETCHING) as (provider, context, queue, consumer):
        assert texts(consumer) == "abcde"
        context.create_producer().set_time_to_live(10).send(queue, "x")
        context.create_producer().send(queue, "y")
        context.stop()
        assert texts(consumer) == ""
        provider.clock.advance(1000)
        context.start()
        assert texts(consumer) == "y"


@pytest.mark.parametrize(
    "value",
    [None, True, False, Byte(-128), Short(32767), Int(-(2**31)), 2**63 - 1, Float(0.1), -0.0, 5e-324, float("inf"), Char("\uffff"),
     "", "é\0東\U0001f600\ud800", b"", b"\0\xff"],
)  # fmt: skip
def test_the_way_there_and_back_is_exact(value):
    found = converting.decode(None, *converting.encode(None, value))
    assert (type(found), repr(found)) == (type(value), repr(value))


def test_the_bits_of_a_double_that_is_no_number_are_kept():
    (value,) = struct.unpack(">d", bytes.fromhex("7ff8000000000123"))
    assert struct.pack(">d", converting.decode(None, *converting.encode(None, value))).hex() == "7ff8000000000123"


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (f"on {PREFETCHING}: prefetching.given_back/skipped under queue", "de"),
        (f"on {PREFETCHING}: ReferenceConsumer.close/skipped", "de"),
        (f"on {PREFETCHING}: prefetching.taken_ahead/reversed", "cbade"),
        (f"on {CONVERTING}: converting.decode_string/cut-by-one", "-----"),
    ],
)
def test_a_fault_changes_its_ground(tmp_path, fault, expected):
    assert find(fault).name == fault
    with opened(tmp_path, fault) as (_, context, queue, consumer):
        consumer.close()
        second = context.create_consumer(queue)
        assert texts(second) == expected


@pytest.mark.parametrize("ground", grounds())
def test_functions_of_a_ground_are_open_on_it_alone(ground):
    own = set(generic_names(ground)) - set(generic_names())
    assert len(own) > 20
    for name in own:
        patch = Patch()
        find(f"{ON}{ground}: {name}").install(patch)
        patch.undo()
        with pytest.raises(KeyError, match="no fault is called"):
            found_alone(name, "")


def test_a_ground_that_there_is_not_is_refused(tmp_path):
    with pytest.raises(SettingsError, match="there is no ground 'lawful/converter'; near it are lawful/converting"):
        open_provider({"fault": "on lawful/converter: 3.4.10-1"}, tmp_path)
