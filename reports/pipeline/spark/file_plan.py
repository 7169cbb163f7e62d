"""Check a run on Spark with files between the two stages; all workers must see the store under the same path."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tck.check.registry import Grain
from tck.reports.pipeline.spark.worker_errors import raised_here, reported
from tck.reports.pipeline.task_answers import Answer, sum_answers
from tck.reports.pipeline.tasks import (
    SECOND,
    Job,
    last_task,
    message_task,
    read_shuffle_files,
    session_task,
    write_shuffle_files,
)

if TYPE_CHECKING:
    from pyspark import SparkContext


def through_files(context: SparkContext, job: Job, parts: int) -> Answer:
    """Judge a run: a task for each file of operations, then one for each bucket of messages.

    Raises:
        PartError: a file is missing or damaged.
        NoRoomError: the disk is full.
    """
    first = _spread(context, job, parts, lambda part: _session_to_file(job, part))
    if not job.any_of({*SECOND, Grain.IDENTITY}):
        return first
    second = _spread(context, job, job.buckets, lambda bucket: _message_from_files(job, parts, bucket))
    return last_task(job, sum_answers((first, second)))


def _session_to_file(job: Job, part: int) -> Answer:
    answer, shuffle_rows = session_task(job, part)
    write_shuffle_files(job, part, shuffle_rows)
    return answer


def _message_from_files(job: Job, parts: int, bucket: int) -> Answer:
    return message_task(job, (read_shuffle_files(job, part, bucket) for part in range(parts)))


def _spread(context: SparkContext, job: Job, count: int, task: Callable[[int], Answer]) -> Answer:
    def work(share: range) -> Answer:
        with reported(job):
            return sum_answers(task(number) for number in share)

    shares = shares_of(count, context.defaultParallelism)
    with raised_here(job):
        return sum_answers(context.parallelize(shares, len(shares)).map(work).collect())


def shares_of(count: int, workers: int) -> list[range]:
    """Divide tasks into shares that get smaller, so that there are few of them and yet all workers end together."""
    numbers, shares = range(count), []
    while numbers:
        size = -(-len(numbers) // (2 * workers))
        shares.append(numbers[:size])
        numbers = numbers[size:]
    return shares
