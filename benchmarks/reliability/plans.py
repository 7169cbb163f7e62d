"""Random workload plans on a correct provider: each has to end with exit code 0.

A failure is a fault of the provider or of the judgement, in a combination that nobody thought of. The plan, its seed and the
bundle are kept for `tck report` and `tck workload check`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import tomlkit

from tck.record import Exit
from tck.workload.plan import load_plan

Table = dict[str, Any]

_REGIONS: Final = ("north", "south")
_DEFAULT_OUT: Final = Path("tck-out/plans")


def random_plan(seed: int, duration: float) -> Table:
    """Make the content of a plan.

    Args:
        seed: Determines everything.
        duration: Duration of the work, seconds.
    """
    chance = Random(seed)
    destinations = _destinations(chance)
    messages = [_message(chance, number) for number in range(chance.randint(1, 3))]
    kinds = {each["name"]: each for each in destinations}
    read = [*kinds, *(each for each in chance.choices(list(kinds), k=2) if not _temporary(kinds[each]))]
    plan: Table = {
        "plan": {"title": f"Random, {seed}", "duration": duration, "drain": 30},
        "destination": destinations,
        "message": messages,
        "producer": [_producer(chance, number, list(kinds), messages) for number in range(chance.randint(1, 3))],
        "consumer": [_consumer(chance, number, kinds[name], kinds, messages) for number, name in enumerate(read)],
    }
    queues = [name for name, each in kinds.items() if each["kind"] == "queue"]
    if queues and chance.random() < 0.4:
        plan["browser"] = [{"name": "browser", "from": chance.choice(queues), "think": 50, "limit": 200}]
    faults = [kind for kind in ("sever", "kill", "restart") if chance.random() < 0.45]
    if faults:
        plan["fault"] = [{"kind": kind, "random": chance.choice([0.3, 0.8, 1.5])} for kind in faults]
    return plan


def _temporary(destination: Table) -> bool:
    return str(destination["kind"]).startswith("temporary")


def _destinations(chance: Random) -> list[Table]:
    kinds = ["queue", "topic"] * 5 + ["temporary-queue", "temporary-topic"]
    made = []
    for number in range(chance.randint(1, 4)):
        each: Table = {"name": f"place{number}", "kind": chance.choice(kinds)}
        made.append(each if _temporary(each) else each | {"count": chance.randint(1, 3)})
    return made


def _message(chance: Random, number: int) -> Table:
    made: Table = {
        "name": f"sort{number}",
        "share": chance.randint(1, 3),
        "properties": {"region": chance.choice(_REGIONS), "number": number},
        "body": chance.choice(["text", "bytes", "map"]),
        "size": [chance.randint(0, 200), chance.randint(200, 3000)],
        "mode": chance.choice(["persistent", "persistent", "non-persistent"]),
        "priority": sorted(chance.sample(range(10), chance.randint(1, 4))),
    }
    if chance.random() < 0.3:
        made["ttl"] = [chance.choice([50, 300, 2000])]
    if chance.random() < 0.3:
        made["delay"] = [chance.choice([20, 200, 800])]
    return made


def _producer(chance: Random, number: int, places: list[str], messages: list[Table]) -> Table:
    session = chance.choice(["auto", "auto", "transacted", "xa"])
    made: Table = {
        "name": f"producer{number}",
        "count": chance.randint(1, 3),
        "to": chance.sample(places, chance.randint(1, len(places))),
        "session": session,
        "rate": chance.choice([20, 50, 150]),
    }
    if session != "auto":
        made |= {"batch": [1, chance.randint(1, 8)], "rollback": chance.choice([0, 0.1, 0.3])}
    if session != "xa":
        made |= {"api": chance.choice(["classic", "simplified"]), "asynchronous": chance.random() < 0.3}
    if chance.random() < 0.3:
        made["messages"] = [chance.choice(messages)["name"]]
    return made


def _consumer(chance: Random, number: int, place: Table, places: dict[str, Table], messages: list[Table]) -> Table:
    session = chance.choice(["auto", "dups-ok", "client", "transacted", "transacted", "xa"])
    listens = session != "xa" and chance.random() < 0.5
    made: Table = {
        "name": f"consumer{number}",
        "from": place["name"],
        "session": session,
        "how": "listener" if listens else "receive",
        "count": 1 if _temporary(place) else chance.randint(1, 4),
    }
    if session in {"client", "transacted", "xa"}:
        made |= {"batch": [1, chance.randint(1, 6)], "rollback": chance.choice([0, 0, 0.1, 0.3])}
    if place["kind"] == "topic":
        made |= _subscription(chance, made, place)
    if listens:
        made |= _listening(chance, made, place)
    region = chance.choice(_REGIONS)
    accepted = [each["name"] for each in messages if each["properties"]["region"] == region]
    if accepted and chance.random() < 0.3:
        made |= {"selector": f"region = '{region}'", "accepts": accepted}
    if not _temporary(place) and chance.random() < 0.4:
        made["lifetime"] = [chance.randint(1, 5), chance.randint(5, 60)]
        if made.get("subscription") in {"durable", "shared-durable"} and chance.random() < 0.5:
            made["unsubscribe"] = 0.4
    others = [name for name, each in places.items() if each["kind"] == "queue" and name > str(place["name"])]
    if others and chance.random() < 0.3:
        made |= {"forward": chance.choice(others), "forward_share": chance.choice([0.2, 0.5])}
    if chance.random() < 0.2:
        made["think"] = chance.choice([1, 5])
    return made


def _subscription(chance: Random, made: Table, place: Table) -> Table:
    kind = chance.choice(["nondurable", "durable", "shared", "shared-durable"])
    found: Table = {"subscription": kind}
    if kind.startswith("shared"):
        found["subscriptions"] = place["count"] * chance.randint(1, 2)
        found["count"] = max(made["count"], found["subscriptions"])
    elif chance.random() < 0.3:
        found["no_local"] = True
    if kind == "durable" and made["how"] == "receive" and made["session"] != "xa" and chance.random() < 0.3:
        found["rival"] = True
    return found


def _listening(chance: Random, made: Table, place: Table) -> Table:
    found: Table = {}
    if chance.random() < 0.3:
        found["pause"] = 0.1
    if made["session"] in {"auto", "dups-ok"} and chance.random() < 0.3:
        found["fail"] = 0.1
    alone = made.get("subscription") in {"durable", "shared", "shared-durable"} or _temporary(place)
    if not alone and chance.random() < 0.3:
        found["per_session"] = chance.randint(1, 2)
    return found


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The result of one plan."""

    seed: int
    exit: int
    plan: Path
    message: str


