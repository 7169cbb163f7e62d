"""Keeps what a broken provider logs to itself."""

import logging

import pytest


@pytest.fixture(autouse=True)
def _quiet():
    logging.getLogger("reference_provider").setLevel(logging.CRITICAL)
    yield
    logging.getLogger("reference_provider").setLevel(logging.NOTSET)
