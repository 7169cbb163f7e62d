"""Stories: the worked example of `tck.check.story` is what a trace renders to, and every field is described there."""

import pytest
from check_events import violations

from tck.check import story
from tck.check.properties import PROPERTIES


@pytest.fixture
def finding(log):
    """One message received, recovered and received again, both times with JMSXDeliveryCount 1."""
    session = log.session(mode=2)
    producer, consumer = log.producer(session), log.consumer(session)
    sent = log.send(producer)
    log.receive(consumer, session, sent)
    log.call(session, "Session.recover", session)
    log.receive(consumer, session, sent, again=1, count=1)
    (found,) = violations(log)["count-rises"]
    return found


def test_the_worked_example_is_the_story_of_that_property(finding):
    manual = " ".join(story.__doc__.split())
    assert " ".join(PROPERTIES["count-rises"].story.split()) in manual
    assert finding.text in manual


def test_a_finding_cites_the_events_that_its_text_names(finding):
    assert all(f"(event {number})" in finding.text for number in finding.cites)
    assert len(finding.cites) == finding.text.count("(event ")


def test_each_field_is_described():
    fields = {name.removeprefix("_field_") for name in dir(story.StoryFields) if name.startswith("_field_")}
    assert fields
    assert {name for name in fields if f"`{name}`" not in story.__doc__} == set()
