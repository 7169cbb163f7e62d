"""Which calls a program may make: those whose outcome the specification lays down, successful and refused ones alike.

`Rules.check` refuses a step whose outcome is open; `Rules.note` records what a step did. Both are fed with the steps of a
program in order, with the outcomes of the reference provider. What each operation needs and changes stands beside it.
"""

from __future__ import annotations

from tck.programs.operations import OPERATIONS
from tck.programs.operations.sending import target_of
from tck.programs.operations.server.branches import check_scope
from tck.programs.program import Observation, Step
from tck.programs.state.objects import Capabilities, OpenOutcome
from tck.programs.state.state import State
from tck.programs.state.together import Block, check_together, reach


class Rules(State):
    """The state of a program under way, and the rules of all operations."""

    def __init__(self, capabilities: Capabilities) -> None:
        super().__init__(capabilities)
        self.block: Block | None = None
        """The steps that two threads make at the same time; None where the last step is none of them."""

    def check(self, step: Step) -> None:
        """Refuse a step whose outcome the specification leaves open.

        Raises:
            OpenOutcome: It does, or the step needs a capability that the provider has not.
        """
        if self.overdue and not self.capabilities.virtual and step.do != "close":
            raise OpenOutcome("a receive that got nothing may still wait; close its consumer first")
        sent = step.args.get("message")
        if any(name != sent and name in self.messages and self.messages[name].unsure for name in step.uses()):
            raise OpenOutcome("what a send that failed has set on its message is open")
        found = self.consumers.get(str(step.args.get("on")))
        if found is not None and found.pooled and step.do != "close":
            raise OpenOutcome("a connection consumer can only be closed")
        if not self.capabilities.virtual:
            self._check_heard(step)
        check_scope(self, step)
        check = OPERATIONS[step.do].check
        if check is not None:
            check(self, step.args)
        if "together" in step.args:
            check_together(self, step, self.block)

    def note(self, step: Step, seen: Observation) -> None:
        """Record what a step did; a step that raised or was skipped changed nothing."""
        self._together(step)
        if "ok" not in seen:
            self.refusals |= "raises" in seen
            return
        operation = OPERATIONS[step.do]
        self.fresh = False
        if not operation.keeps_browsers:
            for browser in self.browsers.values():
                browser.stale = True
        if operation.note is not None:
            operation.note(self, step, seen["ok"])

    def _check_heard(self, step: Step) -> None:
        """Refuse listeners where messages expire or fall due by real time: how soon they are called is the provider's affair."""
        args = step.args
        due = {name for name, each in self.destinations.items() if each.due}
        if OPERATIONS[step.do].sends:
            producer = self.producers[args["on"]]
            target = target_of(self, producer, args)
            if target is not None and target.due_after(args.get("ttl", producer.ttl), producer.delay):
                due.add(target.name)
        heard = {args["of"]} if step.do == "pool" else set()
        for each in self.consumers.values():
            listens = each.listening or (step.do == "listen" and args["on"] == each.name)
            connection = each.session.connection
            started = connection.started or (step.do == "start" and self.connection_of(args["on"]) is connection)
            if each.state == "open" and (each.pooled or (listens and started)):
                heard.add(each.end.destination.name)
        if due & heard:
            raise OpenOutcome("what a listener is given by now is left to chance where messages expire or fall due")

    def _together(self, step: Step) -> None:
        number = step.args.get("together")
        if number is None:
            self.block = None
            return
        if self.block is None or self.block.number != number:
            self.block = Block(number)
        self.block.reached[bool(step.args.get("by"))].add(reach(self, step))
