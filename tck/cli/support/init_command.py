"""`tck init`: write the skeleton of an adapter and its profile."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from pathlib import Path

import click

from tck.cli.support.console import Problem, emit
from tck.record import Exit

_NAME = re.compile(r"[a-z][a-z0-9_-]*")


@click.command("init")
@click.argument("name")
@click.option(
    "--dir", "folder", type=click.Path(path_type=Path), default=Path(), show_default="the current one",
    metavar="DIR", help="Where the two files go; made if need be.",
)  # fmt: skip
def command(name: str, folder: Path) -> int:
    """Write NAME.py and NAME.toml: an adapter that can be run at once, and its profile.

    Its members that are not written yet are absent, by name, in whatever needs them.
    """
    module = name.replace("-", "_")
    if not _NAME.fullmatch(name) or keyword.iskeyword(module):
        raise Problem(f"NAME {name!r}: expected small letters, digits, - and _, first a letter, and no word of Python")
    paths = {"adapter.py.txt": folder / f"{module}.py", "profile.toml.txt": folder / f"{name}.toml"}
    there = next((path for path in paths.values() if path.exists()), None)
    if there is not None:
        raise Problem(f"{there} is there already and stays as it is; choose another NAME or --dir")
    words = {"CLASS": "".join(part.capitalize() for part in module.split("_")), "NAME": name, "MODULE": module}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for template, path in paths.items():
            text = resources.files("tck.cli.support").joinpath("skeleton", template).read_text("utf-8")
            path.write_text(re.sub("CLASS|NAME|MODULE", lambda found: words[found[0]], text), encoding="utf-8")
    except OSError as error:
        raise Problem(f"cannot write {error.filename or folder}: {error.strerror}") from error
    profile = paths["profile.toml.txt"]
    emit(
        f"{paths['adapter.py.txt']}\n{profile}\n\n"
        f"tck doctor -p {profile}           shows the next member to write\n"
        f"tck run -p {profile} -n 0 8.5-3   lists all that these cases lack"
    )
    return Exit.CONFORMANT
