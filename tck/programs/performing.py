"""A step on the reference provider: performed, recorded in the state, and marked where its outcome is open in part."""

from __future__ import annotations

from tck.programs.legality import Rules
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Observation, Step
from tck.programs.runner import Runner


class UnfitError(Exception):
    """The reference provider raised what no provider may raise: a fault of the kit, in generator or provider."""


def perform(rules: Rules, runner: Runner, step: Step) -> Observation:
    """Do a step on the reference provider, and record what it changed.

    Raises:
        UnfitError: It raised what is no exception of the API.
    """
    seen = runner.step(step, listening=rules.listening())
    if "raises" in seen and not seen["raises"].endswith("Exception"):
        raise UnfitError(f"{step.to_json()}: {seen['raises']}: {seen.get('text')}")
    rules.note(step, seen)
    annotate(rules, step, seen)
    return seen


def annotate(rules: Rules, step: Step, seen: Observation) -> None:
    """Note in an outcome why the specification leaves part of it open."""
    consumer = rules.consumers.get(step.args.get("on", ""))
    if consumer is not None and consumer.end.contended:
        seen["open"] = "contended"
    if OPERATIONS[step.do].compared is Compared.SELECTION and not rules.quiet(step.args["of"]):
        seen["open"] = "in use"
    if OPERATIONS[step.do].browses and "ok" in seen:
        browser = rules.browsers[step.args["on"]]
        if (step.do == "next" and browser.stale) or not rules.quiet(browser.queue.name):
            seen["open"] = "in use"
