"""The catalogue: the obligations that the specification puts on a provider, row by row, as data loaded and checked
once.

May import nothing of ours outside this package. Knows nothing of tests, providers or runs: tested rows and results
are derived elsewhere.
"""

from tck.catalogue.companions import (
    InterworkingAssertion,
    Scenario,
    ScenarioClaim,
    load_interworking,
    load_scenarios,
)
from tck.catalogue.errors import CatalogueError
from tck.catalogue.loader import load_catalogue
from tck.catalogue.model import (
    APIS,
    BESIDE,
    CORPUS,
    DOMAINS,
    HOOKS,
    INTERWORKING,
    IW,
    PLANS,
    SCENARIOS,
    Assertion,
    Catalogue,
    Level,
    OfficialApiId,
    OfficialSpecId,
    Subject,
    Testable,
    section_key,
)
from tck.catalogue.select import Selection, SelectionError, parse_selection
from tck.catalogue.versions import NEWEST, VERSIONS

__all__ = [
    "APIS",
    "BESIDE",
    "CORPUS",
    "DOMAINS",
    "HOOKS",
    "INTERWORKING",
    "IW",
    "NEWEST",
    "PLANS",
    "SCENARIOS",
    "VERSIONS",
    "Assertion",
    "Catalogue",
    "CatalogueError",
    "InterworkingAssertion",
    "Level",
    "OfficialApiId",
    "OfficialSpecId",
    "Scenario",
    "ScenarioClaim",
    "Selection",
    "SelectionError",
    "Subject",
    "Testable",
    "load_catalogue",
    "load_interworking",
    "load_scenarios",
    "parse_selection",
    "section_key",
]
