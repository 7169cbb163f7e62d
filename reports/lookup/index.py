"""The full-text index: a document for each row of the catalogue, with its tests and words from a recorded run.

SQLite's FTS5 with stemming, through sqlite-utils; in memory, or in a file that is reused until one of its sources changes.
May import `tck.catalogue`, `tck.record`.
"""

from __future__ import annotations

import hashlib
import itertools
import sqlite3
import weakref
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import sqlite_utils

from tck import __version__
from tck.catalogue import Assertion, Catalogue
from tck.catalogue.sections import chapter_title, section_title
from tck.record import Bundle
from tck.reports.lookup import query

COLUMNS = {"title": 8.0, "statement": 6.0, "place": 3.0, "tests": 2.5, "how": 2.0, "terms": 1.5, "seen": 0.6}
"""The columns of a document, and the weight of a word in each."""
_TESTED = 1.2
"""The weight of rows that have a test."""
_MOST = 8
"""The most words of a question that are combined."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A row that was found; `score` is higher if more of the words are in columns of more weight."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a search. `partial` if no row has all the words; `missing` are words that no row has."""

    words: tuple[str, ...]
    hits: tuple[Hit, ...]
    partial: bool
    missing: tuple[str, ...]
    suggestions: tuple[str, ...]
    """Words of the catalogue that are similar to the missing ones."""


class Index:
    """The documents, ready for searches."""

    def __init__(self, database: sqlite_utils.Database) -> None:
        self._database = database
        weakref.finalize(self, database.close)

    def search(self, question: str, limit: int) -> Found:
        """Find the rows with all the words, or else those with some of them."""
        asked = query.asked(question)
        missing = tuple(word for word in asked if not self._rows(_term(word), 1))
        present = [word for word in asked if word not in missing]
        if not present:
            return Found(asked, (), False, missing, self._near(missing))
        for dropped in range(len(present)):
            hits = self._best(present, dropped, limit)
            if hits:
                more = self._best(present, dropped + 1, limit) if dropped + 1 < len(present) else ()
                chosen = {hit.id: hit for hit in (*hits, *more)}
                return Found(
                    asked, tuple(chosen.values())[:limit], bool(dropped or missing), missing, self._near(missing)
                )
        return Found(asked, (), False, missing, self._near(missing))

    def _best(self, present: Sequence[str], dropped: int, limit: int) -> tuple[Hit, ...]:
        hits = self._rows(_all_but(present, dropped), 3 * limit)
        return tuple(sorted(hits, key=lambda hit: -hit.score)[:limit])

    def _rows(self, match: str, limit: int) -> tuple[Hit, ...]:
        weights = ", ".join(str(weight) for weight in COLUMNS.values())
        sql = (
            f"SELECT docs.id AS id, docs.tested AS tested, bm25(docs_fts, {weights}) AS rank FROM docs_fts JOIN docs ON docs.rowid = docs_fts.rowid "  # noqa: S608 - numbers of our own
            "WHERE docs_fts MATCH ? ORDER BY rank, docs.place_order LIMIT ?"
        )
        return tuple(
            Hit(str(row["id"]), -float(row["rank"]) * (_TESTED if row["tested"] else 1))
            for row in self._database.query(sql, (match, limit))
        )

    def _near(self, missing: Sequence[str]) -> tuple[str, ...]:
        import difflib  # noqa: PLC0415 - only words that are not found need it

        if not missing:
            return ()
        known = [str(row["word"]) for row in self._database.query("SELECT word FROM spellings")]
        near = (each for word in missing for each in difflib.get_close_matches(word, known, n=3, cutoff=0.7))
        return tuple(dict.fromkeys(near))


def _all_but(present: Sequence[str], dropped: int) -> str:
    """Return the expression for rows with all but some of the words; only the first words of a long question are combined."""
    chosen = present[:_MOST]
    ways = itertools.combinations(chosen, max(1, len(chosen) - dropped))
    return " OR ".join(f"({' AND '.join(map(_term, way))})" for way in ways)


def _term(word: str) -> str:
    """Return the FTS5 expression for a word and its synonyms, quoted, so that nothing in it is an operator.

    A longer word also finds those that begin with it.
    """
    ways = [f'"{each}"' for each in query.alike(word)]
    if len(word) > 3:
        ways.append(f'"{word}" *')
    return f"({' OR '.join(ways)})"


