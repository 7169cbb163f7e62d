"""H1: how soon the pages of a whole run's report can be used in a headless Chromium.

The clock is the browser's own: from the start of the navigation, over the work of the page's script, to the layout of the first case
that is unfolded. Milliseconds depend on the machine; no gate uses them. `tests/reports/test_reports_small.py` counts bytes and elements.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.bars.bar import Bar, Measured, SharedMeasurement
from benchmarks.bars.kit.suite_runs import run
from benchmarks.unavailable import Unavailable

ROUNDS = 7
_CLOCK = """<script>addEventListener('load', () => {
  const row = document.querySelector('details');
  if (row) { row.open = true; row.getBoundingClientRect(); }
  document.body.getBoundingClientRect();
  const ready = performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd, now = performance.now();
  document.documentElement.innerHTML = '<body>ready ' + Math.round(ready) + ' unfolded ' + Math.round(now) + '</body>';
});</script></head>"""


def _opened(chromium: str, page: Path) -> tuple[int, int]:
    """Open a page in a new browser; return the milliseconds until its script has run, and until a row is unfolded."""
    copy = page.with_name(f"timed-{page.name}")
    copy.write_text(page.read_text("utf-8").replace("</head>", _CLOCK, 1), "utf-8")
    try:
        words = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900", "--dump-dom"]
        done = subprocess.run([*words, copy.as_uri()], capture_output=True, text=True, timeout=60, check=False)
    finally:
        copy.unlink()
    found = re.search(r"ready (\d+) unfolded (\d+)", done.stdout)
    if found is None:
        raise RuntimeError(f"expected the times of {page}, saw {done.stdout[:200]!r} and {done.stderr[-500:]!r}")
    return int(found[1]), int(found[2])


def measure_pages(folder: Path) -> Sequence[Measured]:
    """Measure the overview and the largest chapter of a site, each in a browser of its own for each round.

    Raises:
        Unavailable: Chromium is not installed.
    """
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise Unavailable("Chromium, which opens the pages, is not installed")
    chapter = max((folder / "chapter").iterdir(), key=lambda path: path.stat().st_size)
    figures = []
    for page in (folder / "index.html", chapter):
        times = [_opened(chromium, page) for _ in range(ROUNDS)]
        ready, unfolded = (sorted(column) for column in zip(*times, strict=True))
        detail = f"{page.name}, {page.stat().st_size / 1000:.0f} kB, {ROUNDS} times: {unfolded[0]} to {unfolded[-1]} ms; script done after {statistics.median(ready):.0f} ms"
        figures.append(Measured(statistics.median(unfolded), detail))
    return figures


def _of_a_whole_run() -> Sequence[Measured]:
    with tempfile.TemporaryDirectory() as out:
        run((), Path(out))
        (folder,) = (Path(out) / "html").iterdir()
        return measure_pages(folder)


_PAGES = SharedMeasurement(_of_a_whole_run)

BARS = (
    Bar("H1", "The overview of a whole run can be used in a new Chromium", "ms", "-", 1000, 300, lambda: _PAGES.figure(0)),
    Bar("H1c", "So can its largest chapter, with a case unfolded", "ms", "-", 1000, 500, lambda: _PAGES.figure(1)),
)  # fmt: skip
