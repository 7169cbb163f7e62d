"""`tck report`: write reports from a run bundle; it never touches a provider."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from tck.catalogue import Catalogue
from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json, note
from tck.record import Bundle, Exit

EXPORTS = ("junit", "json", "markdown", "badge", "allure")
"""Kinds of report beside the site; each is `write(bundle, target, catalogue)` of the module of its name in reports.export."""

_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command("report")
@click.argument("run", metavar="[RUN]", default=bundles.LATEST)
@click.option("--html", type=_FOLDER, metavar="DIR", help="The site: overview, chapters, assertions, cases, coverage.")
@click.option(
    "--detection",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The output of `tck detect --format json`, for the detection page of the site.",
)
@click.option(
    "--history",
    type=_FOLDER,
    metavar="DIR",
    help="A history store (`tck pipeline ingest`): the site shows trends beside the run.",
)
@click.option("--junit", type=_FILE, metavar="FILE", help="JUnit XML.")
@click.option("--json", type=_FILE, metavar="FILE", help="The whole run as one JSON document.")
@click.option("--markdown", type=_FILE, metavar="FILE", help="A summary in Markdown.")
@click.option("--badge", type=_FILE, metavar="FILE", help="A badge as SVG.")
@click.option("--allure", type=_FOLDER, metavar="DIR", help="Results for Allure.")
@click.option(
    "--cases",
    type=click.Choice(["surprises", "all"]),
    default="surprises",
    show_default=True,
    help="Which cases get a page of the site: all, or those that need attention; the others are lines.",
)
@click.option("--allow-truncated", is_flag=True, help="Report what is there of a run that was killed.")
@choices.out_option
@choices.format_option
def command(
    run: str,
    html: Path | None,
    detection: Path | None,
    history: Path | None,
    cases: str,
    allow_truncated: bool,
    out: Path,
    form: str,
    **targets: Path | None,
) -> int:
    """Write reports from a run bundle.

    RUN is the folder of a run, its id, or `latest` (default). Without an option that names a report, HTML is written to
    html/RUN under the output folder.
    """
    known = choices.catalogue()
    bundle = bundles.open_bundle(run, out, allow_truncated=allow_truncated)
    if html is None and (detection is not None or history is not None or not any(targets.values())):
        html = out / "html" / bundle.run.run
    written: dict[str, Path] = {}
    try:
        if html is not None:
            written["html"] = _site(bundle, html, known, cases, detection, history, out)
        for kind in EXPORTS:
            target = targets[kind]
            if target is not None:
                written[kind] = _writer(kind)(bundle, target, known)
    except OSError as error:
        raise Problem(f"cannot write {error.filename or 'the report'}: {error.strerror}") from error
    if form == "json":
        paths = {kind: str(path.absolute()) for kind, path in written.items()}
        emit_json({"run": bundle.run.run, "bundle": str(bundle.path.absolute()), "written": paths})
    else:
        emit("\n".join(f"{kind:<8}  {path}" for kind, path in written.items()))
    return Exit.CONFORMANT


def _writer(kind: str) -> Callable[[Bundle, Path, Catalogue], Path]:
    writer: Callable[[Bundle, Path, Catalogue], Path] = importlib.import_module(f"tck.reports.export.{kind}").write
    return writer


def _site(
    bundle: Bundle,
    folder: Path,
    known: Catalogue,
    cases: str,
    detection: Path | None,
    history: Path | None,
    out: Path,
) -> Path:
    from tck.reports.earlier_runs import HistoryError, NothingEarlierError  # noqa: PLC0415 - only a site needs them
    from tck.reports.html import write_site  # noqa: PLC0415 - the templates are loaded only when a site is written

    found = _read(detection) if detection else None
    beside = bundles.reference_run(bundle, out, known)
    try:
        return write_site(bundle, folder, known, found, history, cases, beside)
    except NothingEarlierError as error:
        note(f"tck: {error}; the report shows no trends")
        return write_site(bundle, folder, known, found, cases=cases, reference=beside)
    except HistoryError as error:
        raise Problem(str(error)) from error


def _read(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Problem(f"--detection {path}: expected the output of `tck detect --format json`, saw {error}") from error
    if not isinstance(content, dict) or "saboteurs" not in content:
        raise Problem(f"--detection {path}: expected the output of `tck detect --format json`, saw another JSON value")
    return content
