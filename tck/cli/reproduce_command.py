"""`tck reproduce`: write a program without the kit that makes the recorded calls of one case and shows its fault."""

from __future__ import annotations

from pathlib import Path

import click

from tck.adapters.jvm.lock import read_lock
from tck.adapters.jvm.settings import Place, read_settings
from tck.catalogue.errors import did_you_mean
from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, note
from tck.profile import AdapterError, Profile, ProfileError, as_asked, load_profile
from tck.record import BundleError, Exit
from tck.reports.read import CaseReport, RunReport, load
from tck.reports.reproduce import (
    CannotReproduce,
    JavaSetup,
    PythonSetup,
    Reproduction,
    class_name,
    find,
    write_java,
    write_python,
)

_ARCHIVE = "@zip"


@click.command("reproduce")
@click.argument("run", metavar="RUN")
@click.argument("case", metavar="CASE")
@click.option(
    "--format",
    "form",
    type=click.Choice(["java", "python"]),
    help="The language; by default Java for a provider in Java, Python for any other.",
)
@click.option(
    "-p",
    "--profile",
    metavar="NAME|FILE",
    help="The provider that the program opens, if it is to be another than that of the run.",
)
@click.option("--every-call", is_flag=True, help="Make all recorded calls, not only those that the verdict depends on.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write the program into this folder, under the name of its class, and print its path and how to run it.",
)
@choices.out_option
def command(
    run: str, case: str, form: str | None, profile: str | None, every_call: bool, folder: Path | None, out: Path
) -> int:
    """Write a program without the kit that makes the recorded calls of a case and shows its fault.

    RUN is the folder of a run, its id, or `latest`; CASE the name of one of its cases, such as
    3.4.7-1/queue/classic/auto. The program prints the expected, the recorded and the seen answer of each call that the
    verdict rests on. It ends with 0 if the provider does right, 1 if it does as recorded, 2 if neither shows.
    """
    report, found_case = _case(run, case, out)
    try:
        opened = as_asked(load_profile(profile), "", ()) if profile else profile_of(report)
        form = form or _language(opened)
        found = find(report, found_case, every_call=every_call)
        text = write_java(found, java_setup(opened)) if form == "java" else write_python(found, _provider(opened))
    except (ProfileError, AdapterError, BundleError) as error:
        raise Problem(str(error)) from error
    except CannotReproduce as error:
        raise Problem(f"{case} cannot be reproduced without the kit: {error}", Exit.NOTHING_JUDGED) from error
    if folder is None:
        emit(text)
        note(f"tck: {_advice(found, form, opened, Path())}")
    else:
        emit(_written(text, found, form, opened, folder))
    return Exit.CONFORMANT


def program_of(report: RunReport, found: CaseReport, opened: Profile) -> tuple[str, str, str]:
    """Write the program of a case in the language of its provider: its file name, its text, and how to run it.

    Raises:
        CannotReproduce: No program can make the calls.
        BundleError: The events cannot be read.
    """
    form = _language(opened)
    part = find(report, found)
    text = write_java(part, java_setup(opened)) if form == "java" else write_python(part, _provider(opened))
    return _file_name(part, form), text, _advice(part, form, opened, Path())


def profile_of(report: RunReport) -> Profile:
    """Load the profile of a run with the tier, the release and the settings that its command line gave.

    Raises:
        ProfileError: There is no such profile now, or it is wrong.
    """
    return as_asked(load_profile(report.profile_option), _tier(report), report.settings)


def _language(profile: Profile) -> str:
    return "java" if profile.adapter.kind == "jvm" else "python"


def _file_name(found: Reproduction, form: str) -> str:
    return f"{class_name(found.report.name)}.{'java' if form == 'java' else 'py'}"


def _case(run: str, case: str, out: Path) -> tuple[RunReport, CaseReport]:
    """Find the case of a run.

    Raises:
        Problem: there is no such run or case, or the run is a workload.
    """
    report = load(bundles.open_bundle(run, out))
    if report.run.kind == "workload":
        raise Problem(
            f"run {report.run.run} is a workload, whose operations are no calls of a case; to drive the provider again: "
            f"{report.rerun()}"
        )
    found = next((each for each in report.cases if each.name == case), None)
    if found is not None:
        return report, found
    if any(each.case == case for each in report.unfinished):
        raise Problem(f"{case} left no result in run {report.run.run}; run it again: {report.rerun(case)}")
    names = [each.name for each in report.cases]
    beginning = [name for name in names if name.startswith(f"{case}/")]
    hint = f"; it has {', '.join(beginning[:3])}" if beginning else did_you_mean(case, names)
    raise Problem(f'run {report.run.run} has no case "{case}"{hint}')


def java_setup(profile: Profile) -> JavaSetup:
    """Return the broker and the factories of a profile as plain values.

    Raises:
        Problem: the provider is not in Java.
        AdapterError: a setting or the lock file is wrong.
    """
    if profile.adapter.kind != "jvm":
        raise Problem(f"profile {profile.name} is not of a Java provider; --format python writes a program for it")
    place = Place(profile.name, profile.path)
    settings = read_settings(profile.adapter.settings, place)
    names = () if settings.jars else read_lock(settings, place).coordinates
    return JavaSetup(
        profile=profile.name,
        namespace=settings.namespace,
        java=settings.java,
        dependencies=[each for each in names if not each.endswith(_ARCHIVE)],
        options=settings.options,
        driver=str(settings.broker.get("driver", "url")),
        broker_settings=settings.broker,
        factory=settings.factory,
        destinations=settings.destinations,
        jndi=bool(settings.jndi),
        folder=profile.path.parent,
    )


def _tier(report: RunReport) -> str:
    """Return the tier of a run whose profile claims another version."""
    run = report.run.profile
    return "" if run.tier == run.claims.version else run.tier


def _provider(profile: Profile) -> PythonSetup:
    """Return how a program opens the provider: the profile, and the settings that differ from its own."""
    own = load_profile(profile.reference).adapter.settings
    given = profile.adapter.settings
    return PythonSetup(_profile_name(profile), {key: each for key, each in given.items() if own.get(key) != each})


def _profile_name(profile: Profile) -> str:
    """Return a profile's name if the kit has it under that name, else its path."""
    try:
        own = load_profile(profile.name).reference == profile.reference
    except ProfileError:
        own = False
    return profile.name if own else str(profile.reference.resolve())


def _written(text: str, found: Reproduction, form: str, profile: Profile, folder: Path) -> str:
    target = folder / _file_name(found, form)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Problem(f"cannot write {target}: {error.strerror}") from error
    return f"{target}\n{_advice(found, form, profile, folder)}"


def _advice(found: Reproduction, form: str, profile: Profile, folder: Path) -> str:
    """Return how the program is run."""
    name = class_name(found.report.name)
    if form == "python":
        return f"run it with: python {folder / name}.py"
    file = folder / f"{name}.java"
    jars = f"$(python -m tck lock -p {_profile_name(profile)} --classpath)"
    own = f'java -cp "{jars}" {file}'
    fetched = profile.adapter.settings.get("coordinates", ())
    archived = not isinstance(fetched, list) or any(str(each).endswith(_ARCHIVE) for each in fetched)
    return f"run it with: {own}" if archived else f"run it with: jbang {file}, or: {own}"
