"""The official API ids that no case can cover, each with the reason: `data/official-out-of-reach.toml`.

Imports the catalogue's own modules only.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from tck.catalogue.errors import CatalogueError
from tck.catalogue.lines import syntax_error
from tck.catalogue.loader import DATA, load_catalogue

OUT_OF_REACH = "official-out-of-reach.toml"


def load_out_of_reach(directory: Path = DATA) -> Mapping[str, str]:
    """Return the reason of each id, in the order of the file.

    Raises:
        CatalogueError: An id is unknown, not testable or named twice, a group has no reason, or the file is not of its form.
    """
    file = directory / OUT_OF_REACH
    content = file.read_text(encoding="utf-8")
    try:
        data = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise CatalogueError(file, line, "", message) from None
    official = load_catalogue(directory).official_javadoc
    reasons: dict[str, str] = {}
    for group in data.get("group", []):
        reason, ids = group.get("reason"), group.get("ids")
        if group.keys() != {"reason", "ids"} or not isinstance(reason, str) or not reason.strip():
            raise CatalogueError(file, 1, "group", "expected a reason and a list of ids in each group")
        for id_ in ids:
            line = 1 + content[: content.find(f'"{id_}"')].count("\n")
            if id_ not in official or not official[id_].testable:
                raise CatalogueError(file, line, "ids", f"{id_} is no testable id of the official list")
            if id_ in reasons:
                raise CatalogueError(file, line, "ids", f"{id_} is named twice")
            reasons[id_] = reason
    return reasons