def run_plan(seed: int, duration: float, profile: str, out: Path, settings: tuple[str, ...] = ()) -> PlanResult:
    """Run one plan; keep its files unless it ends with exit code 0 or 4.

    Args:
        seed: Of the plan, and of the workload.
        duration: Duration of the work, seconds.
        profile: The provider.
        out: Folder for plan and bundle.
        settings: Settings of the adapter, KEY=VALUE.

    Returns:
        The result. Exit code 4 means that the plan needs something that the provider does not have.
    """
    folder = out / f"{profile}-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    plan = folder / f"random-{seed}.toml"
    plan.write_text(tomlkit.dumps(random_plan(seed, duration)), encoding="utf-8")
    load_plan(
        str(plan)
    )  # one that breaks the rules is a fault of the maker, and must not pass for one that does not fit
    given = [word for each in settings for word in ("--setting", each)]
    words = ["workload", "run", "-p", profile, "--plan", str(plan), "--seed", str(seed), "--out", str(folder), *given]
    done = subprocess.run(
        [sys.executable, "-m", "tck", *words, "--format", "json"], capture_output=True, text=True, check=False
    )
    message = done.stderr.strip().rpartition("\n")[2]
    if done.returncode in (Exit.CONFORMANT, Exit.USAGE):
        shutil.rmtree(folder)
    elif done.returncode < 0:
        message = f"ended by signal {-done.returncode}"
    elif done.stdout:
        message = _broken(Path(json.loads(done.stdout)["bundle"])) or message
    return PlanResult(seed, done.returncode, plan, message)


def _broken(bundle: Path) -> str:
    path = bundle / "findings.ndjson"
    names = Counter(json.loads(line)["property"] for line in path.read_text(encoding="utf-8").splitlines())
    return ", ".join(f"{name} ({times})" for name, times in names.most_common() if name != "priority-hint")


def main(arguments: list[str]) -> int:
    """Run `python -m benchmarks plans`; return 1 if a plan was not kept, or none fitted the provider."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks plans", description="Random plans of workloads.")
    parser.add_argument("-p", "--profile", default="reference-realtime")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first plan; it rises by 1")
    parser.add_argument("--count", type=int, default=20, help="number of plans")
    parser.add_argument("--duration", type=float, default=3, help="seconds of work of each plan")
    parser.add_argument("--setting", action="append", default=[], metavar="KEY=VALUE", help="adapter setting")
    parser.add_argument("--out", type=Path, default=_DEFAULT_OUT, help="folder for failed plans and their bundles")
    options = parser.parse_args(arguments)
    wrong = unfit = 0
    for seed in range(options.seed, options.seed + options.count):
        result = run_plan(seed, options.duration, options.profile, options.out, tuple(options.setting))
        if result.exit == Exit.USAGE:
            unfit += 1
            print(f"plan {seed} does not fit: {result.message}", flush=True)
        elif result.exit != Exit.CONFORMANT:
            wrong += 1
            print(f"plan {seed}: exit {result.exit}: {result.message}; kept in {result.plan.parent}", flush=True)
    print(f"{options.count} plans on {options.profile}, {wrong} not held{f', {unfit} did not fit' if unfit else ''}")
    return int(wrong > 0 or unfit == options.count)
