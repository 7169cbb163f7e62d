"""Detection: does each check bite? Every saboteur runs in a forked child of one collected process.

A saboteur breaks one row. Killed means that some case of the row (or of its restatement group) reports a violation. The
child runs all points of the row and one point of each other row of its section; other rows that fail are collateral,
which the saboteur's declaration explains or which is a defect. A provider that is nearly right is caught if a case of one of
the rows it names reports a violation. The dummies run everything and must pass no case.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from tck.adapters.recording import warm_up
from tck.catalogue import NEWEST, Catalogue
from tck.catalogue.versions import offers
from tck.detection.children import Job, fork_all
from tck.detection.judge import Detection, Story, judge_dummy, judge_hunt, judge_nearly_right
from tck.plugin.collecting import parameter_of
from tck.record import Exit

if TYPE_CHECKING:
    from tck.plugin.state import State

DUMMIES = ("raises", "inert", "accepts")


def run(session: pytest.Session, state: State) -> None:
    """Run all jobs and leave the table in the state."""
    from reference_provider import adapter  # noqa: F401, PLC0415 - loaded once, before the children are forked
    from reference_provider.saboteurs import all_nearly_right, all_saboteurs  # noqa: PLC0415
    from tck.check import judge_events  # noqa: PLC0415

    judge_events([], properties=[])  # loads numpy, which each child would otherwise load anew
    warm_up()
    began = time.monotonic()
    items = [item for item in session.items if parameter_of(item)]
    detection = state.detection = Detection()
    saboteurs = {id_: found for id_, found in all_saboteurs().items() if _wanted(state, id_)}
    hunted = {other for id_ in all_saboteurs() for other in state.catalogue.group_of(id_)}
    tested = {id_ for item in items for id_ in _ids(item)}
    detection.without = sorted(id_ for id_ in tested - hunted if _wanted(state, id_) and state.catalogue[id_].judged)
    scope = state.options.detect_scope
    jobs = [
        Job(
            id_,
            "reference",
            {"clock": "virtual", **saboteur.settings, "saboteur": id_},
            str(saboteur.settings.get("version", NEWEST)),
            tuple(_hunting_party(items, state.catalogue, id_, str(saboteur.settings.get("version", NEWEST)), scope)),
        )
        for id_, saboteur in saboteurs.items()
    ]
    nearly = {
        name: found for name, found in all_nearly_right().items() if any(_wanted(state, id_) for id_ in found.rows)
    }
    jobs += [
        Job(
            f"nearly {name}",
            "reference",
            {"clock": "virtual", "saboteur": name},
            NEWEST,
            tuple(_naming(items, state.catalogue, None if scope == "all" else found.rows)),
        )
        for name, found in nearly.items()
    ]
    everything = tuple(item for item in items if under(item, state.catalogue, NEWEST) and _selected(state, item))
    jobs += [Job(f"dummy {name}", f"dummy-{name}", {}, NEWEST, everything) for name in DUMMIES] if everything else []
    gc.collect()
    stories = dict[str, Story]()
    reporter: Any = session.config.pluginmanager.get_plugin("terminalreporter")

    def ended(job: Job, story: Story) -> None:
        stories[job.name] = story
        reporter.write(".", flush=True)

    fork_all(jobs, state, ended)
    reporter.write_line("")
    for id_, saboteur in saboteurs.items():
        detection.hunts.append(judge_hunt(id_, saboteur, stories[id_], state.catalogue))
    for name, found in nearly.items():
        detection.nearly_right.append(judge_nearly_right(name, found, stories[f"nearly {name}"]))
    for name in DUMMIES:
        if f"dummy {name}" in stories:
            detection.dummies[name] = judge_dummy(stories[f"dummy {name}"], state.catalogue)
    detection.seconds = time.monotonic() - began
    if state.options.detect_out:
        with open(state.options.detect_out, "w", encoding="utf-8") as file:  # noqa: PTH123 - a path as given
            json.dump(detection.to_json(), file, indent=1)


def exit_status(state: State, exitstatus: int) -> int:
    """Give the exit code of a detection."""
    if exitstatus == pytest.ExitCode.INTERRUPTED:
        return int(Exit.INTERRUPTED)
    if state.detection is None:
        return int(Exit.KIT_ERROR if exitstatus else Exit.CONFORMANT)
    if state.detection.failures:
        return int(Exit.KIT_ERROR)
    if not (state.detection.hunts or state.detection.nearly_right):
        return int(Exit.NOTHING_JUDGED)
    return int(Exit.CONFORMANT if state.detection.good else Exit.VIOLATION)


def _wanted(state: State, id_: str) -> bool:
    selection = state.selection
    return selection is None or selection.matches((id_,), id_)


def _selected(state: State, item: pytest.Item) -> bool:
    parameter = parameter_of(item)
    selection = state.selection
    return selection is None or (
        parameter is not None and selection.matches(parameter.point.assertions, parameter.point.name)
    )


def _ids(item: pytest.Item) -> tuple[str, ...]:
    parameter = parameter_of(item)
    return parameter.point.assertions if parameter else ()


def under(item: pytest.Item, catalogue: Catalogue, version: str) -> bool:
    """Whether a case of the suite judges anything under a version of the specification."""
    parameter = parameter_of(item)
    if parameter is None:
        return False
    return offers(version, parameter.point.api) and any(
        catalogue[id_].applies_to(version) for id_ in parameter.point.assertions
    )


def _hunting_party(
    items: Sequence[pytest.Item], catalogue: Catalogue, id_: str, version: str, scope: str
) -> list[pytest.Item]:
    """All points of the row's group, then one point of each other row of the section (or all of everything)."""
    group = set(catalogue.group_of(id_))
    judging = [item for item in items if under(item, catalogue, version)]
    own = [item for item in judging if group & set(_ids(item))]
    others: dict[str, pytest.Item] = {}
    for item in judging:
        if group & set(_ids(item)):
            continue
        if scope == "all":
            others[item.nodeid] = item
        elif catalogue[_ids(item)[0]].section == catalogue[id_].section:
            others.setdefault(item.nodeid.split("[", maxsplit=1)[0], item)
    return own + list(others.values())


def _naming(items: Sequence[pytest.Item], catalogue: Catalogue, rows: Sequence[str] | None) -> list[pytest.Item]:
    """All points of the cases that name one of the rows, or one of its group; all cases without rows."""
    judging = [item for item in items if under(item, catalogue, NEWEST)]
    if rows is None:
        return judging
    named = {other for row in rows for other in catalogue.group_of(row)}
    return [item for item in judging if named & set(_ids(item))]
