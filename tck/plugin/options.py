"""The command-line options of a run, read into `RunOptions`."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tck.provenance import new_run_id, new_seed
from tck.running.options import DEFAULT_PROFILE, OUT, RunOptions


def add_options(parser: pytest.Parser) -> None:
    """Declare the options; docs/cli.md describes each, and a test checks that."""
    group = parser.getgroup("tck", "JMS TCK")
    add = group.addoption
    add("--profile", metavar="NAME|FILE", help="provider profile: a name under profiles/providers or a TOML file")
    add(
        "--tier",
        metavar="VERSION",
        default="",
        help="judge by this specification version (default: what the profile claims)",
    )
    add(
        "--select",
        action="append",
        default=[],
        metavar="EXPR",
        help="only these rows: ch03, 3.4, 3.4.3-1, level:must, feature:xa, a case glob; repeatable, any of them",
    )
    add(
        "--points",
        choices=("all", "one"),
        default="all",
        help="every point of a row's axes, or one per row, turning with the seed",
    )
    add("--seed", type=int, default=None, help="order of the cases, choice of points (default: random, printed)")
    add("--strict-verdicts", action="store_true", help="advisory and inconclusive verdicts fail the run too")
    add("--repeat", type=int, default=1, metavar="N", help="run each case N times (for declared-flaky bounds)")
    add(
        "--setting",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="override one adapter setting of the profile (TOML value); repeatable",
    )
    add(
        "--release",
        metavar="VERSION",
        default="",
        help="run this release of the provider (default: the profile's own); as --setting release=VERSION",
    )
    add("--no-declarations", action="store_true", help="judge as if the profile declared no deviation")
    add("--claim", choices=("everything",), default="", help="claim what the maintainers disclaim, too")
    add("--second", metavar="NAME|FILE", default="", help="profile of the provider beside it, for scenarios on two")
    add("--bridge", metavar="NAME|FILE", default="", help="profile of the bridge that the rows on interworking judge")
    add("--channel", metavar="NAME|FILE|IOR", default="", help="notification service that the bridge runs on")
    add("--out", default=str(OUT), metavar="DIR", help=f"where bundles go (default: {OUT.as_posix()})")
    add(
        "--forks",
        type=int,
        default=0,
        metavar="N",
        help="share the cases among N forked children (xdist's -n starts N interpreters instead)",
    )
    add(
        "--forks-most",
        type=int,
        default=0,
        metavar="N",
        help="fork up to N children as long as the machine has processors and memory to spare (default: as --forks)",
    )
    add("--lanes", type=int, default=0, metavar="N", help="run N cases beside each other in each forked child")
    add(
        "--budget",
        type=int,
        default=0,
        metavar="SECONDS",
        help="run what fits into that time, the cases that tell most first (default: all)",
    )
    add("--detect", action="store_true", help="run the saboteurs and dummies instead of a provider")
    add(
        "--detect-scope",
        choices=("own", "section", "all", "breadth"),
        default="section",
        help="which other rows each saboteur runs (collateral); breadth: all cases of its own, to count those that notice",
    )
    add("--detect-lawful", action="store_true", help="run the lawful providers, which no check may accuse, instead")
    add("--detect-through", default="", metavar="PROFILE", help="reach the saboteurs through another profile")
    add("--detect-out", default="", metavar="FILE", help="write the detection table as JSON")


def options_of(config: pytest.Config) -> RunOptions | None:
    """Read the options of this process; None if no TCK run is requested.

    A run is requested by `--profile`, `--detect`, or by naming files under `tck/suite`.
    """
    workerinput: Mapping[str, str] | None = getattr(config, "workerinput", None)
    if workerinput is not None:
        text = workerinput.get("tck_options", "")
        return RunOptions.from_json(text) if text else None
    value = config.getoption
    if not (value("--profile") or value("--detect") or _names_the_suite(config)):
        return None
    repeat = int(value("--repeat"))
    if repeat < 1:
        raise pytest.UsageError(f"--repeat: expected a whole number from 1, not {repeat}")
    seed = value("--seed")
    return RunOptions(
        run_id=new_run_id(),
        profile=value("--profile") or DEFAULT_PROFILE,
        tier=value("--tier"),
        points=value("--points"),
        seed=new_seed() if seed is None else int(seed),
        strict=bool(value("--strict-verdicts")),
        repeat=repeat,
        select=tuple(value("--select")),
        settings=(*value("--setting"), *([f"release={value('--release')}"] if value("--release") else ())),
        declarations=not value("--no-declarations"),
        everything=bool(value("--claim")),
        second=value("--second"),
        bridge=value("--bridge"),
        channel=value("--channel"),
        out=str(Path(value("--out")).absolute()),
        forks=int(value("--forks")),
        forks_most=int(value("--forks-most")),
        lanes=int(value("--lanes")),
        budget=int(value("--budget")),
        until=time.time() + int(value("--budget")) - _closing(int(value("--budget"))),
        detect=bool(value("--detect")),
        detect_scope=value("--detect-scope"),
        detect_lawful=bool(value("--detect-lawful")),
        detect_through=value("--detect-through"),
        detect_out=value("--detect-out"),
    )


def _closing(budget: int) -> float:
    """Return the seconds of a budget that are left for the last cases and the report."""
    return min(25.0, 3 + budget / 6)


def _names_the_suite(config: pytest.Config) -> bool:
    suite = Path(__file__).resolve().parent.parent / "suite"
    for argument in config.args:
        path = (config.invocation_params.dir / str(argument).split("::", maxsplit=1)[0]).resolve()
        if path == suite or suite in path.parents:
            return True
    return False
