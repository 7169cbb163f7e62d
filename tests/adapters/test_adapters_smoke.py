"""The smoke check passes a sound adapter and tells what is wrong with any other, step by step."""

import threading

import pytest
from adapters_toy import ToyConsumer, ToyFactory, ToyProvider, ToyQueue, ToySession

from tck import api
from tck.adapters.smoke import INTERFACES, SIMPLIFIED, smoke
from tck.catalogue.versions import offers


def by_name(provider, **options):
    return {result.name: result for result in smoke(provider, **options)}


def failing(provider):
    return {name: result.seen for name, result in by_name(provider).items() if not result.ok}


def test_the_reference_provider_passes(tmp_path):
    module = pytest.importorskip("reference_provider.adapter")
    with module.open_provider({}, tmp_path) as provider:
        assert [result.line for result in smoke(provider) if not result.ok] == []


@pytest.mark.parametrize("version", ["1.0", "1.0.2b", "1.1", "2.0"])
def test_an_old_version_passes_by_the_interfaces_that_it_has_and_by_no_later_one(version, tmp_path):
    module = pytest.importorskip("reference_provider.adapter")
    had = frozenset(each for each in INTERFACES if offers(version, each))
    with module.open_provider({"version": version}, tmp_path) as provider:
        assert [result.line for result in smoke(provider, interfaces=had) if not result.ok] == []
        if had != INTERFACES:
            assert {result.name for result in smoke(provider) if not result.ok} >= {SIMPLIFIED}


def test_without_the_common_interfaces_they_are_not_called():
    class Factory(ToyFactory):
        def create_connection(self, user_name=api.OMITTED, password=api.OMITTED):
            raise AssertionError("the common interface was used")

    provider = ToyProvider()
    provider.factory = Factory(provider)
    seen = {each.name: each.seen for each in smoke(provider, interfaces=frozenset({"domain-specific"}))}
    assert "the common interface was used" not in seen["queue round trip"]
    assert SIMPLIFIED not in seen
    assert failing(provider)["queue round trip"] == "AssertionError: the common interface was used"


def test_the_toy_fails_where_it_is_unfinished_and_nowhere_else():
    results = by_name(ToyProvider())
    assert {name for name, result in results.items() if not result.ok} == {"types", "exceptions"}
    assert "the toy has no create_message" in results["types"].seen
    assert results["types"].line.startswith("FAIL  types: expected objects whose classes derive from")
    assert results["types"].line.endswith("Derive the class from that type.")
    assert "\n" not in "".join(result.line for result in results.values())


def test_a_type_that_is_not_ours():
    class Provider(ToyProvider):
        def create_queue(self, name):
            return name

    assert failing(Provider())["destinations"] == "str from create_queue, which does not derive from tck.api.Queue"


def test_names_that_are_not_kept_apart():
    class Provider(ToyProvider):
        def create_queue(self, name):
            return self.queues.setdefault("same", ToyQueue("same"))

    seen = failing(Provider())
    assert seen["destinations"] == "the same name 'same' for two destinations"
    assert seen["destinations are apart"] == "'for one' on the other queue"


def test_a_hook_without_its_method():
    class Provider(ToyProvider):
        hooks = frozenset({api.Hook.RESTART})

    assert failing(Provider())["hooks"] == "hook 'restart' without a method restart"


def test_a_clock_hook_with_a_real_clock():
    class Provider(ToyProvider):
        hooks = frozenset({api.Hook.CLOCK})

    assert failing(Provider())["hooks"] == "hook 'clock' with a clock that is not virtual"


def test_a_clock_that_stands_still():
    class Clock(api.SystemClock):
        def monotonic_ns(self):
            return 1_000_000_000

    class Provider(ToyProvider):
        clock = Clock()

    assert failing(Provider())["clock"] == "monotonic_ns that stood still or went back"


def test_an_exception_of_the_providers_own():
    class Session(ToySession):
        def create_consumer(self, destination, message_selector=api.OMITTED, no_local=api.OMITTED):
            if message_selector is not api.OMITTED:
                raise KeyError(message_selector)
            return ToyConsumer(destination)

    class Factory(ToyFactory):
        def create_connection(self, user_name=api.OMITTED, password=api.OMITTED):
            connection = super().create_connection()
            connection.create_session = lambda **_: Session(self.provider, connection)
            return connection

    provider = ToyProvider()
    provider.factory = Factory(provider)
    assert failing(provider)["exceptions"] == "KeyError for an invalid selector instead of InvalidSelectorException"


def test_a_destination_that_is_gone_is_no_error():
    class Provider(ToyProvider):
        def drop(self, destination):
            del self.queues[destination.name]

    assert failing(Provider())["drop"].startswith("KeyError: ")


def test_an_adapter_that_hangs_does_not_hang_the_check():
    released = threading.Event()

    class Provider(ToyProvider):
        def info(self):
            released.wait(60)

    result = by_name(Provider(), deadline=0.3)["info"]
    released.set()
    assert result.seen.startswith("no return within 0.3 seconds, in ")
    assert "Provider.info (test_adapters_smoke.py:" in result.seen


def test_an_adapter_that_raises_everywhere_gets_an_answer_to_every_step():
    class Provider(ToyProvider):
        def connection_factory(self):
            raise api.JMSException("unreachable")

    results = by_name(Provider())
    assert len(results) == 12
    assert results["queue round trip"].seen == "tck.api.JMSException: unreachable"
