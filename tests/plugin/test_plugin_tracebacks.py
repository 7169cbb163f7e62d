"""Exceptions that come at an instruction without a line, as ^C may."""

import pytest

from tck.plugin.tracebacks import leave_out_lineless


def interrupted():
    raise KeyboardInterrupt


def lineless():
    interrupted()


# entries of eight instructions each that have no location
lineless.__code__ = lineless.__code__.replace(co_linetable=bytes([0xFF]) * len(lineless.__code__.co_code))


def test_an_entry_without_a_line_is_left_out():
    with pytest.raises(KeyboardInterrupt) as raised:
        lineless()
    leave_out_lineless(raised)
    assert [entry.name for entry in raised.traceback] == ["test_an_entry_without_a_line_is_left_out", "interrupted"]
    assert "raise KeyboardInterrupt" in str(raised.getrepr(funcargs=True))


def test_a_traceback_with_all_its_lines_stays():
    with pytest.raises(KeyboardInterrupt) as raised:
        interrupted()
    before = raised.traceback
    leave_out_lineless(raised)
    assert raised.traceback is before


LINELESS = """
def lineless(error):
    raise error


# entries of eight instructions each that have no location
lineless.__code__ = lineless.__code__.replace(co_linetable=bytes([0xFF]) * len(lineless.__code__.co_code))


@asserts("3.4.8-1", domain=("queue",), api=("classic",))
def test_lineless(case):
    lineless({error})
"""


def test_an_interrupt_without_a_line_ends_the_run_as_interrupted(run_suite):
    ran = run_suite(LINELESS.format(error="KeyboardInterrupt()"))
    assert (ran.exit, ran.bundle.end.exit) == (2, 2), ran.output
    assert "fault of the kit" not in ran.output


def test_an_error_without_a_line_is_judged(run_suite):
    ran = run_suite(LINELESS.format(error='ValueError("x")'))
    assert ran.outcomes() == {"3.4.8-1/queue/classic/auto": "error"}, ran.output
    assert "INTERNALERROR" not in ran.output
