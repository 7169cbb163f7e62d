"""Opening a provider: the adapter that works, and every way in which one does not."""

import sys

import pytest

from tck.adapters.jvm import machine
from tck.adapters.opening import leave_with, open_provider
from tck.catalogue import load_catalogue
from tck.profile import AdapterError, ProviderUnreachable, load_profile

CATALOGUE = load_catalogue()
ADAPTER = """
from tck.api.spi import Provider


class Mine(Provider):
    def __init__(self, settings, work_dir):
        self.given = (dict(settings), work_dir)

    def info(self): ...
    def connection_factory(self): ...
    def create_queue(self, name): ...
    def create_topic(self, name): ...
    def drop(self, destination): ...
    def close(self): ...


def open_provider(settings, work_dir):
    return Mine(settings, work_dir)


def open_nothing(settings, work_dir):
    return None


def open_text(settings, work_dir):
    return "text"


def open_without_directory(settings):
    return None


def open_interrupted(settings, work_dir):
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as interrupt:
        raise RuntimeError("Error calling __set_name__") from interrupt


def open_unreachable(settings, work_dir):
    raise ConnectionRefusedError(111, "Connection refused")


def open_silent(settings, work_dir):
    raise RuntimeError


def open_badly(settings, work_dir):
    return settings["no such setting"]


class Inner:
    open = staticmethod(open_provider)


number = 7
"""


@pytest.fixture
def opened(tmp_path, monkeypatch):
    """Open the target of a profile that lies beside an adapter module of a fresh name."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    name = f"adapter_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(ADAPTER, encoding="utf-8")

    def open_target(target, kind="python"):
        file = tmp_path / "mine.toml"
        file.write_text(
            f'[profile]\nname = "mine"\ntitle = "Mine"\n[adapter]\nkind = "{kind}"\ntarget = "{target.replace("mine:", f"{name}:")}"\n'
            '[adapter.settings]\nurl = "x"\n[claims]\nversion = "3.1"\n',
            encoding="utf-8",
        )
        return open_provider(load_profile(file, CATALOGUE), tmp_path / "work")

    yield open_target
    sys.modules.pop(name, None)


def test_a_module_beside_the_profile_is_an_adapter(opened, tmp_path):
    assert opened("mine:open_provider").given == ({"url": "x"}, tmp_path / "work")


def test_an_interruption_that_was_wrapped_is_one(opened):
    with pytest.raises(KeyboardInterrupt):
        opened("mine:open_interrupted")


def test_a_target_may_be_an_attribute_of_a_class(opened):
    assert opened("mine:Inner.open").given[0] == {"url": "x"}


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nowhere_at_all.adapter:open", r"there is no module nowhere_at_all, neither on the import path nor in "),
        ("json.nowhere:open", r"there is no module json\.nowhere, neither on the import path"),
        ("mine:opn_provider", r"has no opn_provider; it has Inner, Mine, Provider, open_badly"),
        ("mine:number", r"is an object of type builtins\.int and cannot be called"),
        ("mine:open_nothing", r"returned None; an adapter returns a tck\.api\.Provider"),
        ("mine:open_text", r"returned an object of type builtins\.str; an adapter returns"),
        ("mine:open_without_directory", r"takes \(settings\), too many positional arguments; expected open_provider\("),
    ],
)
def test_a_target_that_is_no_adapter_is_reported(opened, target, message):
    with pytest.raises(AdapterError, match=message) as caught:
        opened(target)
    assert not isinstance(caught.value, ProviderUnreachable)
    assert str(caught.value).startswith("profile mine (")
    assert "target" in str(caught.value)


def test_a_module_that_needs_another_is_distinguished_from_a_missing_one(opened, tmp_path):
    (tmp_path / "needy_adapter.py").write_text("import nowhere_at_all\n", encoding="utf-8")
    with pytest.raises(AdapterError, match="the module needs nowhere_at_all, which is not installed"):
        opened("needy_adapter:open_provider")


def test_a_module_that_fails_is_reported(opened, tmp_path):
    (tmp_path / "failing_adapter.py").write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(AdapterError, match="the module cannot be imported: ZeroDivisionError: division by zero"):
        opened("failing_adapter:open_provider")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (
            "mine:open_unreachable",
            r"could not be opened: ConnectionRefusedError: \[Errno 111\] Connection refused; check that it runs",
        ),
        ("mine:open_silent", r"could not be opened: RuntimeError; check"),
        ("mine:open_badly", r"could not be opened: KeyError: 'no such setting'; check"),
    ],
)
def test_what_opening_raises_means_unreachable(opened, target, message):
    with pytest.raises(ProviderUnreachable, match=message) as caught:
        opened(target)
    assert caught.value.__cause__ is not None


def test_a_process_that_leaves_java_threads_behind_ends_with_the_code_of_the_run(monkeypatch):
    monkeypatch.setattr(machine, "_exit_status", 3)
    leave_with(1)
    assert machine._exit_status == 1
