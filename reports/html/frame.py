"""The frame of a site's pages (header, navigation, footer), and how a page is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from tck.reports.html import paths, templating


@dataclass(frozen=True, slots=True)
class Page:
    """A page to write: path, template and context; a `standalone` page contains style and script."""

    path: str
    template: str
    context: dict[str, Any]
    standalone: bool = False


@dataclass(frozen=True, slots=True)
class HeaderAndFooter:
    """The header and the footer of a page, as markup."""

    top: Markup
    foot: Markup


@dataclass(slots=True)
class Frame:
    """The navigation of a site, and the values for all its templates; `subject` is required."""

    navigation: Sequence[tuple[str, str]]
    common: Mapping[str, Any]
    _chrome: dict[tuple[str, str], HeaderAndFooter] = field(init=False, default_factory=dict)

    def chrome(self, root: str, here: str) -> HeaderAndFooter:
        """Return header and footer of a page; all pages outside the navigation share them."""
        key = root, here if any(here == path for _, path in self.navigation) else ""
        known = self._chrome.get(key)
        if known is None:
            context = {**self.common, "navigation": self.navigation, "root": root, "here": key[1]}
            top, foot = (Markup(templating.template(name).render(**context)) for name in ("top", "foot"))  # noqa: S704 - ours
            known = self._chrome[key] = HeaderAndFooter(top, foot)
        return known

    def write(self, out_dir: Path, page: Page) -> None:
        """Write one page into an existing folder."""
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
        # Text of providers has no lone surrogates any more; the handler is for text of the kit.
        (out_dir / page.path).write_bytes(html.encode("utf-8", "xmlcharrefreplace"))


def write_assets(out_dir: Path) -> None:
    """Write the style sheet and the script that the other pages share."""
    for name in (paths.STYLE, paths.SCRIPT):
        (out_dir / name).write_text(templating.asset(name), encoding="utf-8")
