"""Commands on a provider's file: `python -m reference_provider inspect FILE` and `... peek FILE DESTINATION`.

Both only read, and work while a provider runs on the file.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reference_provider.clock import RealClock
from reference_provider.store.inspect import inspect, peek
from tck.api import JMSException

if TYPE_CHECKING:
    from reference_provider.store.inspect import FileReport, MessageReport

_FORMAT = click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Inspect the database of a reference provider."""


@main.command("inspect")
@click.argument("file", type=click.Path(path_type=Path))
@_FORMAT
def inspect_command(file: Path, form: str) -> None:
    """Show destinations, durable subscriptions, backlogs, prepared branches and bound names."""
    try:
        report = inspect(file, RealClock().now())
    except JMSException as error:
        raise click.ClickException(str(error)) from error
    click.echo(json.dumps(asdict(report), indent=2) if form == "json" else report_text(report))


@main.command("peek")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("destination")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="how many messages at most")
@_FORMAT
def peek_command(file: Path, destination: str, limit: int, form: str) -> None:
    """Show the first messages stored for a destination, in the order of delivery; nothing is consumed."""
    try:
        messages = peek(file, destination, limit)
    except JMSException as error:
        raise click.ClickException(str(error)) from error
    click.echo(json.dumps([asdict(one) for one in messages], indent=2) if form == "json" else messages_text(messages))


def report_text(report: FileReport) -> str:
    """Format a report for a reader."""
    lines = ["destinations"]
    lines += [
        f"  {one.kind} {one.name}: {one.messages} messages, {one.delayed} of them delayed, {one.expired} expired"
        for one in report.destinations
    ] or ["  none"]
    lines.append("durable subscriptions")
    lines += [
        f"  {one.name} of {one.client_id or 'no client identifier'} on {one.topic}: {one.backlog} messages"
        f"{', shared' if one.shared else ''}{', noLocal' if one.no_local else ''}"
        f"{f', selector {one.selector}' if one.selector else ''}"
        for one in report.subscriptions
    ] or ["  none"]
    lines.append("prepared branches")
    lines += [
        f"  {one.format_id}:{one.global_transaction_id}:{one.branch_qualifier}: {one.state}, {one.sent} sent,"
        f" {one.received} received"
        for one in report.branches
    ] or ["  none"]
    lines.append("bound names")
    lines += [f"  {name}" for name in report.names] or ["  none"]
    return "\n".join(lines)


def messages_text(messages: list[MessageReport]) -> str:
    """Format messages for a reader: one line of headers, one line of body."""
    if not messages:
        return "no messages"
    lines = []
    for one in messages:
        notes = [f"priority {one.priority}"]
        notes += [f"due {one.due}"] if one.due > one.headers.get("timestamp", one.due) else []
        notes += [f"expires {one.expires}"] if one.expires else []
        notes += [f"delivered {one.deliveries} times"] if one.deliveries else []
        notes += ["prepared"] if one.prepared else []
        lines.append(f"{one.number}  {json.dumps(one.headers)}  ({', '.join(notes)})")
        lines.append(f"    {'no body' if one.body is None else one.body}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
