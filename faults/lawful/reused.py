"""Saboteurs of SHOULD and MAY rows which break nothing else: the same change, as a lawful provider."""

from faults.composing.circumstances import ODD_MESSAGES, Under
from faults.kit import *
from faults.kit.declaring import BROAD

_NAMES = {
    "3.4.3-5": "message-identifiers-again",
    "3.4.9-6": "expired-kept",
    "3.4.9-7": "expired-delivered-to-open-consumers",
    "3.4.10-4": "priority-ignored",
    "5.1-5": "factories-keep-connections",
    "5.1-6": "lookups-connect",
    "5.1-7": "lookups-create",
    "5.1-8": "lookups-start-threads",
    "6.1.2-7": "late-identifier-taken-after-start",
    "6.1.2-8": "late-identifier-taken-after-listener",
    "6.1.2-9": "identifier-set-twice",
    "6.1.2-10": "late-identifier-taken-by-used-contexts",
    "6.1.2-13": "identifier-in-use-accepted",
    "6.1.7-9": "loss-reported-before-repair",
    "6.1.8-10": "close-waits-for-one-listener",
    "6.1.8-11": "close-before-receives-return",
    "6.2.15-6": "session-close-before-receives-return",
    "7.3.2-1": "null-reported-by-callback",
    "7.3.4-7": "outstanding-sends-fail-at-close",
    "7.4-13": "priority-out-of-range-accepted",
    "7.8-6": "expiry-by-the-minute",
    "7.9-11": "life-from-delivery-time",
    "7.10-5": "producers-limited",
    "10.2-7": "cause-not-linked",
    "10.3-14": "wrong-time-plainly-reported",
    "10.3-44": "no-resources-plainly-reported",
    "10.3-45": "no-resources-plainly-reported-by-contexts",
    "11.3.5-14": "failure-flag-ignored",
}
_WITH = {"3.4.10-4": ("3.4.10-5", "6.2.9.2-1"), "3.4.9-7": ("7.8-7",), "10.3-14": ("10.3-4",)}

_SPARING = {"3.4.9-6", "3.4.9-7"}
"""Rows of expiry: to ignore all times to live would break 7.8-4."""


def _sparing(install):
    return lambda patch: install(Under(patch, ODD_MESSAGES))


for _row, _name in _NAMES.items():  # `faults.finding` loads the chapters first
    _found = FOUND[BROAD][_row]
    _spares = _row in _SPARING
    _install = _sparing(_found.install) if _spares else _found.install
    _title = f"{_found.title}, each second one" if _spares else _found.title
    lawful(_name, _title, _row, *_WITH.get(_row, ()), settings=_found.settings)(_install)
