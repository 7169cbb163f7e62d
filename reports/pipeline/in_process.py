"""Check a run in this process: all tasks, one after the other. For small runs, and as the reference for Spark."""

from __future__ import annotations

from tck.check.registry import Grain
from tck.reports.pipeline.task_answers import Answer, sum_answers
from tck.reports.pipeline.tasks import SECOND, Job, last_task, message_task, session_task


def judge_in_process(job: Job, parts: int) -> Answer:
    """Judge a run without Spark; rows between the two stages stay in memory.

    Raises:
        PartError: a file is missing or damaged.
    """
    answers, pieces = [], []
    for part in range(parts):
        answer, shuffle_rows = session_task(job, part)
        answers.append(answer)
        pieces.append([shuffle_rows.bucket(number) for number in range(job.buckets)])
    if job.any_of({*SECOND, Grain.IDENTITY}):
        answers += [message_task(job, [buckets[number] for buckets in pieces]) for number in range(job.buckets)]
    return last_task(job, sum_answers(answers))
