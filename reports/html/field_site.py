"""The site of a field report: a page that names the worst of each product's newest release, and a page for each product.

`write_field_report` is the whole interface. Programs that show a defect are made by the caller, who knows the profiles.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tck.record.outcomes import Effect
from tck.reports import show
from tck.reports.html import paths
from tck.reports.html.frame import Frame, Page, write_assets
from tck.reports.labels import NO_CERTIFICATES
from tck.reports.runs.field import Defect, Product, Seen

EFFECTS: Final[dict[Effect | None, str]] = {
    None: "Not classified",
    Effect.LOSES_OR_DUPLICATES: "Loses or duplicates",
    Effect.WRONG_DATA: "Wrong data",
    Effect.WRONG_ORDER: "Wrong order",
    Effect.WRONG_EXCEPTION: "Wrong exception",
    Effect.PEDANTIC: "Pedantic",
}
"""The effects, worst first; a violation that nobody has declared is not classified."""
_FOLDERS: Final = ("product", "program")
_BROKER: Final = "    // The broker, as the profile"
"""The line of a Java program before which its calls end."""
_WHEN: Final = (1980, 1, 1, 0, 0, 0)
"""The time of each file of an archive, so that the same runs give the same archive."""
_WORST: Final = 3
"""The most defects of a product that the first page names."""


@dataclass(frozen=True, slots=True)
class ShowingProgram:
    """A program that shows a defect without the kit: its file name, its text, and how to run it."""

    file: str
    text: str
    how: str

    @property
    def calls(self) -> str:
        """What it is about and the calls that it makes, without the broker's start and the comparison."""
        head, start = self.text.find("/**"), self.text.find(_BROKER)
        return self.text[max(head, 0) : start].rstrip() if start > 0 else self.text


def write_field_report(
    products: Sequence[Product], out_dir: Path, program: Callable[[Product, Defect], ShowingProgram | None]
) -> Path:
    """Write the site and return the path of its first page.

    Pages and programs of an earlier report in `out_dir` are removed; other files there stay.

    Args:
        products: What `tck.reports.runs.field.products` found.
        out_dir: The folder of the site; created if missing.
        program: Makes the program that shows a defect; None where none can be made.
    """
    for folder in _FOLDERS:
        shutil.rmtree(out_dir / folder, ignore_errors=True)
        (out_dir / folder).mkdir(parents=True)
    releases = sum(len(each.releases) for each in products)
    subject = f"{show.count(len(products), 'product')}, {show.count(releases, 'release')}"
    navigation = [("Products", paths.INDEX), *((each.name, paths.product(each.name)) for each in products)]
    frame = Frame(
        navigation, {"subject": subject, "not_a_certificate": NO_CERTIFICATES, "effects": EFFECTS, "Seen": Seen}
    )
    worst = {each.name: [found for found in each.defects if found.seen[-1] is Seen.SHOWN][:_WORST] for each in products}
    frame.write(out_dir, Page(paths.INDEX, "field", {"products": products, "worst": worst}))
    for each in products:
        shown = [(found, program(each, found)) for found in each.defects]
        _pack(out_dir / paths.programs(each.name), [made for _, made in shown if made])
        context = {"product": each, "defects": shown, "notices": tuple(_notices(each))}
        frame.write(out_dir, Page(paths.product(each.name), "field_product", context))
    write_assets(out_dir)
    return out_dir / paths.INDEX


def _pack(target: Path, programs: Iterable[ShowingProgram]) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in sorted({each.file: each.text for each in programs}.items()):
            archive.writestr(zipfile.ZipInfo(name, _WHEN), text, zipfile.ZIP_DEFLATED)


def _notices(product: Product) -> Iterator[str]:
    for run in product.releases:
        if run.tree is None:
            yield f"{run.release}: verdicts are those of the history; its bundle was not given."
            continue
        recorded = run.tree.run
        if recorded.unfinished:
            yield f"{run.release}: {show.count(len(recorded.unfinished), 'case')} left no result: {recorded.why_unfinished}."
        if recorded.run.selection:
            yield f"{run.release}: only a part of the suite ran: {', '.join(recorded.run.selection)}."
