"""What inside.py and inside_faults.py work on: the provider that JVM_PROFILE names, opened once for a process."""

import itertools
import os

import pytest
from jvm_foreign import Colour, Order
from jvm_watched import EARLY, MADE, watch

from tck import api
from tck.adapters.opening import check_adapter, open_provider
from tck.profile import load_profile

NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def jars():
    """Fill the cache first: a download is announced on stderr, which tests compare with what else is said there."""
    for name in ("artemis", "activemq", "activemq5", "activemq5-jms11", "activemq5-on-artemis", "openmq", "qpid"):
        check_adapter(load_profile(name))


@pytest.fixture(scope="session")
def provider(tmp_path_factory):
    profile = load_profile(os.environ["JVM_PROFILE"])
    check_adapter(profile)
    watch("javax.transaction.xa.Xid")
    with open_provider(profile, tmp_path_factory.mktemp("broker")) as made:
        EARLY.extend(MADE)
        made.register_types(Order, Colour)
        yield made


@pytest.fixture
def connection(provider):
    with provider.connection_factory().create_connection() as made:
        made.start()
        yield made


@pytest.fixture
def session(connection):
    return connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)


@pytest.fixture
def queue(provider):
    made = provider.create_queue(f"q{next(NUMBERS)}")
    yield made
    provider.drop(made)
