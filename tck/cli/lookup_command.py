"""`tck lookup WORDS | ID`: what does the reference provider do when ...? The rule, the evidence, and how others differ."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tck import __version__
from tck.catalogue import Assertion, Catalogue
from tck.catalogue.errors import did_you_mean
from tck.cli.explain_command import find_row
from tck.cli.list_command import row_json, tier_version
from tck.cli.support import bundles, choices
from tck.cli.support.console import Problem, emit, emit_json, note, stdout_to_stderr
from tck.cli.support.suite_tests import files_naming, ids_tested, suite_tests
from tck.record import Bundle, BundleError, Exit, Run
from tck.record.lines import read_object
from tck.reports.show import one_line

if TYPE_CHECKING:
    from tck.reports.lookup.index import Found

LOOK_BACK = 40
"""Runs that are looked into for one of the reference provider."""
MOST_OTHERS = 5
"""Other providers whose runs are named."""
_WIDER = 10
"""How many times more rows are looked at where only some are in force."""
_ID = re.compile(
    r"(?<![\w.-])(?:(\d+(?:\.\d+)+)\s*[-\u2010-\u2014_]\s*(\d+)((?:/[\w/-]+)?)"  # a row, or a case of it
    r"|(?:\u00a7\s*|section\s+)(\d+(?:\.\d+)*)|(\d+(?:\.\d+){2,}))(?![\w-]|\.\d)",  # a section; 2.0 alone is a version
    re.IGNORECASE,
)
PLACE = "lookup"
"""The folder under the output folder that holds the index, and what was recorded for an answer."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked: the rows that answer it, the best first, a case if one was named, and how they were found."""

    rows: tuple[Assertion, ...]
    case: str = ""
    found: Found | None = None
    by: str = "words"


@click.command("lookup")
@click.argument("words", nargs=-1, required=True, metavar="WORDS | ID")
@click.option(
    "--run", "run", metavar="RUN", help="The recorded run of the reference provider to tell from (default: the newest)."
)
@click.option(
    "--with",
    "others",
    multiple=True,
    metavar="RUN",
    help="A run of another provider, to tell how it differs; repeatable.",
)
@choices.tier_option
@click.option("-n", "limit", type=click.IntRange(1, 100), default=8, show_default=True, help="Rows listed.")
@click.option("--all", "everything", is_flag=True, help="Show also the calls that only set things up.")
@click.option("--no-record", is_flag=True, help="Run nothing where no run is recorded; tell the rule alone.")
@choices.out_option
@choices.format_option
def command(
    words: tuple[str, ...],
    run: str | None,
    others: tuple[str, ...],
    tier: str,
    limit: int,
    everything: bool,
    no_record: bool,
    out: Path,
    form: str,
) -> int:
    """Answer "what does the reference provider do when ...?".

    WORDS are searched for in rules, tests and what was recorded; ID is a row (6.2.7-6), a case of one
    (6.2.7-6/queue/classic/auto), a section of any version (6.2.7, 4.4.11) or an official number (JMS:SPEC:123).
    The best row is told in full: the rule, what the reference provider did step by step, and the case to run.
    """
    from tck.reports.lookup import render  # noqa: PLC0415 - help needs neither numpy nor SQL
    from tck.reports.lookup.answer import answer  # noqa: PLC0415 - likewise
    from tck.reports.lookup.render import in_force  # noqa: PLC0415 - likewise

    known = choices.catalogue()
    version = tier_version(tier)
    reference = bundles.open_bundle(run, out) if run else Recording(out, known, version).newest()
    asked = _asked(" ".join(words), known, reference, out, limit if not version else _WIDER * limit)
    if version and asked.by != "id":
        inside = tuple(each for each in asked.rows if each.applies_to(version))
        asked = replace(asked, rows=inside or asked.rows)
    row = asked.rows[0]
    compared = [bundles.open_bundle(other, out) for other in others]
    if version and not row.applies_to(version):
        raise Problem(
            f"{row.id} is not in force in {tier}: {in_force(row)}; without --tier it is told as it stands now"
        )
    if run is None:
        # What a later version dropped is shown as the last one had it.
        recording = Recording(out, known, version or row.until, tier or row.until)
        at_hand = reference if (version or row.until) == version else None
        reference = _telling(row, asked.case, at_hand, recording, record=not no_record)
    _check_case(asked.case, row, [*([reference] if reference else []), *compared])
    found = answer(row, known, reference, compared, asked.case, lambda recorded: _changed(recorded, known))
    if form == "json":
        emit_json(
            {
                "query": " ".join(words),
                "by": asked.by,
                "hits": [_hit(each) for each in asked.rows[:limit]],
                "missing": list(asked.found.missing) if asked.found else [],
                "row": {
                    **row_json(row, tested=row.id in ids_tested()),
                    "statement": row.statement,
                    "sections": dict(row.sections),
                    "restates": list(found.group),
                    "how": row.how,
                },
                "reference": render.did_json(found.reference),
                "others": [render.other_json(other) for other in found.others],
            }
        )
    else:
        hint = [] if others or found.reference is None else _elsewhere(out)
        emit(
            "\n".join(
                [
                    *_found(asked),
                    *render.text(found, setup=everything, tested=row.id in ids_tested()),
                    *hint,
                    *_further(asked, limit),
                ]
            )
        )
    return Exit.CONFORMANT


