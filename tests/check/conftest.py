"""An empty log of events for each test."""

import pytest
from check_events import Log


@pytest.fixture
def log():
    return Log()
