"""Uses of a call that a profile can disclaim have names of their own, and only they."""

import pytest

from tck.api import Session
from tck.api.values import OMITTED
from tck.blame.refusals import used

AUTO, TRANSACTED = Session.AUTO_ACKNOWLEDGE, Session.SESSION_TRANSACTED


@pytest.mark.parametrize(
    ("call", "passed", "name"),
    [
        ("Connection.create_session", (True, AUTO), "Connection.create_session(transacted)"),
        ("Connection.create_session", (OMITTED, TRANSACTED), "Connection.create_session(transacted)"),
        ("QueueConnection.create_queue_session", (True, AUTO), "QueueConnection.create_queue_session(transacted)"),
        ("Connection.create_session", (False, AUTO), "Connection.create_session"),
        ("Connection.create_session", (), "Connection.create_session"),
        ("Session.create_consumer", ("queue", "n = 1"), "Session.create_consumer(selector)"),
        ("QueueSession.create_receiver", ("queue", "n = 1"), "QueueSession.create_receiver(selector)"),
        ("Session.create_consumer", ("queue", None), "Session.create_consumer"),
        ("Session.create_consumer", ("queue", OMITTED, OMITTED), "Session.create_consumer"),
        ("Session.create_producer", ("queue", "n = 1"), "Session.create_producer"),
    ],
)
def test_a_use_has_a_name_of_its_own(call, passed, name):
    assert used(call, passed) == name