def open_index(
    catalogue: Catalogue, tests: Mapping[str, str], recorded: Bundle | None = None, file: Path | None = None
) -> Index:
    """Open the index, or build it if there is none for these sources.

    Args:
        catalogue: The rows.
        tests: Names and docstrings of the tests, by row.
        recorded: A run of the reference provider; its calls, exceptions and behaviours become searchable.
        file: The file of the index; None keeps it in memory. A file that cannot be read or written is ignored.
    """
    key = _key(catalogue, tests, recorded)
    if file is not None:
        kept = _kept(file, key)
        if kept is not None:
            return kept
    database = sqlite_utils.Database(memory=True)
    documents = list(_documents(catalogue, tests, seen(recorded) if recorded else {}))
    database.table("docs").insert_all(documents, pk="id")
    database.table("docs").enable_fts(list(COLUMNS), tokenize="porter unicode61 remove_diacritics 2")
    texts = (str(document[column]) for document in documents for column in ("title", "statement", "place", "terms"))
    spellings = {word for text in texts for word in query.asked(text) if len(word) > 3}
    database.table("spellings").insert_all([{"word": word} for word in sorted(spellings)], pk="word")
    database.table("about").insert({"key": key})
    if file is not None:
        _keep(database, file)
    return Index(database)


def _key(catalogue: Catalogue, tests: Mapping[str, str], recorded: Bundle | None) -> str:
    digest = hashlib.blake2b(digest_size=12)
    run = f"{recorded.run.run} {recorded.path}" if recorded else ""
    for part in (
        __version__,
        str(COLUMNS),
        catalogue.digest,
        run,
        *(f"{key} {text}" for key, text in sorted(tests.items())),
    ):
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()


def _kept(file: Path, key: str) -> Index | None:
    if not file.is_file():
        return None
    try:
        database = sqlite_utils.Database(sqlite3.connect(f"file:{file.absolute()}?mode=ro", uri=True))
    except sqlite3.Error:
        return None
    try:
        whole = next(iter(database.query("PRAGMA quick_check")))["quick_check"] == "ok"
        about = next(iter(database.query("SELECT key FROM about")), {}) if whole else {}
    except sqlite3.Error:
        about = {}
    if about.get("key") == key:
        return Index(database)
    database.close()
    return None


def _keep(database: sqlite_utils.Database, file: Path) -> None:
    """Write the index atomically."""
    beside = file.with_name(file.name + ".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.unlink(missing_ok=True)
        target = sqlite3.connect(beside)
        try:
            database.conn.backup(target)
        finally:
            target.close()
        beside.replace(file)
    except (OSError, sqlite3.Error):
        return


def _documents(
    catalogue: Catalogue, tests: Mapping[str, str], recorded: Mapping[str, str]
) -> Iterator[dict[str, object]]:
    for number, row in enumerate(catalogue.values()):
        document = {
            "title": row.title.replace("-", " "),
            "statement": query.spelled(row.statement),
            "place": f"{chapter_title(row.chapter)} {_titles(row.section)}",
            "tests": query.spelled(tests.get(row.id, "")),
            "how": query.spelled(f"{row.how} {row.saboteur} {row.draft_difference}"),
            "terms": query.spelled(_terms(row)),
            "seen": query.spelled(recorded.get(row.id, "")),
        }
        yield {"id": row.id, "place_order": number, "tested": row.id in tests, **document}


def _titles(section: str) -> str:
    parts = section.split(".")
    names = (section_title(".".join(parts[: at + 1])) for at in range(len(parts)))
    return " ".join(name for name in names if name)


def _terms(row: Assertion) -> str:
    domains = {"ptp": "queue point-to-point", "pubsub": "topic publish subscribe"}
    only = domains.get(row.domains[0], "") if len(row.domains) == 1 else ""
    return " ".join([*row.features, row.hook, row.level, only, row.source, *row.official])


def seen(bundle: Bundle) -> dict[str, str]:
    """Return the words that a run adds, by row: behaviours, names of calls, raised exceptions."""
    texts_of: dict[str, set[str]] = defaultdict(set)
    for id_, results in bundle.by_assertion.items():
        for result in results:
            if result.verdicts and next(iter(result.verdicts)) == id_:
                texts_of[id_] |= {text for text in (result.behaviour,) if text}
                texts_of[id_] |= _called(bundle.events(result.case, result.attempt))
    return {id_: " ".join(sorted(texts)) for id_, texts in texts_of.items()}


def _called(events: Iterable[Mapping[str, object]]) -> set[str]:
    names: set[str] = set()
    for event in events:
        names.add(str(event["op"]))
        error = event.get("error")
        if isinstance(error, Mapping):
            names.add(str(error.get("type")))
    return names
