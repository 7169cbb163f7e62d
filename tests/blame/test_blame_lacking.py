"""Which observations are about the lack of a call."""

import pytest

from tck import api
from tck.blame.lacking import _named

SHARED = api.IllegalStateException("not supported by a TopicSession")
DELAY = api.UnsupportedOperationException("setDeliveryDelay() is not supported")


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        (["the call raised IllegalStateException: not supported by a TopicSession"], SHARED),
        (["commit() raised IllegalStateException: the session is closed"], None),
        (["the first was 'raises UnsupportedOperationException'"], DELAY),
        (["a raised UnsupportedOperationException: x; b returned 1"], None),
        ([], None),
    ],
)
def test_an_observation_is_about_a_lack_if_each_part_of_it_is(texts, found):
    assert _named([SHARED, DELAY], texts) is found
