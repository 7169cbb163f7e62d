"""Load the catalogue: one pass that reads, checks and builds it. Imports the catalogue's own modules only."""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from tck.catalogue.companions import row_of_corpus, row_of_plans, rows_of_claims, rows_on_interworking
from tck.catalogue.errors import CatalogueError, did_you_mean
from tck.catalogue.lines import LineIndex, syntax_error
from tck.catalogue.model import (
    CORPUS,
    PLANS,
    Assertion,
    Catalogue,
    Level,
    OfficialApiId,
    OfficialSpecId,
    Subject,
    Testable,
)
from tck.catalogue.rows import RowReader
from tck.catalogue.rules import ID, RowRules, shape

DATA = Path(__file__).parent / "data"

FEATURES = "features.toml"
RESTATEMENTS = "restatements.toml"
SPEC_IDS = "official-spec-ids.csv"
SCENARIOS_FILE = "scenarios.toml"
INTERWORKING_FILE = "interworking.toml"
JAVADOC_IDS = "official-javadoc-ids.csv"

_SPEC_COLUMNS = ["id", "chapter", "section", "testable", "cited_by_standalone_suite"]
_JAVADOC_COLUMNS = [
    "id",
    "type",
    "method",
    "parameters",
    "returns",
    "throws",
    "testable",
    "cited_by_standalone_suite",
]
_ENUMS: tuple[tuple[str, Mapping[str, StrEnum]], ...] = (
    ("level", {str(member): member for member in Level}),
    ("subject", {str(member): member for member in Subject}),
    ("testable", {str(member): member for member in Testable}),
)
_FLAGS = {"true": True, "false": False, "yes": True, "no": False}


@functools.cache
def load_catalogue(directory: Path = DATA) -> Catalogue:
    """Read and check all rows, restatement groups, features and official ids; once for each folder.

    Args:
        directory: The folder of the data; the kit's own by default.

    Raises:
        CatalogueError: The first thing that breaks a rule, with file, line and key.
    """
    digest = hashlib.sha256()

    def read(file: Path) -> str:
        try:
            content = file.read_bytes().replace(b"\r\n", b"\n")  # one digest for any line ends of a checkout
        except OSError as error:
            raise CatalogueError(file, 0, "", f"cannot be read: {error.strerror}") from None
        digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
        try:
            return content.decode()
        except UnicodeDecodeError:
            raise CatalogueError(file, 0, "", "is not UTF-8; save it as UTF-8") from None

    features = _features(directory / FEATURES, read(directory / FEATURES))
    spec_ids = _spec_ids(directory / SPEC_IDS, read(directory / SPEC_IDS))
    rules = RowRules(features, spec_ids)
    rows = _Rows(rules)
    files = sorted(directory.glob("ch*.toml"))
    if not files:
        raise CatalogueError(directory, 0, "", "holds no ch*.toml; the kit is not installed completely")
    for file in files:
        rows.read(file, read(file))
    restatements = _restatements(directory / RESTATEMENTS, read(directory / RESTATEMENTS), rows.by_id)
    javadoc = read(directory / JAVADOC_IDS)

    citing: dict[str, list[str]] = {}
    for row in rows.by_id.values():
        for official in row.official:
            citing.setdefault(official, []).append(row.id)
    return Catalogue(
        rows.by_id.values(),
        restatements=restatements,
        features=features,
        official_spec=MappingProxyType(
            {
                row["id"]: OfficialSpecId(
                    id=row["id"],
                    chapter=row["chapter"],
                    section=row["section"],
                    testable=_FLAGS[row["testable"]],
                    cited=_FLAGS[row["cited_by_standalone_suite"]],
                    rows=tuple(citing.get(row["id"], ())),
                )
                for row in spec_ids.values()
            }
        ),
        official_javadoc=lambda: _javadoc_ids(directory / JAVADOC_IDS, javadoc),
        digest=f"sha256:{digest.hexdigest()}",
        claims=lambda: {
            **rows_of_claims(directory / SCENARIOS_FILE),
            f"{CORPUS}-1": row_of_corpus(),
            f"{PLANS}-1": row_of_plans(),
        },
        interworking=lambda: rows_on_interworking(directory / INTERWORKING_FILE),
    )


