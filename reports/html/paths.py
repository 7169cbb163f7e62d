"""Where each page of the site stands, relative to its root: one function per kind of page, used by whoever links to it."""

from __future__ import annotations

import hashlib
import re

INDEX = "index.html"
COVERAGE = "coverage.html"
DETECTION = "detection.html"
TRENDS = "trends.html"
BEHAVIOURS = "behaviours.html"
STYLE = "report.css"
SCRIPT = "report.js"

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


def evidence(name: str) -> str:
    """Return the page that shows the program behind a declared deviation."""
    return f"evidence/{_slug(name)}.html"


def run(key: str) -> str:
    """Return the folder of the site of one run, inside of the site of several."""
    return f"run/{_slug(key)}/"


def finding(key: str) -> str:
    """Return the page of one violation that a workload showed."""
    return f"finding/{_slug(key)}.html"


def _slug(name: str) -> str:
    """Make a file name that every file system keeps apart; whatever is not plain gets a digest of the whole name."""
    plain = name.replace("/", "--")
    if _PLAIN.fullmatch(plain) and not plain.startswith(".") and "--" not in name:
        return plain
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    return f"{_OTHER.sub('-', plain.lower()).strip('.-')[:80]}-{digest}"