def _hit(row: Assertion) -> dict[str, Any]:
    return {"id": row.id, "level": row.level.value, "title": row.title, "statement": row.statement}


# -- what was asked ------------------------------------------------------------------------------------------------------


def _asked(text: str, known: Catalogue, reference: Bundle | None, out: Path, limit: int) -> Asked:
    """Find the rows that a question is about.

    Raises:
        Problem: there is none; the message says what comes near.
    """
    if not text.strip():
        raise Problem("expected words or an id, saw nothing; for instance `tck lookup redelivered after rollback`")
    text = _named(text)
    id_, _, point = text.strip().partition("/")
    if id_ in known:
        return Asked((known[id_],), text.strip() if point else "", by="id")
    if text.strip().upper().startswith("JMS:"):
        return _official(text.strip().upper(), known)
    if id_.replace(".", "").replace("-", "").isdigit():
        return _numbered(id_, known)
    return _searched(text, known, reference, out, limit)


def _named(text: str) -> str:
    """Give the row, case or section that a text names, however it spells it; the text itself where it names none."""
    found = _ID.search(text)
    if found is None:
        return text.strip()
    return f"{found[1]}-{found[2]}{found[3]}" if found[1] else found[4] or found[5]


def _official(number: str, known: Catalogue) -> Asked:
    """Find the rows that carry a number of the official list."""
    official = known.official_spec.get(number)
    if official is None:
        raise Problem(f"the official list has no number {number}{did_you_mean(number, known.official_spec)}")
    if not official.rows:
        raise Problem(f"no row carries {number}, which stands in {official.section} of the official list")
    return Asked(_telling_first([known[each] for each in official.rows]), by="official")


def _numbered(id_: str, known: Catalogue) -> Asked:
    """Find the rows of a section, as Jakarta Messaging 3.1 counts, else as an earlier text does."""
    if "-" in id_:
        return Asked((find_row(id_, known),), by="id")
    rows = known.section(id_) or known.within(id_)
    if rows:
        return Asked(_telling_first(rows), by="section")
    earlier = tuple(row for row in known.values() if id_ in row.sections.values())
    if earlier:
        return Asked(_telling_first(earlier), by="section")
    raise Problem(f"no text has rows in a section {id_}{did_you_mean(id_, known.sections)}; `tck list` shows them all")


def _telling_first(rows: Sequence[Assertion]) -> tuple[Assertion, ...]:
    """Put the first row that a case can show before all others."""
    tested = ids_tested()
    return tuple(sorted(rows, key=lambda row: row is not next((each for each in rows if each.id in tested), rows[0])))


def _searched(text: str, known: Catalogue, reference: Bundle | None, out: Path, limit: int) -> Asked:
    from tck.reports.lookup.index import open_index  # noqa: PLC0415 - ids are found without SQL

    tests: dict[str, list[str]] = defaultdict(list)
    for test in suite_tests():
        for each in test.assertions:
            tests[each].append(f"{test.name} {test.title}")
    said = {each: " ".join(texts) for each, texts in tests.items()}
    file = out / PLACE / "index.sqlite" if reference is not None else None
    found = open_index(known, said, reference, file).search(text, limit)
    if found.hits:
        return Asked(tuple(known[hit.id] for hit in found.hits), found=found)
    if not found.words:
        raise Problem(f'"{text}" holds no word to look for; for instance `tck lookup redelivered after rollback`')
    near = f"; near are {', '.join(found.suggestions)}" if found.suggestions else "; `tck list` shows every row"
    raise Problem(f"no row is about {' '.join(found.words)}{near}")


