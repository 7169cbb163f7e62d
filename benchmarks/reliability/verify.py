"""The comparison of a provider's contents with the history, after it was reopened or all work has ended."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from benchmarks.reliability.drain import (
    drained,
    passing_subscriptions,
    prepared_branches,
    settle_branches,
    unsubscribed,
)
from benchmarks.reliability.history import (
    BRANCHES,
    SUBSCRIPTIONS,
    Found,
    History,
    Item,
    Step,
    judge,
    judge_deliveries,
    judge_order,
    judge_redelivered,
)
from tck.api import Provider

_ORPHANS = {
    "topic messages that no subscription owes": """
        select count(*) from message m join destination d on d.id = m.destination
        where d.kind = 'topic' and not exists (select 1 from delivery where message = m.id)""",
    "deliveries without a message": "select count(*) from delivery where message not in (select id from message)",
    "deliveries without a subscription": """
        select count(*) from delivery where subscription not in (select id from subscription)""",
    "messages of branches that are no more": """
        select count(*) from message where branch is not null and branch not in (select id from branch)""",
    "acknowledgements of branches that are no more": """
        select count(*) from branch_ack where branch not in (select id from branch)""",
}


def verify(
    provider: Provider, history: History, workers: int, choice: random.Random, *, keep: bool, marked: bool = True
) -> list[str]:
    """Compare all contents of the provider with the history; return the faults.

    Prepared branches are first committed or rolled back at random. The messages found are certain from then on: they stay if
    `keep`, else they are consumed. `marked`: unacknowledged messages must be flagged as redelivered.
    """
    problems = judge_deliveries(history.seen)
    branches = prepared_branches(provider)
    problems += judge(branch_sides(history), {BRANCHES: branches})
    settle_doubts(history, branches)
    settle_branches(provider, branches, history, choice)
    subscriptions = unsubscribed(provider, passing_subscriptions(history))
    with drained(provider, workers, keep=keep) as found:
        problems += judge_order(found)
        problems += judge_redelivered(history.seen, found) if marked else []
        problems += judge(history.steps.values(), {**found, SUBSCRIPTIONS: subscriptions})
    history.restart_from(found if keep else {})
    return problems


def branch_sides(history: History) -> list[Step]:
    """Return the steps reduced to their branches."""
    return [
        replace(
            step,
            adds=tuple(item for item in step.adds if item.stream == BRANCHES),
            takes=tuple(item for item in step.takes if item.stream == BRANCHES),
            takes_one_of=None,
        )
        for step in history.steps.values()
    ]


def settle_doubts(history: History, branches: list[Found]) -> None:
    """Use the prepared branches found: their preparation has happened, their completion has not."""
    prepared = {Item(BRANCHES, found.key) for found in branches}
    for name, step in list(history.steps.items()):
        if step.ended:
            continue
        if prepared.intersection(step.takes):
            del history.steps[name]
        elif prepared.intersection(step.adds):
            step.ended = True


def verify_file(file: Path) -> list[str]:
    """Check a closed database with SQLite's own checks, and for rows that nothing will ever remove."""
    with closing(sqlite3.connect(file)) as connection:
        problems = [
            f"file: {text}" for (text,) in connection.execute("pragma integrity_check").fetchall() if text != "ok"
        ]
        for what, sql in _ORPHANS.items():
            (count,) = connection.execute(sql).fetchone()
            if count:
                problems.append(f"file: {count} {what}")
    return problems
