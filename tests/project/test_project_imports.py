"""The import contracts in pyproject.toml: each holds, and each one bites."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from project_support import ROOT, modules, read

LINT = "from importlinter.cli import lint_imports_command as command; command()"
PACKAGES = ("tck", "reference_provider", "reference_interworking", "faults", "reports", "benchmarks")
CONTRACTS = {entry["id"]: entry for entry in tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]}

ANNOTATION = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import {}"
MODULE = re.compile(r"tck\.(\w+)[\w.]*(?::[\w.]+)?")
"""A module of a room of the kit, also with a name in it."""
LATE = "def late():\n    import {}"
VIOLATIONS = [
    # contract, module (made if it is not there), what is added to it
    ("rooms", "tck/catalogue/model.py", "import tck.profile"),
    ("rooms", "tck/profile/loader.py", LATE.format("tck.adapters.opening")),
    ("rooms", "tck/record/rows.py", "import tck.suite.support"),
    ("rooms", "tck/plugin/state.py", "import tck.cli.support.console"),
    ("rooms", "tck/suite/support/values/seen.py", "import tck.reports"),
    ("rooms", "tck/running/worker.py", "import tck.plugin.state"),
    ("rooms", "tck/blame/trials.py", "import tck.running.attempt"),
    ("rooms", "tck/suite/support/values/seen.py", LATE.format("tck.blame.causes")),
    ("rooms", "tck/detection/detect.py", "import tck.running.process"),
    ("rooms", "tck/processes.py", ANNOTATION.format("tck.record")),
    ("rooms", "tck/new_room/__init__.py", '"""A room without a place among the layers."""'),
    ("circles", "tck/adapters/recording/facts.py", "import tck.adapters.recording.recorder"),
    ("circles", "tck/adapters/jvm/wrappers.py", ANNOTATION.format("tck.adapters.jvm.binding")),
    ("circles", "tck/record/lines.py", LATE.format("tck.record.reader")),
    ("api", "tck/api/values.py", "import tck.record"),
    ("api", "tck/api/values.py", "import tck.workload.model"),
    ("api", "tck/api/values.py", "import reference_provider.adapter"),
    ("provider", "reference_provider/naming.py", "import tck.profile"),
    ("provider", "reference_provider/naming.py", "import tck.workload.model"),
    ("provider", "reference_provider/naming.py", "import tck.processes"),
    ("provider-unknown", "tck/cli/run_command.py", "import reference_provider.adapter"),
    ("provider-unknown", "tck/running/worker.py", LATE.format("reference_provider.adapter")),
    ("reports", "reports/read.py", "import tck.profile"),
    ("reports", "reports/read.py", "import tck.running.options"),
    ("explore", "tck/explore/shrinking.py", "import tck.suite.support"),
    ("programs", "tck/programs/state/state.py", "import tck.programs.observing.look"),
    ("rooms", "tck/programs/runner.py", "import tck.explore.shrinking"),
    ("running", "tck/plugin/summary.py", LATE.format("tck.reports.html")),
    ("judges", "tck/check/results.py", "import tck.record"),
    ("judges", "tck/catalogue/model.py", "import tck.processes"),
    ("bridge", "reference_interworking/names.py", "import tck.profile"),
    ("bridge", "reference_interworking/names.py", "import reference_provider.adapter"),
    ("bridge-unknown", "tck/running/worker.py", LATE.format("reference_interworking.bridge.converter")),
    ("wing", "reference_interworking/etcl/errors.py", "import reference_interworking.channel.core"),
    ("bridge-circles", "reference_interworking/values.py", "import reference_interworking.names"),
    ("benchmarks-circles", "benchmarks/storage/storage_media.py", "import benchmarks.reliability.crash"),
    ("vocabulary", "tck/suite/support/values/seen.py", "import tck.suite.support.clients.link"),
    ("provider-rooms", "reference_provider/store/commit.py", "import reference_provider.messages"),
    ("provider-rooms", "reference_provider/broker/broker.py", "import reference_provider.client.sessions"),
    ("faults", "tck/detection/judge.py", "import faults"),
    ("faults", "reference_provider/provider.py", LATE.format("faults")),
    ("provider-rooms", "reference_provider/new_room/__init__.py", '"""A room without a place among the layers."""'),
    ("provider-circles", "reference_provider/server.py", "import reference_provider.client.connections"),
    (
        "provider-circles",
        "reference_provider/broker/fanout.py",
        ANNOTATION.format("reference_provider.broker.physical_destinations"),
    ),
]


def lint(folder, *options):
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", *options],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PYTHONPATH": str(folder), "COLUMNS": "200", "PATH": "/usr/bin:/bin"},
    )


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the code, to be broken."""
    folder = tmp_path_factory.mktemp("copied")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for path in modules(*PACKAGES):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    (folder / "tck" / "reports").symlink_to(Path("..") / "reports")
    return folder


