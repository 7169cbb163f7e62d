"""`tck field-report`: a site of several products in several releases, their defects worst first; it touches no provider."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import click

from tck.cli.reproduce_command import profile_of, program_of
from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json, table
from tck.profile import AdapterError, Profile, ProfileError
from tck.profile.releases import Release
from tck.record import Bundle, BundleError, Exit
from tck.record.runs import RUNS, run_folders
from tck.reports import earlier_runs
from tck.reports.html.field_site import EFFECTS, ShowingProgram, write_field_report
from tck.reports.html.paths import STYLE
from tck.reports.read import load
from tck.reports.reproduce import CannotReproduce
from tck.reports.runs.field import Defect, Product, ReleaseRun, products, release_run
from tck.reports.verdict_snapshot import VerdictSnapshot, of_bundle
from tck.reports.verdict_tree import build

TRIED = 5
"""The most cases of a defect for which a program is tried."""


@click.command("field-report")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@click.option(
    "--history",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="STORE",
    help="A history store (`tck pipeline ingest`): the releases in it whose bundle is gone are shown by their verdicts.",
)
@choices.out_option
@choices.format_option
def command(folder: Path, runs: tuple[str, ...], history: Path | None, out: Path, form: str) -> int:
    """Write a site of several products in several releases into DIR: their defects, worst first, and since when.

    Each RUN is the folder of a run, its id, or `latest`. Default: the newest whole run of each release. A profile whose name
    ends in a release, as `tck releases` makes them, is that release of a product. For each defect of the newest release there is
    a program that shows it without the kit.
    """
    if folder.is_dir() and any(folder.iterdir()) and not (folder / STYLE).is_file():
        raise Problem(
            f"{folder}: expected an empty folder or that of an earlier report, saw other files; name another one"
        )
    opened = [bundles.open_bundle(run, out) for run in runs] if runs else _whole_runs(out)
    driven = [bundle.run.run for bundle in opened if bundle.run.kind != "suite"]
    if driven:
        raise Problem(f"{', '.join(driven)}: expected runs of the suite, saw a workload")
    try:
        found = products(_newest_of_each((*_recorded(opened), *(_remembered(history, opened) if history else ()))))
    except earlier_runs.HistoryError as error:
        raise Problem(str(error)) from error
    lacking = [f"{each.name} {each.newest.release}" for each in found if each.newest.tree is None]
    if lacking:
        raise Problem(
            f"only the history knows {', '.join(lacking)}; give a bundle of the newest release of each product"
        )
    try:
        index = write_field_report(found, folder, _programs())
    except OSError as error:
        raise Problem(f"cannot write {error.filename or 'the field report'}: {error.strerror}") from error
    if form == "json":
        emit_json({"products": [_json(each) for each in found], "written": str(index.absolute())})
    else:
        emit(f"{_table(found)}\n{index}")
    return Exit.CONFORMANT


def _whole_runs(out: Path) -> list[Bundle]:
    found = []
    for each in run_folders(out):
        try:
            bundle = Bundle.open(each)
        except BundleError:
            continue
        if not bundle.run.selection:
            found.append(bundle)
    if not found:
        raise Problem(f"no whole run has ended under {out / RUNS}; `tck releases` makes them, or name the runs")
    return found


def _recorded(opened: Iterable[Bundle]) -> Iterable[ReleaseRun]:
    known = choices.catalogue()
    return (release_run(of_bundle(bundle), build(load(bundle), known)) for bundle in opened)


def _remembered(store: Path, opened: Iterable[Bundle]) -> Iterable[ReleaseRun]:
    """Yield the suite runs of a history that are not among the bundles."""
    known = {bundle.run.run for bundle in opened}
    with earlier_runs.unchanged(store):
        for each in earlier_runs.origins(store):
            if each.run not in known and each.kind == "suite":
                yield release_run(
                    VerdictSnapshot(str(store), "history", (each,), earlier_runs.case_verdicts(store, (each,)))
                )


def _newest_of_each(runs: Iterable[ReleaseRun]) -> list[ReleaseRun]:
    """Return the newest run of each release, those of a product from the oldest release to the newest."""
    newest: dict[tuple[str, str], ReleaseRun] = {}
    for run in sorted(runs, key=lambda each: (each.tree is not None, each.origin.at)):
        newest[run.product, run.release] = run
    return sorted(newest.values(), key=lambda each: _place(each.release))


def _place(release: str) -> tuple[bool, Release | str]:
    try:
        return True, Release.of(release)
    except ValueError:
        return False, release


def _programs() -> Callable[[Product, Defect], ShowingProgram | None]:
    profiles: dict[str, Profile] = {}

    def program(product: Product, defect: Defect) -> ShowingProgram | None:
        report = product.newest.tree.run if product.newest.tree else None
        if report is None:
            return None
        try:
            opened = profiles.setdefault(product.name, profiles.get(product.name) or profile_of(report))
        except ProfileError:
            return None
        for case in defect.cases[:TRIED]:
            try:
                return ShowingProgram(*program_of(report, case, opened))
            except (CannotReproduce, BundleError, AdapterError, Problem):
                continue
        return None

    return program


def _json(product: Product) -> dict[str, object]:
    return {
        "product": product.name,
        "title": product.title,
        "releases": [each.release for each in product.releases],
        "defects": [
            {
                "title": each.title,
                "effect": each.effect,
                "rows": list(each.rows),
                "seen": dict(zip((run.release for run in product.releases), each.seen, strict=True)),
            }
            for each in product.defects
        ],
    }


def _table(found: Iterable[Product]) -> str:
    head = ["product", "newest", "releases", *(label.lower() for label in EFFECTS.values())]
    rows = [
        [each.name, each.newest.release, len(each.releases), *(each.counts[-1][effect] for effect in EFFECTS)]
        for each in found
    ]
    return table(head, rows, right=head[2:])