class _Rows:
    """Collects the rows of all files; ids are unique over them."""

    def __init__(self, rules: RowRules) -> None:
        self.by_id: dict[str, Assertion] = {}
        self._reader = RowReader()
        self._rules = rules

    def read(self, file: Path, text: str) -> None:
        chapters = tuple(str(int(number)) for number in re.findall(r"\d+", file.stem))
        for line, row in self._reader.read(file, text):
            broken = shape(row)
            match = None if broken else ID.fullmatch(row["id"])
            if match is None:
                broken = broken or ("id", f'expected a section and an ordinal such as 3.4.1-2; saw "{row["id"]}"')
            else:
                broken = self._rules.broken(row, match[1], chapters)
                if row["id"] in self.by_id:
                    first = self.by_id[row["id"]]
                    broken = "id", f"{row['id']} is taken at {first.file}:{first.line}; ids are never used twice"
            if broken or match is None:
                key, message = broken or ("", "")
                raise CatalogueError(file, _line_of(text, line, key), key, message)
            for key, members in _ENUMS:
                row[key] = members[row[key]]
            self.by_id[row["id"]] = Assertion(
                **row,
                chapter=f"ch{int(match[1].partition('.')[0]):02}",
                section=match[1],
                ordinal=int(match[2]),
                file=file.name,
                line=line,
            )


def _line_of(text: str, line: int, key: str) -> int:
    """Find the line of a key in the row that begins on a line; the row's own line if it lacks the key."""
    if key:
        for number, content in enumerate(text.split("\n")[line:], line + 1):
            if content.startswith("[["):
                break
            if re.match(rf"{re.escape(key)}\s*=", content):
                return number
    return line


def _document(file: Path, text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise CatalogueError(file, line, "", message) from None


def _features(file: Path, text: str) -> Mapping[str, str]:
    features: dict[str, str] = {}
    for name, meaning in _document(file, text).items():
        if not isinstance(meaning, str) or not meaning:
            raise CatalogueError(
                file, LineIndex(text).line((name,)), name, "expected the feature's meaning as a string"
            )
        features[name] = meaning
    return MappingProxyType(features)


def _restatements(file: Path, text: str, known: Mapping[str, Assertion]) -> tuple[tuple[str, ...], ...]:
    document = _document(file, text)
    groups = document.get("groups")
    if set(document) != {"groups"} or not isinstance(groups, list):
        raise CatalogueError(file, 1, "groups", "expected the one key groups, a list of lists of ids")
    taken: set[str] = set()
    for number, group in enumerate(groups):
        message = _group_fault(group, known, taken)
        if message:
            raise CatalogueError(file, LineIndex(text).line(("groups", number)), "groups", message)
    return tuple(tuple(group) for group in groups)


def _group_fault(group: object, known: Mapping[str, Assertion], taken: set[str]) -> str:
    if not isinstance(group, list) or len(group) < 2 or not all(isinstance(member, str) for member in group):
        return f"expected a list of at least two ids; saw {group!r}"
    for member in group:
        if member not in known:
            return f'no row has the id "{member}"{did_you_mean(member, known)}'
        if member in taken:
            return f"{member} is in a group already; groups have no member in common, merge them"
        taken.add(member)
    return ""


def _table(file: Path, text: str, columns: list[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Read a CSV file and check the columns that both official lists share."""
    reader = csv.DictReader(io.StringIO(text), strict=True)
    if reader.fieldnames != columns:
        raise CatalogueError(file, 1, "", f"expected the columns {', '.join(columns)}")
    seen: set[str] = set()
    for row in reader:
        line = reader.line_num
        if None in row or None in row.values():
            raise CatalogueError(file, line, "", f"expected {len(columns)} values, one for each column")
        if row["id"] in seen:
            raise CatalogueError(file, line, "id", f"{row['id']} comes twice")
        for column, allowed in (("testable", ("true", "false")), ("cited_by_standalone_suite", ("yes", "no"))):
            if row[column] not in allowed:
                raise CatalogueError(file, line, column, f'expected {" or ".join(allowed)}; saw "{row[column]}"')
        seen.add(row["id"])
        yield line, row


def _spec_ids(file: Path, text: str) -> Mapping[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = {}
    for line, row in _table(file, text, _SPEC_COLUMNS):
        if not re.fullmatch(r"JMS:SPEC:\d+(?:\.\d+)*", row["id"]):
            raise CatalogueError(file, line, "id", f'expected JMS:SPEC: and a number; saw "{row["id"]}"')
        rows[row["id"]] = row
    return rows


def _javadoc_ids(file: Path, text: str) -> Mapping[str, OfficialApiId]:
    ids: dict[str, OfficialApiId] = {}
    for line, row in _table(file, text, _JAVADOC_COLUMNS):
        if not re.fullmatch(r"JMS:JAVADOC:\d+", row["id"]):
            raise CatalogueError(file, line, "id", f'expected JMS:JAVADOC: and a number; saw "{row["id"]}"')
        ids[row["id"]] = OfficialApiId(
            id=row["id"],
            type=row["type"],
            method=row["method"],
            parameters=tuple(row["parameters"].split()),
            returns=row["returns"],
            throws=row["throws"],
            testable=_FLAGS[row["testable"]],
            cited=_FLAGS[row["cited_by_standalone_suite"]],
        )
    return MappingProxyType(ids)
