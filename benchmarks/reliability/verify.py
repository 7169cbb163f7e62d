"""What is held against the story once a provider is open again, or all work has ended."""

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
    Mark,
    Step,
    Story,
    judge,
    judge_order,
    judge_redelivered,
    judge_sight,
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
    provider: Provider, story: Story, workers: int, choice: random.Random, *, keep: bool, marked: bool = True
) -> list[str]:
    """Hold all that lies in the provider against the story; give what is wrong.

    Prepared branches are committed or rolled back at random first. What was found is certain from then on: it stays if
    `keep`, else it is consumed. `marked`: what was in a client's hands has to come marked as redelivered.
    """
    problems = judge_sight(story.seen)
    branches = prepared_branches(provider)
    problems += judge(branch_sides(story), {BRANCHES: branches})
    settle_doubts(story, branches)
    settle_branches(provider, branches, story, choice)
    subscriptions = unsubscribed(provider, passing_subscriptions(story))
    with drained(provider, workers, keep=keep) as found:
        problems += judge_order(found)
        problems += judge_redelivered(story.seen, found) if marked else []
        problems += judge(story.steps.values(), {**found, SUBSCRIPTIONS: subscriptions})
    story.begin_again(found if keep else {})
    return problems


def branch_sides(story: Story) -> list[Step]:
    """Give the steps with nothing but what they say of branches."""
    return [
        replace(
            step,
            adds=tuple(mark for mark in step.adds if mark.stream == BRANCHES),
            takes=tuple(mark for mark in step.takes if mark.stream == BRANCHES),
            takes_one_of=None,
        )
        for step in story.steps.values()
    ]


def settle_doubts(story: Story, branches: list[Found]) -> None:
    """Learn from the prepared branches found: their preparation has happened, their completion has not."""
    prepared = {Mark(BRANCHES, found.key) for found in branches}
    for name, step in list(story.steps.items()):
        if step.ended:
            continue
        if prepared.intersection(step.takes):
            del story.steps[name]
        elif prepared.intersection(step.adds):
            step.ended = True


def verify_file(file: Path) -> list[str]:
    """Check a closed database with SQLite's own means, and for rows that nothing will ever remove."""
    with closing(sqlite3.connect(file)) as connection:
        problems = [
            f"file: {text}" for (text,) in connection.execute("pragma integrity_check").fetchall() if text != "ok"
        ]
        for what, sql in _ORPHANS.items():
            (count,) = connection.execute(sql).fetchone()
            if count:
                problems.append(f"file: {count} {what}")
    return problems
