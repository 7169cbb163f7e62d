"""3.8.1.3 Special notes on selectors: delivery modes, times, decimal points, comments."""

from __future__ import annotations

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.selectors import Samples, chosen

MODES: Samples = {
    "kept": {"JMSDeliveryMode": api.DeliveryMode.PERSISTENT},
    "lost": {"JMSDeliveryMode": api.DeliveryMode.NON_PERSISTENT},
}


@asserts("3.8.1.3-1")
def test_delivery_mode_is_one_of_two_words(case: Case) -> None:
    """JMSDeliveryMode is 'PERSISTENT' or 'NON_PERSISTENT' in comparisons, lists and patterns."""
    wanted = {
        "JMSDeliveryMode = 'PERSISTENT'": "kept",
        "JMSDeliveryMode <> 'PERSISTENT'": "lost",
        "JMSDeliveryMode IN ('NON_PERSISTENT')": "lost",
        "JMSDeliveryMode IN ('PERSISTENT', 'NON_PERSISTENT')": "kept lost",
        "JMSDeliveryMode LIKE 'PERS%'": "kept",
    }
    expect.equal("messages chosen", chosen(case, MODES, wanted, fenced=True), wanted)


@asserts("3.8.1.3-2")
def test_delivery_mode_is_no_number(case: Case) -> None:
    """JMSDeliveryMode does not equal the constants of the interface."""
    wanted = {
        "JMSDeliveryMode = 2": "",
        "JMSDeliveryMode = 1": "",
        "JMSDeliveryMode > 0": "",
        "n = 1": "kept lost",
    }
    samples: Samples = {name: {"n": 1, **sample} for name, sample in MODES.items()}
    expect.equal("messages chosen", chosen(case, samples, wanted, fenced=True), wanted)


@asserts("3.8.1.3-3")
def test_times_are_written_in_milliseconds(case: Case) -> None:
    """A time of thirteen digits compares with a long property and with JMSTimestamp."""
    now = 1_763_740_800_000
    samples: Samples = {
        "before": {"at": api.Long(now - 1)},
        "then": {"at": api.Long(now)},
        "after": {"at": api.Long(now + 1)},
    }
    low, high = case.now() - 3_600_000, case.now() + 3_600_000
    wanted = {
        f"at = {now}": "then",
        f"at > {now}": "after",
        f"at BETWEEN {now - 1} AND {now}": "before then",
        f"JMSTimestamp BETWEEN {low} AND {high} AND at = {now}": "then",
        f"JMSTimestamp > {high} AND at > 0": "",
    }
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)


@asserts("3.8.1.3-4")
def test_a_decimal_point_means_double(case: Case) -> None:
    """Fractions are computed as double, not as decimals."""
    samples: Samples = {"one": {"n": 1}}
    wanted = {"0.1 + 0.2 = 0.3": "", "0.5 + 0.25 = 0.75": "one", "0.1 + 0.2 > 0.3": "one", "0.1 * 3 = 0.3": ""}
    expect.equal("messages chosen", chosen(case, samples, wanted), wanted)
