"""`tck pipeline`: bundles into a store of Parquet, every trace property over it, tables over the runs of months.

Loads pyarrow and PySpark only when a subcommand needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import click

from tck.cli.support import choices
from tck.cli.support.bundles import find_folder
from tck.cli.support.console import Problem, emit, emit_json, note, table
from tck.record import BundleError, Exit
from tck.reports.pipeline.errors import NoMasterError, NoRoomError, NoSparkError, PipelineError, disk_errors

F = TypeVar("F", bound=Callable[..., Any])
PLANS = ("auto", "here", "files", "shuffle")


@click.group("pipeline")
def command() -> None:
    """Check traces of any size and keep the history of many runs, in a store of Parquet files.

    Needs the extra `spark`; Java only for large traces and for histories.
    """


def store_option(function: F) -> F:
    """Take `--store DIR`."""
    return click.option(
        "--store",
        "folder",
        required=True,
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="The store; `ingest` makes it.",
    )(function)


def master_option(function: F) -> F:
    """Take `--master URL`."""
    return click.option(
        "--master",
        default="local[*]",
        show_default=True,
        metavar="URL",
        help="The Spark master, if Spark is needed.",
    )(function)


@contextmanager
def problems() -> Iterator[None]:
    """Turn errors of bundles and stores into a message and an exit code."""
    try:
        yield
    except NoMasterError as error:
        raise Problem(str(error), Exit.PROVIDER_LOST) from error
    except NoSparkError as error:
        raise Problem(str(error), Exit.USAGE) from error
    except NoRoomError as error:
        raise Problem(f"{type(error).__name__}: {error}", Exit.KIT_ERROR) from error
    except (PipelineError, BundleError) as error:
        raise Problem(f"{type(error).__name__}: {error}", Exit.USAGE) from error


@command.command("ingest")
@click.argument("bundles", nargs=-1, required=True, metavar="RUN...")
@store_option
@click.option("--again", is_flag=True, help="Replace runs that the store has.")
@click.option("--allow-truncated", is_flag=True, help="Accept a run that did not end.")
@choices.out_option
@choices.format_option
def ingest_command(
    bundles: tuple[str, ...], folder: Path, again: bool, allow_truncated: bool, out: Path, form: str
) -> int:
    """Put run bundles into the store: operations, side tables, verdicts.

    RUN is a folder, the id of a run, or `latest`. A run that the store already has is unchanged.
    """
    from tck.reports.pipeline.ingest import ingest  # noqa: PLC0415 - an extra
    from tck.reports.pipeline.store import Store  # noqa: PLC0415 - likewise

    found = []
    with problems():
        store = Store.make(folder)
        for each in bundles:
            with disk_errors(out):
                path = Path(each) if Path(each).is_dir() else find_folder(each, out)
            done = ingest(store, path, again=again, allow_truncated=allow_truncated)
            found.append(done)
            if form == "text":
                state = "" if done.new else ", already there"
                emit(f"{done.run}: {done.kind}, {done.rows} operations, {done.verdicts} verdicts{state}")
    if form == "json":
        emit_json({"store": str(folder), "runs": [asdict(each) for each in found]})
    return Exit.CONFORMANT


@command.command("check")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@store_option
@master_option
@click.option(
    "--plan",
    type=click.Choice(PLANS),
    default="auto",
    show_default=True,
    help="Judge here, on Spark through files or through its shuffle; `auto`: here up to two million operations, else files.",
)
@click.option("--again", is_flag=True, help="Also judge runs that were judged before by the same definitions.")
@choices.format_option
def check_command(runs: tuple[str, ...], folder: Path, master: str, plan: str, again: bool, form: str) -> int:
    """Judge runs of the store by every trace property; all runs if none is named.

    Exit code 1 if one of them breaks an assertion, 5 if nothing was judged in any of them.
    """
    from tck.reports.pipeline.check import Plan, check  # noqa: PLC0415 - an extra
    from tck.reports.pipeline.spark.cluster import Cluster  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.store import Store  # noqa: PLC0415 - likewise

    with problems(), Cluster(master) as cluster:
        store = Store.open(folder)
        if plan in ("files", "shuffle"):
            cluster.start()
        found = [check(store, run, spark=cluster.judge, plan=Plan(plan), again=again) for run in runs or store.runs()]
    if form == "json":
        emit_json({"store": str(folder), "runs": [_as_json(each) for each in found]})
    else:
        for each in found:
            if len(found) > 1:
                emit(each.run)
            _show(each)
        if not found:
            note(f"tck: {folder} holds no run; `tck pipeline ingest RUN --store {folder}` adds one")
    exits = {each.exit for each in found}
    if Exit.VIOLATION in exits:
        return Exit.VIOLATION
    return Exit.CONFORMANT if Exit.CONFORMANT in exits else Exit.NOTHING_JUDGED


@command.command("history")
@store_option
@master_option
@choices.format_option
def history_command(folder: Path, master: str, form: str) -> int:
    """Derive the tables over all runs of the store, with Spark: matrix, transition, flaky, regression, latency, trace."""
    from tck.reports.pipeline.spark.cluster import Cluster  # noqa: PLC0415 - likewise
    from tck.reports.pipeline.spark.history_tables import make_history  # noqa: PLC0415 - an extra
    from tck.reports.pipeline.store import Store  # noqa: PLC0415 - likewise

    with problems(), Cluster(master, heavy=True) as cluster:
        made = make_history(Store.open(folder), cluster.session)
    if form == "json":
        emit_json({"store": str(folder), "runs": made.runs, "tables": dict(made.tables)})
    else:
        emit(table(("table", "rows"), list(made.tables.items()), ("rows",)))
        note(f"tck: history of {made.runs} runs under {folder / 'history'}")
    return Exit.CONFORMANT


def _as_json(checked: Any) -> dict[str, Any]:  # noqa: ANN401 - `CheckResult` is loaded with its extra
    return {
        "run": checked.run,
        "rows": checked.rows,
        "plan": checked.plan,
        "judged": list(checked.judged),
        "seconds": round(checked.seconds, 3),
        "properties": [{"property": name, **asdict(count)} for name, count in sorted(checked.properties.items())],
        "violations": sorted({row["assertion"] for row in checked.verdicts if row["verdict"] == "violation"}),
        "exit": int(checked.exit),
    }


def _show(checked: Any) -> None:  # noqa: ANN401 - as above
    counts = {
        name: count for name, count in sorted(checked.properties.items()) if count.obligations or count.violations
    }
    how = f"{len(checked.judged)} properties judged ({checked.plan})" if checked.judged else "judged before"
    note(f"tck: {checked.run}: {checked.rows} operations, {how}, {checked.seconds:.1f} s")
    rows = [(name, count.obligations, count.violations, count.undecided) for name, count in counts.items()]
    right = ("obligations", "violations", "undecided")
    emit(table(("property", *right), rows, right))
