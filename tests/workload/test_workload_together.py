"""Mistakes in the keys of plans that act at one instant."""

import pytest
from test_workload_plans import GOOD, refused


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ('session = "xa"\ntogether = true', "consumer.together: not with an XA session"),
        ('[[browser]]\nname = "b"\nfrom = "q"\nafter = "p"', '"p" is not a producer with session = "transacted"'),
        ('[[producer]]\nname = "s"\nto = ["q"]\napi = "simplified"\ncloses = "session"', "a context has one close"),
        (
            '[[producer]]\nname = "x"\nto = ["q"]\nsession = "xa"\nlifetime = [9]',
            "producer.lifetime: not with an XA session",
        ),
    ],
)
def test_a_mistake_is_answered_with_key_and_remedy(extra, words, tmp_path):
    refused(tmp_path, GOOD + extra + "\n", None, words)
