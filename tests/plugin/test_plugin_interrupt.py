"""^C, also where foreign code swallows it."""

import contextlib
import signal

import pytest

from tck.plugin.interrupt import Interrupts


@pytest.fixture
def interrupts():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    made = Interrupts()
    yield made
    made.restore()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_is_raised_where_it_comes(interrupts):
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_that_was_swallowed_is_asked_for_again(interrupts):
    interrupts.check()
    with contextlib.suppress(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        interrupts.check()


def test_a_handler_of_somebody_else_stays():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        Interrupts().restore()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
