"""Calls that had not returned when their case was cut: which of them may still wait."""

import pytest

from tck.adapters.recording import OpenCall
from tck.blame.refusals import within_limit

SECOND = 1_000_000_000


class Clock:
    """A clock that shows ten seconds."""

    def __init__(self, *, virtual):
        self.virtual = virtual

    def monotonic_ns(self):
        return 10 * SECOND


@pytest.mark.parametrize(
    ("op", "arguments", "virtual", "waits"),
    [
        ("MessageConsumer.receive", (5_000,), False, True),
        ("JMSConsumer.receive_body", (str, 5_000), False, True),
        ("MessageConsumer.receive", (3_000,), False, False),
        ("MessageConsumer.receive", (5_000,), True, False),
        ("MessageConsumer.receive", (), False, False),
        ("MessageProducer.priority", (5_000,), False, False),
    ],
)
def test_a_receive_does_not_hang_before_its_timeout(op, arguments, virtual, waits):
    call = OpenCall(1, op, "consumer", "main", 6 * SECOND, True, arguments)
    assert within_limit(call, Clock(virtual=virtual)) is waits
