"""Results of a run: event and result types, the verdict table, the run bundle with its writer, reader and schemas.

Knows nothing of pytest, of the catalogue or of any provider. Layout of a bundle:

    run.json                provenance, written first
    cases.ndjson.zst        one line per case
    results.ndjson.zst      one line per attempt
    calls.ndjson.zst        one line per kind of call that was made (calls.py)
    events/NAME.ndjson.zst  one short line per event (short_events.py), by worker; results name the place of theirs
    end.json                counts and digests, written last
    parts/                  during the run: the files of each worker, merged at the end
"""

from tck.record.codec import RowError
from tck.record.errors import (
    BundleError,
    DuplicatedBundle,
    EmptyBundle,
    MissingBundle,
    NewerBundle,
    TamperedBundle,
    TruncatedBundle,
)
from tck.record.merge import Collected, Unfinished, collect, finish
from tck.record.outcomes import (
    Declared,
    Effect,
    Exit,
    Outcome,
    Verdict,
    exit_code,
    flaky_is_spent,
    judge,
    keep_exit_code,
    worst,
)
from tck.record.reader import Bundle
from tck.record.rows import (
    SCHEMA,
    Case,
    CatalogueRef,
    Claims,
    Deviation,
    DeviationUse,
    End,
    Environment,
    EventsRef,
    Fault,
    FindingRow,
    Kit,
    ProfileRef,
    ProviderRef,
    Result,
    Run,
    Wait,
)
from tck.record.writer import BundleWriter, begin, last_outcome

__all__ = [
    "SCHEMA",
    "Bundle",
    "BundleError",
    "BundleWriter",
    "Case",
    "CatalogueRef",
    "Claims",
    "Collected",
    "Declared",
    "Deviation",
    "DeviationUse",
    "DuplicatedBundle",
    "Effect",
    "EmptyBundle",
    "End",
    "Environment",
    "EventsRef",
    "Exit",
    "Fault",
    "FindingRow",
    "Kit",
    "MissingBundle",
    "NewerBundle",
    "Outcome",
    "ProfileRef",
    "ProviderRef",
    "Result",
    "RowError",
    "Run",
    "TamperedBundle",
    "TruncatedBundle",
    "Unfinished",
    "Verdict",
    "Wait",
    "begin",
    "collect",
    "exit_code",
    "finish",
    "flaky_is_spent",
    "judge",
    "keep_exit_code",
    "last_outcome",
    "worst",
]
