"""Old versions of the provider: what came later is refused, at the newest nothing is, and 3.1 keeps its own classes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import get_args

import pytest

from reference_provider.adapter import open_provider
from reference_provider.messages import Version
from reference_provider.provider import ReferenceProvider
from reference_provider.versions.members import SINCE, is_whole, missing, reaches
from tck import api
from tck.running.connecting import refusal_to_connect

VERSIONS = get_args(Version)
OLD = [version for version in VERSIONS if not is_whole(version)]


@contextlib.contextmanager
def played(version, folder) -> Iterator[ReferenceProvider]:
    with open_provider({"clock": "virtual", "version": version}, folder) as provider:
        yield provider


def _objects(provider) -> Iterator[object]:
    """Yield the objects of both domains that every version has, and a message that was received."""
    for domain, factory in (
        ("queue", provider.queue_connection_factory()),
        ("topic", provider.topic_connection_factory()),
    ):
        connection = getattr(factory, f"create_{domain}_connection")()
        session = getattr(connection, f"create_{domain}_session")(False, api.Session.AUTO_ACKNOWLEDGE)
        place = getattr(provider, f"create_{domain}")(domain)
        consumer = getattr(session, {"queue": "create_receiver", "topic": "create_subscriber"}[domain])(place)
        producer = getattr(session, {"queue": "create_sender", "topic": "create_publisher"}[domain])(place)
        connection.start()
        getattr(producer, {"queue": "send", "topic": "publish"}[domain])(session.create_bytes_message())
        message = consumer.receive(1000)
        yield from (factory, connection, connection.meta_data, session, consumer, producer, message)


def _use(target, member):
    """Read a property, or call a method."""
    getattr(target, member)()


@pytest.mark.parametrize("version", OLD)
def test_every_object_refuses_each_member_that_came_later(version, tmp_path):
    refused = 0
    with played(version, tmp_path) as provider:
        for each in _objects(provider):
            for member, first in missing(type(each), version):
                wanted = rf"\.{member} came with JMS {first}; this provider plays {version}"
                with pytest.raises(api.UnsupportedOperationException, match=wanted):
                    _use(each, member)
                refused += 1
    assert refused > 10


@pytest.mark.parametrize("version", [version for version in VERSIONS if is_whole(version)])
def test_a_version_with_every_member_has_the_classes_of_the_newest(version, tmp_path):
    with played(version, tmp_path) as provider:
        assert type(provider) is ReferenceProvider
        assert not any(hasattr(type(each), "PLAYS") for each in _objects(provider))


@pytest.mark.parametrize("version", OLD)
def test_objects_of_an_old_version_are_all_of_that_version(version, tmp_path):
    with played(version, tmp_path) as provider:
        assert {type(each).PLAYS for each in _objects(provider)} == {version}
        assert provider.queue_connection_factory() == provider.queue_connection_factory()
        provider.bind("factory", provider.queue_connection_factory())
        assert provider.lookup("factory") == provider.queue_connection_factory()


def test_the_table_names_members_of_the_types():
    for kind, members in SINCE.items():
        for member in members:
            assert member in vars(kind), f"{kind.__name__} declares no {member}"


def test_what_a_subtype_declares_is_as_old_as_there():
    assert "create_browser" in dict(missing(api.Session, "1.0"))
    assert "create_browser" not in dict(missing(api.QueueSession, "1.0"))
    assert dict(missing(api.TopicPublisher, "1.0.2b"))["send"] == "1.1"


def test_an_old_version_does_not_count_deliveries(tmp_path):
    with played("1.1", tmp_path) as provider:
        *_, meta_data, _, _, _, message = _objects(provider)
        assert "JMSXDeliveryCount" not in {*meta_data.get_jmsx_property_names(), *message.get_property_names()}
        assert not message.property_exists("JMSXDeliveryCount")


def test_a_session_needs_both_arguments_before_2_0(tmp_path):
    with played("1.1", tmp_path) as provider:
        connection = provider.connection_factory().create_connection()
        for given in ({}, {"session_mode": 1}, {"transacted": False}):
            with pytest.raises(api.UnsupportedOperationException, match=r"came with JMS 2\.0"):
                connection.create_session(**given)
        session = connection.create_session(transacted=False, session_mode=api.Session.AUTO_ACKNOWLEDGE)
        assert session.acknowledge_mode == api.Session.AUTO_ACKNOWLEDGE


def test_an_old_version_sends_no_message_asynchronously(tmp_path):
    class Listener(api.CompletionListener):
        def on_completion(self, message): ...

        def on_exception(self, message, exception): ...

    with played("1.1", tmp_path) as provider:
        session = provider.connection_factory().create_connection().create_session(transacted=False, session_mode=1)
        queue = provider.create_queue("q")
        with pytest.raises(api.UnsupportedOperationException, match=r"CompletionListener came with JMS 2\.0"):
            session.create_producer(queue).send(session.create_message(), completion_listener=Listener())
        assert provider.pending(queue) == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_the_probe_of_a_run_tells_whether_a_version_is_there(version, tmp_path):
    with played(version, tmp_path) as provider:
        assert refusal_to_connect(provider) is None
        provider.close()
        assert refusal_to_connect(provider) is not None


def test_versions_are_compared_by_age():
    assert reaches("2.0", "1.1")
    assert reaches("1.1", "1.1")
    assert not reaches("1.0.2b", "1.1")