def test_the_contracts_hold(copied):
    done = lint(copied)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in done.stdout


def test_each_contract_has_a_violation_to_catch():
    assert {id_ for id_, _, _ in VIOLATIONS} == set(CONTRACTS)


@pytest.mark.slow
@pytest.mark.parametrize(("contract", "module", "line"), VIOLATIONS)
def test_a_violation_is_caught(copied, contract, module, line):
    path = copied / module
    before = path.read_text(encoding="utf-8") if path.exists() else None
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{before or ''}\n{line}\n", encoding="utf-8")
    try:
        done = lint(copied, "--contract", contract)
    finally:
        if before is None:
            shutil.rmtree(path.parent)
        else:
            path.write_text(before, encoding="utf-8")
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{CONTRACTS[contract]['name']} BROKEN" in " ".join(done.stdout.split())


def imported(path):
    """Names that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(read(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


# import-linter does not see an import by a string.


def named_above(path, source):
    """Return the modules of higher rooms that strings in a module of a room name."""
    layers = [layer.split(" | ") for layer in CONTRACTS["rooms"]["layers"]]
    levels = {room: level for level, layer in enumerate(reversed(layers)) for room in layer}
    strings = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    named = [name for name in strings if (found := MODULE.fullmatch(name)) and found[1] in levels]
    own = levels[path.parts[path.parts[0] == "tck"].removesuffix(".py")]
    return [name for name in named if levels[name.split(".")[1]] > own]


def test_no_room_names_a_module_of_a_higher_one():
    rooms = [path for path in modules("tck", "reports") if path != Path("tck/__init__.py")]
    assert [(str(path), name) for path in rooms for name in named_above(path, read(path))] == []


def test_a_module_named_by_a_string_is_found():
    source = 'JVM = "tck.adapters.jvm.provider"\nOWN = "tck.profile.loader"\nOPENER = "tck.suite.support:opened"\n'
    assert named_above(Path("tck/profile/loader.py"), source) == [
        "tck.adapters.jvm.provider",
        "tck.suite.support:opened",
    ]
    assert named_above(Path("tck/adapters/opening.py"), source) == ["tck.suite.support:opened"]


def test_profiles_know_nothing_of_adapters():
    """A profile is read without a word of who opens it: no import, no string, no comment."""
    assert [str(path) for path in modules("tck/profile") if "tck.adapters" in read(path)] == []


# The chapters are no packages, so that pytest takes their files as they are; import-linter does not see them.


@pytest.mark.slow
def test_nobody_imports_a_test_of_the_suite():
    assert [(str(path), name) for path in modules() for name in imported(path) if name.startswith("tck.suite.ch")] == []


def test_tests_of_the_suite_import_its_vocabulary_and_the_api_only():
    chapters = [path for path in modules("tck/suite") if path.name.startswith("test_")]
    ours = [(path, name) for path in chapters for name in imported(path) if name.split(".")[0] in {*PACKAGES, "tests"}]
    allowed = ("tck.api.", "tck.suite.support.")
    assert ours
    assert [
        (str(path), name)
        for path, name in ours
        if not f"{name}.".startswith((*allowed, "tck.interworking.") if "interworking" in path.parts else allowed)
    ] == []


def test_tests_of_other_rooms_use_the_trace_generator_of_the_benchmarks_only():
    others = [path for path in modules("tests") if not path.is_relative_to("tests/benchmarks")]
    ours = [(str(path), name) for path in others for name in imported(path) if name.split(".")[0] == "benchmarks"]
    assert ours
    assert [(path, name) for path, name in ours if not f"{name}.".startswith("benchmarks.traces.")] == []


def test_judging_and_reporting_do_without_pytest():
    """Only the plugin, the command line and the suite know pytest; all else runs without."""
    free = modules(
        "tck/processes.py",
        "tck/provenance.py",
        "tck/blame",
        "tck/running",
        "tck/detection",
        "tck/workload",
        "tck/api",
        "tck/catalogue",
        "tck/check",
        "tck/record",
        "tck/profile",
        "tck/adapters",
        "reference_provider",
        "reports",
    )
    roots = ("pytest", "_pytest", "xdist")
    assert [(str(path), name) for path in free for name in imported(path) if name.split(".")[0] in roots] == []


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("tck.cli.main", ["reference_provider", "numpy", "jinja2", "pytest"]),
        ("tck.plugin", ["reference_provider", "numpy", "jinja2"]),
        ("tck.reports", ["numpy", "pytest"]),
        ("tck.check", ["numpy"]),
    ],
)
def test_what_is_heavy_or_foreign_is_loaded_when_it_is_needed(module, heavy):
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert set(heavy) & set(ended.stdout.split()) == set()
