"""A dispatcher of a queue: it hands each message to a worker, which calls the targets that a mapping names."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass

from tck import api
from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.listeners import ConcurrencyCounter
from tck.suite.support.harness.threads import Call
from tck.suite.support.values.kinds import kind_of
from tck.suite.support.values.properties import comparable

TARGETS = ("full backup", "index")
DAYS = (25, 15)
MAPS = ("first", "second")
WAITING = [f"waiting {number}" for number in range(1, 21)]
END = "end"


@scenario("pj-backup-delegator")
def test_a_dispatcher_of_backups(case: Case) -> None:
    """Workers get what a client sent before it ended; a dispatcher that stops leaves the rest to the next one."""
    queue = case.queue()
    client(case, queue)
    backups = dispatcher(case, queue)
    waiting_messages(case, queue)
    stopped, again = dispatcher(case, queue, 8), dispatcher(case, queue)
    jobs = {job.name: job for job in backups.jobs}
    with expect.for_row("pj-backup-delegator-1"):
        expect.equal("the messages of the client that is gone", sorted(jobs), ["first", "note", "second"])
    with expect.for_row("pj-backup-delegator-2"):
        expect.equal("the kinds", [job.kind for job in backups.jobs], [KINDS[job.name] for job in backups.jobs])
    with expect.for_row("pj-backup-delegator-3"):
        wanted = [{"service": "backup", "days": api.Int(days)} for days in DAYS]
        expect.equal("the entries of the maps", [jobs[name].content for name in MAPS if name in jobs], wanted)
    with expect.for_row("pj-backup-delegator-4"):
        once = [(target, name, 1) for target in sorted(TARGETS) for name in sorted(jobs)]
        calls = sorted((target, name, times) for (target, name), times in backups.calls.items())
        expect.equal("the calls of each target for each message", calls, once)
    with expect.for_row("pj-backup-delegator-5"):
        expect.equal("the messages before and after the stop", names(stopped, again), WAITING)
    with expect.for_row("pj-backup-delegator-6"):
        case.witness("all messages were dispatched")
        expect.record(f"the two backups {'overlap' if backups.overlap.most > 1 else 'do not overlap'}")


KINDS = {"note": "text", "first": "map", "second": "map"}


def client(case: Case, queue: api.Queue) -> None:
    """Ask for two backups, close everything and end."""
    one = case.client()
    sender = one.sender(queue)
    sender.send(named(one.text("back up the machine"), "note"))
    for name, days in zip(MAPS, DAYS, strict=True):
        message = one.session.create_map_message()
        message.set_string("service", "backup")
        message.set_int("days", days)
        sender.send(named(message, name))
    sender.send(named(one.text(END), END))
    sender.close()
    one.close_session()
    one.close()


def waiting_messages(case: Case, queue: api.Queue) -> None:
    """Send the messages that wait while the dispatcher stops, and the one that ends it all."""
    one = case.client()
    sender = one.sender(queue)
    for name in [*WAITING, END]:
        sender.send(named(one.text(name), name))
    one.close()


def named(message: api.Message, name: str) -> api.Message:
    """Write the name of the job on a message."""
    message.set_string_property("job", name)
    return message


@dataclass(frozen=True, slots=True)
class Job:
    """A message as its worker read it."""

    name: str
    kind: str
    content: object


class Dispatched:
    """The work of a dispatcher: its jobs, and the calls of the targets."""

    def __init__(self, case: Case) -> None:
        self.jobs: list[Job] = []
        self.calls = Counter[tuple[str, str]]()
        self.overlap = ConcurrencyCounter(case)
        self._lock = threading.Lock()  # guards the calls; no other lock is taken under it

    def work(self, message: api.Message, name: str) -> Job:
        """Read a message and call the targets."""
        content: object = message.text if isinstance(message, api.TextMessage) else None
        if isinstance(message, api.MapMessage):
            content = {entry: comparable(message.get_object(entry)) for entry in message.get_map_names()}
            self.overlap.enter()
            self.overlap.leave()
        for target in TARGETS:
            with self._lock:
                self.calls[target, name] += 1
        return Job(name, kind_of(message), content)


def dispatcher(case: Case, queue: api.Queue, most: int | None = None) -> Dispatched:
    """Start, give each message to a worker of its own, and stop in good order: after `most`, or at the end."""
    done, client = Dispatched(case), case.client()
    workers: list[Call[Job]] = []
    consumer = client.consumer(queue)
    while len(workers) != most and (message := consumer.receive(case.timing.deadline)):
        name = str(message.get_string_property("job"))
        if name == END:
            break
        workers.append(case.spawn(f"the worker of {name}", lambda m=message, n=name: done.work(m, n)))  # type: ignore[misc]
    done.jobs += [worker.result() for worker in workers]
    client.close()
    return done


def names(*dispatchers: Dispatched) -> list[str]:
    """Return the names of all jobs in the order of dispatch."""
    return [job.name for each in dispatchers for job in each.jobs]
