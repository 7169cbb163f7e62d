"""6.1.6 Connection metadata."""

from __future__ import annotations

import re
from typing import Any

from tck import api
from tck.suite.support import Case, asserts, expect
from tck.suite.support.lifecycle.unstarted import unstarted


def _meta_data(case: Case) -> list[tuple[str, api.ConnectionMetaData]]:
    """Return the metadata of connections in several states, each with words for it."""
    fresh, started, stopped = unstarted(case), case.client(), case.link().client
    stopped.stop()
    clients = {"not started": fresh, "started": started, "stopped": stopped, "with another session": started.peer()}
    return [(f"of a connection, {words}", client.connection.meta_data) for words, client in clients.items()]


def _text(what: str, text: object) -> None:
    """Demand a text that is not empty."""
    expect.true(f"{what} is a text", isinstance(text, str) and text.strip(), f"it was {text!r}")


@asserts("6.1.6-1")
def test_a_connection_has_metadata(case: Case) -> None:
    """getMetaData() returns an object whose getters answer: not started, started, stopped, of a further session or context."""
    with expect.all_of():
        for of, data in _meta_data(case):
            expect.true(f"the metadata {of} exist", data is not None, "getMetaData() returned null")
            if data is not None:
                _text(f"the name of the provider {of}", data.jms_provider_name)


@asserts("6.1.6-2")
def test_the_metadata_name_the_version_of_the_specification(case: Case) -> None:
    """getJMSVersion() begins with the numbers of the version that the provider claims, or plays in a run of another tier."""
    adapter = case.profile.adapter
    played = adapter.settings.get(adapter.tier_setting or "")
    claimed = _numbers(str(played or case.profile.claims.version))
    with expect.all_of():
        for of, data in _meta_data(case):
            expect.equal(f"the numbers in getJMSVersion() {of}", _numbers(data.jms_version), claimed)


@asserts("6.1.6-3")
def test_the_version_of_the_specification_agrees_with_its_numbers(case: Case) -> None:
    """getJMSMajorVersion() and getJMSMinorVersion() are the first two numbers in getJMSVersion()."""
    with expect.all_of():
        for of, data in _meta_data(case):
            seen: list[Any] = [data.jms_major_version, data.jms_minor_version]
            expect.equal(f"the major and the minor version {of}", seen, _numbers(data.jms_version))


@asserts("6.1.6-4")
def test_the_metadata_name_the_provider(case: Case) -> None:
    """getJMSProviderName() is a text, the same for each connection."""
    names = [data.jms_provider_name for _, data in _meta_data(case)]
    with expect.all_of():
        for name in names:
            _text("the name of the provider", name)
        expect.equal("the names of the provider", names, names[:1] * len(names))


@asserts("6.1.6-5")
def test_the_metadata_name_the_version_of_the_provider(case: Case) -> None:
    """getProviderVersion() is a text, the same for each connection."""
    versions = [data.provider_version for _, data in _meta_data(case)]
    with expect.all_of():
        for version in versions:
            _text("the version of the provider", version)
        expect.equal("the versions of the provider", versions, versions[:1] * len(versions))


@asserts("6.1.6-6")
def test_the_version_of_the_provider_agrees_with_its_numbers(case: Case) -> None:
    """getProviderMajorVersion() and getProviderMinorVersion() are the leading numbers in getProviderVersion(), if it has such."""
    with expect.all_of():
        for of, data in _meta_data(case):
            _text(f"the version of the provider {of}", data.provider_version)
            seen: list[Any] = [data.provider_major_version, data.provider_minor_version]
            wanted = _numbers(data.provider_version)
            expect.equal(f"the numbers of the provider's version {of}", seen[: len(wanted)], wanted)


def _numbers(version: str) -> list[int]:
    """Return the one or two numbers, separated by a full stop, that a version begins with."""
    found = re.match(r"\s*[vV]?(\d+)(?:\.(\d+))?", version or "")
    return [int(number) for number in found.groups() if number is not None] if found else []


@asserts("6.1.6-8")
def test_the_metadata_list_only_jmsx_names(case: Case) -> None:
    """Each name that getJMSXPropertyNames() lists begins with JMSX, also when a message with other properties was sent."""
    link = case.link()
    message = link.text("x")
    message.set_string_property("colour", "red")
    link.send(message)
    expect.arrives(link, ["x"])
    with expect.all_of():
        for of, data in (*_meta_data(case), ("of a connection in use", link.client.connection.meta_data)):
            names = [str(name) for name in data.get_jmsx_property_names()]
            expect.true(f"there are names {of}", names, "the list was empty")
            others = [name for name in names if not name.startswith("JMSX")]
            expect.equal(f"names without the prefix {of}", others, [])
