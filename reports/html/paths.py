"""The path of each page of the site, relative to its root: one function for each kind of page."""

from __future__ import annotations

import hashlib
import re

INDEX = "index.html"
COVERAGE = "coverage.html"
DETECTION = "detection.html"
SCENARIOS = "scenarios.html"
TRENDS = "trends.html"
BEHAVIOURS = "behaviours.html"
STYLE = "report.css"
SCRIPT = "report.js"
SEARCH = "search.js"

_PLAIN = re.compile(r"[a-z0-9._-]{1,100}")
_OTHER = re.compile(r"[^a-z0-9._-]+")


def chapter(key: str) -> str:
    """Return the page of a chapter."""
    return f"chapter/{_slug(key)}.html"


def assertion(identifier: str) -> str:
    """Return the page of an assertion."""
    return f"assertion/{_slug(identifier)}.html"


def case(name: str) -> str:
    """Return the page of a case: `case/3.4.1-1--queue--classic--auto.html`."""
    return f"case/{_slug(name)}.html"


def provider(key: str) -> str:
    """Return the page of a provider in the site of several runs."""
    return f"provider/{_slug(key)}.html"


def product(name: str) -> str:
    """Return the page of a product in the field report."""
    return f"product/{_slug(name)}.html"


def programs(name: str) -> str:
    """Return the archive of the programs that show the defects of a product."""
    return f"program/{_slug(name)}.zip"


def evidence(name: str) -> str:
    """Return the page that shows the program behind a declared deviation."""
    return f"evidence/{_slug(name)}.html"


def run(key: str) -> str:
    """Return the folder of the site of one run inside the site of several runs."""
    return f"run/{_slug(key)}/"


def finding(key: str) -> str:
    """Return the page of one violation of a workload."""
    return f"finding/{_slug(key)}.html"


def _slug(name: str) -> str:
    """Return a file name that is unique on every file system; names with special characters get a digest."""
    plain = name.replace("/", "--")
    if _PLAIN.fullmatch(plain) and not plain.startswith(".") and "--" not in name:
        return plain
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    return f"{_OTHER.sub('-', plain.lower()).strip('.-')[:80]}-{digest}"
