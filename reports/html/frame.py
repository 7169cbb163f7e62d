"""What frames the pages of a site, and how a page is written. Knows nothing of what a page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from tck.reports.html import paths, templating


@dataclass(frozen=True, slots=True)
class Page:
    """A page to write: where, from which template, with what; `standalone` carries style and script inside."""

    path: str
    template: str
    context: dict[str, Any]
    standalone: bool = False


@dataclass(frozen=True, slots=True)
class Chrome:
    """What stands above and below the content of a page, as markup."""

    top: Markup
    foot: Markup


@dataclass(slots=True)
class Frame:
    """The navigation of a site, and the values that each of its templates gets; they need `subject`."""

    navigation: Sequence[tuple[str, str]]
    common: Mapping[str, Any]
    _chrome: dict[tuple[str, str], Chrome] = field(init=False, default_factory=dict)

    def chrome(self, root: str, here: str) -> Chrome:
        """Return what frames a page, made once for all pages that no entry of the navigation names."""
        key = root, here if any(here == path for _, path in self.navigation) else ""
        known = self._chrome.get(key)
        if known is None:
            context = {**self.common, "navigation": self.navigation, "root": root, "here": key[1]}
            top, foot = (Markup(templating.template(name).render(**context)) for name in ("top", "foot"))  # noqa: S704 - ours
            known = self._chrome[key] = Chrome(top, foot)
        return known

    def write(self, out_dir: Path, page: Page) -> None:
        """Write one page; the folder that it belongs in is there."""
        root = "../" * page.path.count("/")
        html = templating.template(page.template).render(
            **page.context,
            **self.common,
            root=root,
            chrome=self.chrome(root, page.path),
            standalone=page.standalone,
            style=templating.asset(paths.STYLE),
            script=templating.asset(paths.SCRIPT),
        )
        # What no file can hold was spelled out before; the handler is for text of the kit's own that was not.
        (out_dir / page.path).write_bytes(html.encode("utf-8", "xmlcharrefreplace"))


def write_assets(out_dir: Path) -> None:
    """Write the style sheet and the script that pages without their own share."""
    for name in (paths.STYLE, paths.SCRIPT):
        (out_dir / name).write_text(templating.asset(name), encoding="utf-8")
