"""Check pages with axe in a headless Chromium, as a user would meet them: scripts run, styles apply."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
_FRAME = """<!doctype html><html><body><script>
addEventListener('message', ({data}) => {
  if (data.width !== %d) data.told.push('the frame is ' + data.width + ' wide');
  document.documentElement.innerHTML = '<body><pre id="axe">' + JSON.stringify(data.told).replace(/&/g, '&amp;').replace(/</g, '&lt;') + '</pre></body>';
});
</script><iframe title="page" width="%d" height="900" style="border: 0" src="%s"></iframe></body></html>
"""
_WIDE = 1280
_RUN = """
addEventListener('load', () => {
  document.documentElement.dataset.theme = '%s';
  document.querySelectorAll('details').forEach(each => { each.open = true; });
  axe.run(document, {runOnly: %s, resultTypes: ['violations']}).then(found => {
    const told = found.violations.flatMap(rule => rule.nodes.map(node => rule.id + ' ' + node.target.join(' ') + ': ' + node.failureSummary));
    if (parent !== window) parent.postMessage({told, width: innerWidth}, '*');
    else document.documentElement.innerHTML = '<body><pre id="axe">' + JSON.stringify(told).replace(/&/g, '&amp;').replace(/</g, '&lt;') + '</pre></body>';
  });
});
"""


def violations(page: Path, theme: str = "light", width: int = _WIDE) -> list[str]:
    """Return the violations that axe finds on a page with everything unfolded.

    Args:
        page: The file; a copy with the script of axe lies beside it for a moment.
        theme: "light" or "dark".
        width: Of the window in pixels; a narrow one is a frame of that width, since a window has a least width of its own.
    """
    assert CHROMIUM is not None
    folder = Path(next(iter(find_spec("axe_core_python").submodule_search_locations)))
    copy = page.with_name(f"axe-{theme}-{width}-{page.name}")
    frame = copy.with_name(f"frame-{copy.name}")
    scripts = f'<script src="{(folder / "axe.min.js").as_uri()}"></script><script>{_RUN % (theme, json.dumps(_RULES))}</script>'
    copy.write_text(page.read_text("utf-8").replace("</head>", scripts + "</head>", 1), "utf-8")
    frame.write_text(_FRAME % (width, width, copy.name), "utf-8")
    shown = copy if width == _WIDE else frame
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,900", "--virtual-time-budget=30000"]
    try:
        done = subprocess.run(
            [CHROMIUM, *words, "--allow-file-access-from-files", "--dump-dom", shown.as_uri()],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    finally:
        copy.unlink()
        frame.unlink()
    found = re.search(r'<pre id="axe">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, f"axe did not end on {page}: {done.stderr[-500:]}"
    output: list[str] = json.loads(html.unescape(found[1]))
    return output
