"""Write deviations into a profile; everything else in it stays unchanged. Imports this package only."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from tck.catalogue import Catalogue
from tck.profile.errors import ProfileError
from tck.profile.loader import load_profile
from tck.profile.locate import split_variant
from tck.profile.model import Deviation


def write_baseline(
    profile_path: Path, deviations: Iterable[Deviation], catalogue: Catalogue | None = None
) -> tuple[Deviation, ...]:
    """Append declarations to a profile; existing comments, order and layout stay.

    A deviation that the profile (or one it extends) declares already for the same row and cases is left out. The
    result is checked before it replaces the old file in one step.

    Args:
        profile_path: The profile's file, or the path of a variant: then the tables are those of the variant.
        deviations: What to declare.
        catalogue: As for `load_profile`.

    Returns:
        What was added.

    Raises:
        ProfileError: The profile is not valid, would not be valid with the additions, or cannot be written.
    """
    declared = {(found.assertion, found.cases) for found in load_profile(profile_path, catalogue).deviations}
    added: list[Deviation] = []
    for deviation in deviations:
        if (deviation.assertion, deviation.cases) not in declared:
            declared.add((deviation.assertion, deviation.cases))
            added.append(deviation)
    if not added:
        return ()
    file, variant = split_variant(profile_path)
    trial = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        content = file.read_bytes().decode()
        extended = _extended(file, content, added, variant)
        if "\r\n" in content:
            extended = re.sub(r"(?<!\r)\n", "\r\n", extended)
        trial.write_bytes(extended.encode())
        try:
            load_profile(trial.with_stem(f"{trial.stem}-{variant}") if variant else trial, catalogue)
        except ProfileError as error:
            key, message = error.key, f"would not be valid with the new deviations: {error.message}"
            raise ProfileError(file, 0, key, message) from None
        shutil.copymode(file, trial)
        trial.replace(file)
    except OSError as error:
        raise ProfileError(file, 0, "", f"cannot be written: {error.strerror}") from None
    finally:
        trial.unlink(missing_ok=True)
    return tuple(added)


def _extended(file: Path, content: str, deviations: Iterable[Deviation], variant: str = "") -> str:
    import tomlkit  # noqa: PLC0415 - 70 ms that only a baseline has to pay
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415
    from tomlkit.items import AoT, Array  # noqa: PLC0415

    if variant:
        parts = (f"\n[[variant.{variant}.deviation]]\n{tomlkit.dumps(_values(each))}" for each in deviations)
        return "".join((content, "" if content.endswith("\n") else "\n", *parts))
    try:
        document = tomlkit.parse(content)
    except TOMLKitError as error:  # the standard parser accepted it; the two differ in rare forms only
        raise ProfileError(file, 0, "", f"cannot be extended: {error}") from None
    tables = document.get("deviation")
    if isinstance(tables, Array):
        for deviation in deviations:
            inline = tomlkit.inline_table()
            inline.update(_values(deviation))
            tables.add_line(inline)
        return document.as_string()
    if not isinstance(tables, AoT):
        tables = tomlkit.aot()
        document.append("deviation", tables)
    for deviation in deviations:
        table = tomlkit.table()
        table.update(_values(deviation))
        tables.append(table)
    return document.as_string()


def _values(deviation: Deviation) -> dict[str, object]:
    """Return the keys of a deviation in reading order, without empty ones."""
    values: dict[str, object] = {"assertion": deviation.assertion}
    if deviation.cases != "*":
        values["cases"] = deviation.cases
    values |= {"outcome": str(deviation.outcome), "reason": deviation.reason}
    optional = {
        key: getattr(deviation, key)
        for key in ("effect", "link", "evidence", "at_most", "expires", "observed", "when", "holds_with")
    }
    return values | {key: value for key, value in optional.items() if value is not None}