# -- runs ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Recording:
    """What a recorded run of the reference provider has to be like: where, by this kit and which catalogue, in which version."""

    out: Path
    catalogue: Catalogue
    version: str
    """Empty for what the profile claims."""
    tier: str = ""

    def fits(self, about: Mapping[str, Any]) -> bool:
        """Whether `run.json` tells of the reference provider as it is: no setting overridden, this catalogue and version."""
        profile = about["profile"]
        return (
            profile["name"] == choices.DEFAULT_PROFILE
            and profile["tier"] == (self.version or profile["claims"]["version"])
            and about["catalogue"]["digest"] == self.catalogue.digest
            and about["kit"]["version"] == __version__
            and about["kind"] == "suite"
            and not any(word.startswith("--setting") for word in about["command"])
        )

    def newest(self, row: str = "") -> Bundle | None:
        """Open the newest run that fits, and, where a row is named, that has a case of it."""
        for place in (self.out, self.out / PLACE):
            for folder in bundles.run_folders(place)[: -LOOK_BACK - 1 : -1]:
                bundle = self._opened(folder)
                if bundle is not None and (not row or row in bundle.by_assertion):
                    return bundle
        return None

    def _opened(self, folder: Path) -> Bundle | None:
        try:
            return Bundle.open(folder) if self.fits(read_object(folder / "run.json", todo="")) else None
        except (BundleError, KeyError, TypeError):
            return None

    def record(self, row: Assertion) -> Bundle | None:
        """Run the cases of a row on the reference provider, which takes a moment, and give the bundle."""
        from tck.cli.support.pytest_session import run_suite  # noqa: PLC0415 - only where nothing is recorded

        place = self.out / PLACE
        try:
            (place / "runs").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            note(
                f"tck: {row.id} is not recorded and {place} cannot be written ({error.strerror}); --out names another place"
            )
            return None
        note(f"tck: no run of the reference provider has {row.id} as the catalogue stands; recording its cases")
        words = [
            "--profile",
            choices.DEFAULT_PROFILE,
            "--points",
            "all",
            "--seed",
            "0",
            "--no-report",
            "-p",
            "no:terminal",
        ]
        words += ["--tier", self.tier] if self.tier else []
        with stdout_to_stderr():
            ended = run_suite([*words, "--out", str(place), "--select", row.id], files_naming({row.id}), workers=0)
        try:
            return Bundle.open(ended.state.options.bundle) if ended.state else None
        except BundleError as error:
            note(f"tck: the cases of {row.id} could not be recorded: {error}")
            return None


def _telling(
    row: Assertion, case: str, reference: Bundle | None, recording: Recording, *, record: bool
) -> Bundle | None:
    """Give the run to tell from: the one at hand if it has the row, else another, else record the row now."""

    def has(bundle: Bundle | None) -> bool:
        if bundle is None or row.id not in bundle.by_assertion:
            return False
        return not case or any(each.case == case for each in bundle.cases())

    if has(reference):
        return reference
    other = recording.newest(row.id)
    if has(other):
        return other
    if not record or not row.judged or row.id not in ids_tested():
        return reference
    return recording.record(row) or reference


def _changed(run: Run, known: Catalogue) -> dict[str, tuple[str, str]]:
    """Tell what a verdict rests on that is another now than when a run was recorded: kit, catalogue, profile of the kit."""
    from tck.profile import load_profile, play, profile_names  # noqa: PLC0415 - only where there is a run

    told = {
        "kit": (run.kit.version, __version__),
        "catalogue": (run.catalogue.digest, known.digest),
    }
    if run.profile.name in profile_names():
        now = load_profile(run.profile.name, known)
        if run.profile.digest != play(now, run.profile.tier).digest:
            told["profile"] = (run.profile.digest, now.digest)
    return {name: (old, new) for name, (old, new) in told.items() if old != new}


def _check_case(case: str, row: Assertion, runs: Sequence[Bundle]) -> None:
    """Refuse the name of a case that no run has.

    Raises:
        Problem: with the cases that there are.
    """
    if not case or any(each.case == case for bundle in runs for each in bundle.cases()):
        return
    names = [result.case for bundle in runs for result in bundle.by_assertion.get(row.id, ())]
    there = ", ".join(dict.fromkeys(names)) or f"none of {row.id}"
    raise Problem(f"no case {case}{did_you_mean(case, names)}; there are {there}")


# -- text ----------------------------------------------------------------------------------------------------------------


def _found(asked: Asked) -> list[str]:
    """Say how the row was found where that is not plain."""
    found = asked.found
    if found is None or not found.loose:
        return []
    missing = f"no row has {', '.join(found.missing)}" if found.missing else "no row has all of the words"
    near = f" (near are {', '.join(found.suggestions)})" if found.suggestions else ""
    return [f"{missing}{near}; this comes nearest", ""]


def _elsewhere(out: Path) -> list[str]:
    """Name the newest run of each other provider, which `--with` could tell of."""
    newest: dict[str, str] = {}
    for folder in bundles.run_folders(out)[: -LOOK_BACK - 1 : -1]:
        try:
            about = read_object(folder / "run.json", todo="")
            profile, kind = str(about["profile"]["name"]), str(about["kind"])
        except (BundleError, KeyError, TypeError):
            continue
        if kind == "suite" and profile != choices.DEFAULT_PROFILE:
            newest.setdefault(profile, folder.name)
    told = [
        f"{one_line(profile, 40)} (--with {one_line(run, 60)})" for profile, run in list(newest.items())[:MOST_OTHERS]
    ]
    return ["", f"Recorded too: {', '.join(told)}"] if told else []


def _further(asked: Asked, limit: int) -> list[str]:
    rest = asked.rows[1:limit]
    if not rest:
        return []
    left = len(asked.rows) - limit
    width = max(len(row.id) for row in rest)
    lines = ["", "See also", *(f"  {row.id:<{width}}  {row.level:<6}  {row.statement}" for row in rest)]
    return [*lines, f"  and {left} more; -n lists them"] if left > 0 else lines
