"""The events of a recorder: asked for twice, as lines, while another thread is in them."""

import gc
import json
import threading

import pytest
from adapters_toy import Collect, ToyQueue

from tck import api
from tck.adapters.recording.evidence import Evidence
from tck.record.lines import line
from tck.record.short_events import restore


def test_asking_for_events_again_adds_only_what_is_new(toy):
    first = toy.recorder.events
    toy.sent()
    second = toy.recorder.events
    assert second[: len(first)] == first
    assert all(old is new for old, new in zip(first, second, strict=False))


def test_events_as_lines_are_the_events(toy):
    for text in ("x", "long " * 4000, "\ud800 alone", "\u2028"):
        message = toy.sent(text)
        message.jms_type = text
        message.get_object_property(text)
        list(message.get_property_names())
    consumer = toy.session.create_consumer(toy.queue)
    consumer.message_listener = Collect(RuntimeError("boom"))
    with pytest.raises(api.UnsupportedOperationException):
        toy.session.create_producer(toy.queue).priority = 1 << 70
    consumer.receive(1 << 40)
    plain = [json.loads(line(event)) for event in Evidence(toy.recorder).finish()]
    lines, count = Evidence(toy.recorder).finish_as_lines()
    assert list(restore(map(json.loads, lines.splitlines()))) == plain
    assert len(lines) < 0.5 * sum(len(line(event)) for event in plain)
    assert count == len(plain)
    begun = Evidence(toy.recorder)
    assert len(begun.events()) == count
    assert list(restore(map(json.loads, begun.finish_as_lines()[0].splitlines()))) == plain


def test_events_can_be_asked_for_while_another_thread_hangs_in_them(toy):
    asked, release = threading.Event(), threading.Event()

    class Slow(ToyQueue):
        @property
        def queue_name(self):
            asked.set()
            release.wait(60)
            return "slow"

    toy.session.create_producer(toy.recorder.wrap(Slow("slow")))
    thread = threading.Thread(target=lambda: toy.recorder.events, daemon=True)
    thread.start()
    assert asked.wait(10)
    assert len(toy.recorder.events) >= 6
    release.set()
    thread.join(10)
    assert toy.events("Session.create_producer", "ok")


def test_a_listener_whose_case_is_over_does_nothing_and_is_held_no_more(toy):
    consumer = toy.session.create_consumer(toy.queue)
    listener = Collect()
    consumer.message_listener = listener
    toy.recorder.let_go()
    toy.sent("after the end")
    assert listener.messages == []
    assert toy.events("MessageListener.on_message") == []
    assert listener not in gc.get_referents(consumer.raw_.message_listener)
