"""A compute farm on a tuple space: a client writes tasks and takes results, one, two and four servers work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.qspace import QSpace

OPERATIONS: dict[str, Callable[[int, int], int]] = {
    "ADD": lambda left, right: left + right,
    "SUBTRACT": lambda left, right: left - right,
    "MULTIPLY": lambda left, right: left * right,
}
KINDS = ("ADD", "SUBTRACT", "MULTIPLY", "SUBTRACT", "MULTIPLY", "ADD", "MULTIPLY", "MULTIPLY", "SUBTRACT", "ADD")
RESULTS = [OPERATIONS[kind](number, 7) for number, kind in enumerate(KINDS)]
TASK, RESULT, STOP = "type='Task'", "type='Result'", b"stop"


@scenario("pj-qspace-compute")
def test_a_compute_farm_on_a_tuple_space(case: Case) -> None:
    """Each task is taken once and each result comes once, whatever the number of servers."""
    runs = [farm(case, servers) for servers in (1, 2, 4)]

    with expect.for_row("pj-qspace-compute-1"):
        for run in runs:
            wanted = [f"{number} {result}" for number, result in enumerate(RESULTS)]
            expect.equal(f"the results of {run.servers} servers", sorted(run.results), wanted)
    with expect.for_row("pj-qspace-compute-2"):
        order = [int(result.split()[0]) for result in runs[0].results]
        expect.equal("the tasks in the order of the results of one server", order, sorted(order))
    with expect.for_row("pj-qspace-compute-3"):
        for run in runs:
            expect.equal(f"the tasks taken by {run.servers} servers", run.tasks, len(KINDS))
    with expect.for_row("pj-qspace-compute-4"):
        for run in runs:
            expect.equal(f"the entries left by {run.servers} servers", run.left, 0)
    with expect.for_row("pj-qspace-compute-5"):
        expect.record(f"four servers take {'less' if runs[2].time < runs[0].time else 'no less'} time than one")


@dataclass(frozen=True, slots=True)
class Run:
    """The outcome of one farm: the results in their order, how many tasks were taken, and what is left; the time in ms."""

    servers: int
    results: list[str]
    tasks: int
    left: int
    time: int


def farm(case: Case, servers: int) -> Run:
    """Write the tasks, let the servers work, take the results, and stop the servers."""
    queue, client = case.queue(), case.client()
    space = QSpace(client, queue)
    spaces = [QSpace(case.client(), queue) for _ in range(servers)]
    working = [case.spawn("a server", lambda each=each: serve(case, each)) for each in spaces]  # type: ignore[misc]
    begin = case.now()
    for number, kind in enumerate(KINDS):
        space.write(f"{number} {kind} {number} 7".encode(), type="Task")
    results = [space.takes(case.timing.deadline, RESULT) for _ in KINDS]
    time = case.now() - begin
    for _ in working:
        space.write(STOP, type="Task")
    tasks = sum(each.result(2 * case.timing.deadline) for each in working)
    for each in spaces:
        each.shut_down()
    came = [result.decode() for result in results if result is not None]
    return Run(servers, came, tasks, len(client.browse_messages(queue)), time)


def serve(case: Case, space: QSpace) -> int:
    """Take tasks and write their results, until told to stop; return how many there were."""
    tasks = 0
    while (task := space.takes(case.timing.deadline, TASK)) not in (STOP, None):
        number, kind, left, right = task.decode().split()
        case.pass_time(case.timing.delay / len(KINDS), "a server computes")
        space.write(f"{number} {OPERATIONS[kind](int(left), int(right))}".encode(), type="Result")
        tasks += 1
    return tasks
