"""Load a profile: read it and the profiles it extends, check, merge, build. Imports catalogue and this package."""

from __future__ import annotations

import dataclasses
import datetime as dt
import fnmatch
import functools
import hashlib
import json
import math
import operator
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tck import api as messaging
from tck.catalogue import APIS, Catalogue, load_catalogue
from tck.catalogue.errors import did_you_mean
from tck.catalogue.lines import LineIndex, syntax_error
from tck.catalogue.versions import BOTH_DOMAINS, SINCE, offers
from tck.patience import MultiplierError, multiplier
from tck.profile.errors import ProfileError, shown
from tck.profile.locate import find_profile, split_variant
from tck.profile.model import ANY_ROW, Adapter, Claims, Declared, Deviation, Disclaimed, Profile, Timing, Vary
from tck.profile.names import Names
from tck.profile.releases import Release, covers, laid_over, moved, shown_range
from tck.profile.schema import Problem, problems

SCHEMA = Path(__file__).with_name("profile.schema.json")


def load_profile(name_or_path: str | Path, catalogue: Catalogue | None = None, *, release: str = "") -> Profile:
    """Read a profile or a variant, with the profiles it extends.

    Args:
        name_or_path: A path to a TOML file, or the name of a profile that comes with the kit; or of a variant.
        catalogue: Assertion ids and features are checked against it; loaded when not given.
        release: The release of the provider that is to be run, other than the profile's own. Name, title, coordinates,
            settings and claims are those of that release; the deviations, which are about the own one, are left out.

    Raises:
        ProfileError: There is no such profile, it breaks a rule (file, line and key are named), or it says nothing of that
            release.
    """
    catalogue = catalogue if catalogue is not None else load_catalogue()
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    sources = _chain(find_profile(name_or_path), schema)
    for source in sources:
        check_names(source, catalogue)
    _check_not_inherited(sources)
    own = next((each.content["profile"]["release"] for each in sources if "release" in each.content["profile"]), "")
    other = release if release != own else ""
    if other:
        _check_release(sources, own, other)
    merged = _merge(sources, own, other)
    _check_whole(sources, merged, schema)
    timing = Timing(**merged.get("timing", {}))
    _check_timing(sources, timing)
    try:
        timing = timing.multiplied(multiplier())
    except MultiplierError as error:
        raise sources[0].error(("timing",), str(error)) from error
    head, adapter = merged["profile"], merged["adapter"]
    return Profile(
        name=f"{head['name']}-{other.lower()}" if other else head["name"],
        title=head["title"],
        url=head.get("url"),
        adapter=Adapter(
            kind=adapter.get("kind", "python"),
            target=adapter.get("target", ""),
            settings=adapter.get("settings", {}),
            tier_setting=adapter.get("tier_setting"),
        ),
        claims=_claims(sources, merged["claims"]),
        timing=timing,
        vary=Vary(**merged.get("vary", {})),
        deviations=() if other else deviations_of(sources, merged),
        path=sources[0].file,
        digest=_digest(merged),
        release=other or own,
        variant=sources[0].variant,
        names=_names(sources, merged.get("names", {})),
    )


@dataclasses.dataclass(frozen=True, slots=True)
class _Source:
    """One file, or a variant in it as if it were a file that extends it: its content, and the lines of its parts."""

    file: Path
    content: dict[str, Any]
    lines: LineIndex
    variant: str = ""

    def __contains__(self, path: Sequence[str | int]) -> bool:
        return self._place(path) in self.lines

    def line(self, path: Sequence[str | int]) -> int:
        return self.lines.line(self._place(path))

    def error(self, path: Sequence[str | int], message: str) -> ProfileError:
        key = ".".join(part for part in self._place(path) if isinstance(part, str))
        return ProfileError(self.file, self.line(path), key, message)

    def _place(self, path: Sequence[str | int]) -> Sequence[str | int]:
        """Return where the file has it: a variant has the keys of `profile` and `adapter` at its top."""
        if not self.variant:
            return path
        return ("variant", self.variant, *path[1 if path and path[0] in {"profile", "adapter"} else 0 :])

    def of_variant(self, name: str) -> _Source:
        tables = dict(self.content["variant"][name])
        head = {key: tables.pop(key) for key in ("title", "deviations", "not_inherited") if key in tables}
        head["name"] = f"{self.content['profile']['name']}-{name}"
        adapter = {"adapter": {"settings": tables.pop("settings")}} if "settings" in tables else {}
        return dataclasses.replace(self, content={"profile": head, **adapter, **tables}, variant=name)

    def deviations(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield each with its number, one for each row that it names."""
        for number, table in enumerate(self.content.get("deviation", ())):
            one = {key: value for key, value in table.items() if key != "also"}
            yield from ((number, one | {"assertion": row}) for row in (table["assertion"], *table.get("also", ())))


def _chain(path: Path, schema: Mapping[str, Any]) -> list[_Source]:
    """Read a profile, followed by the profiles it extends; a variant extends its file."""
    sources: list[_Source] = []
    while True:
        file, variant = split_variant(path)
        source = read_source(file, schema)
        sources += [source.of_variant(variant), source] if variant else [source]
        base = source.content["profile"].get("extends")
        if base is None:
            for key in ("deviations", "not_inherited"):
                if key in source.content["profile"]:
                    message = "says which of the extended profile hold, and this profile extends none; leave it out"
                    raise source.error(("profile", key), message)
            return sources
        try:
            path = find_profile(base, file.parent)
        except ProfileError as error:
            raise source.error(("profile", "extends"), error.message) from None
        following = split_variant(path)[0]
        if any(following.resolve() == known.file.resolve() for known in sources):
            way = " -> ".join(dict.fromkeys(shown(known.file) for known in sources))
            raise source.error(
                ("profile", "extends"), f"the profiles extend each other in a ring: {way} -> {shown(following)}"
            )


def read_source(file: Path, schema: Mapping[str, Any]) -> _Source:
    """Read a file and check it by a schema; raises ProfileError."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ProfileError(file, 0, "", "is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise ProfileError(file, 0, "", f"cannot be read: {error.strerror}") from None
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, message = syntax_error(error)
        raise ProfileError(file, line, "", message) from None
    source = _Source(file, content, LineIndex(text))
    found = list(problems(_plain(content), schema))
    if found:  # an unknown key first: if misspelt, it also explains a missing key
        raise source.error(*_described(min(found, key=lambda it: (not it.unknown, source.lines.line(it.path)))))
    return source


def _described(problem: Problem) -> tuple[Sequence[str | int], str]:
    if not problem.unknown:
        return problem.path, problem.message
    near = did_you_mean(str(problem.path[-1]), problem.unknown)
    return problem.path, f"unknown key{near}; known here are {', '.join(problem.unknown)}"


def _plain(value: object) -> object:
    """Return a value in JSON's types: dates as strings, and also the numbers that JSON lacks."""
    if isinstance(value, dict):
        return {key: _plain(element) for key, element in value.items()}
    if isinstance(value, list):
        return [_plain(element) for element in value]
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def check_names(source: _Source, catalogue: Catalogue) -> None:
    """Check names against the catalogue, and each deviation for rules that a schema cannot express."""
    ranges = enumerate(source.content.get("release", ()))
    places = [((), source.content), *((("release", number), table) for number, table in ranges)]
    for where, table in places:
        for number, feature in enumerate(table.get("claims", {}).get("features", ())):
            if feature not in catalogue.features:
                near = did_you_mean(feature, catalogue.features)
                message = f'unknown feature "{feature}"{near}; the catalogue has {", ".join(catalogue.features)}'
                raise source.error((*where, "claims", "features", number), message)
        _check_disclaimed(source, where, table)
    seen: dict[tuple[str, str, str | None], int] = {}
    for number, deviation in source.deviations():
        place = ("deviation", number)
        row = deviation["assertion"]
        if row == ANY_ROW and "observed" not in deviation:
            raise source.error((*place, "assertion"), "any row: say in `observed` by what its failures are known")
        if row != ANY_ROW and row not in catalogue:
            near = did_you_mean(row, catalogue)
            raise source.error(
                (*place, "assertion"), f'the catalogue has no row "{row}"{near}; `tck list` shows the rows'
            )
        if isinstance(deviation.get("expires"), str):
            try:
                dt.date.fromisoformat(deviation["expires"])
            except ValueError:
                raise source.error((*place, "expires"), f'there is no day "{deviation["expires"]}"') from None
        first = seen.setdefault((row, deviation.get("cases", "*"), deviation.get("observed")), number)
        if first != number:
            line = source.line(("deviation", first))
            message = f"{row} is declared for the same cases on line {line}; keep one of the two"
            raise source.error((*place, "assertion"), message)


def _check_disclaimed(source: _Source, where: Sequence[str | int], table: Mapping[str, Any]) -> None:
    for number, part in enumerate(table.get("claims", {}).get("without", ())):
        for call in part["calls"]:
            if not fnmatch.filter(_calls(), call):
                message = f'the messaging API has no call "{call}"{did_you_mean(call, _calls())}'
                raise source.error((*where, "claims", "without", number, "calls"), message)


@functools.cache
def _calls() -> tuple[str, ...]:
    """Return the calls of the messaging API, `Session.create_browser`."""
    kinds = {name: kind for name, kind in vars(messaging).items() if isinstance(kind, type)}
    calls = {f"{name}.{member}" for name, kind in kinds.items() for member in dir(kind) if member[0] != "_"}
    uses: dict[str, tuple[str, ...]] = {
        "(CompletionListener)": (".send", ".publish"),
        "(transacted)": ("session",),
        "(selector)": (".create_consumer", ".create_receiver"),
    }
    used = {f"{call}{use}" for use, endings in uses.items() for call in calls if call.endswith(endings)}
    return tuple(sorted(calls | used))


def _check_release(sources: Sequence[_Source], own: str, release: str) -> None:
    """Refuse a release that no file of the profile says anything of."""
    ranges = [table for source in sources for table in source.content.get("release", ())]
    try:
        asked = Release.of(release)
    except ValueError as error:
        raise ProfileError("", 0, "", f"--release {release}: {error}") from None
    if not any(covers(table, asked) for table in ranges):
        known = ", ".join(dict.fromkeys(map(shown_range, ranges)))
        says = f"it covers {known}{f' and its own, {own}' if own else ''}" if ranges else "it has no [[release]] tables"
        raise sources[0].error((), f"--release {release}: the profile says nothing of that release; {says}")


def _merge(sources: Sequence[_Source], own: str = "", release: str = "") -> dict[str, Any]:
    """Merge the files key by key, extended ones first, each as the release needs it; the deviations are added up."""
    merged: dict[str, Any] = {"profile": {}}
    for source in reversed(sources):
        for table, content in (moved(source.content, own, release) if release else source.content).items():
            if table in {"deviation", "release", "variant"}:
                continue
            below = merged.get(table, {})
            merged[table] = below | content
            if table == "adapter" and "settings" in below:
                added = content.get("settings", {})
                merged[table]["settings"] = (laid_over if source.variant else operator.or_)(below["settings"], added)
    merged["profile"].pop("extends", None)
    merged["profile"].pop("deviations", None)
    merged["profile"].pop("not_inherited", None)
    if release:
        settings = merged.get("adapter", {}).setdefault("settings", {})
        settings.update(lock="cache", release=release)
        return merged
    deviations = [deviation for _, _, deviation in _declared(sources, merged)]
    return merged | ({"deviation": deviations} if deviations else {})


def _declared(
    sources: Sequence[_Source], merged: Mapping[str, Any] | None = None
) -> Iterator[tuple[_Source, int, dict[str, Any]]]:
    """Yield the deviations that hold, each with its file and number: own ones first, without what is not inherited.

    An inherited one does not hold where the merged settings are all those of its `holds_with`.
    """
    left_out = set[str]()
    settings = dict(_leaves((merged or {}).get("adapter", {}).get("settings", {})))
    for source in sources:
        for number, deviation in source.deviations():
            cure = deviation.get("holds_with", {}) if source is not sources[0] else {}
            cured = cure and all(name in settings and settings[name] == value for name, value in cure.items())
            if deviation["assertion"] not in left_out and not cured:
                yield source, number, deviation
        if source.content["profile"].get("deviations") == "none":
            return
        left_out.update(source.content["profile"].get("not_inherited", ()))


def _leaves(settings: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Yield the settings of all tables by their own names."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _leaves(value)
        elif not isinstance(value, list):
            yield name, value


def _check_not_inherited(sources: Sequence[_Source]) -> None:
    """Check that what a file does not inherit is there to inherit."""
    for place, source in enumerate(sources):
        there = {deviation["assertion"] for _, _, deviation in _declared(sources[place + 1 :])}
        if source.content["profile"].get("deviations") == "none":
            there.clear()
        for number, row in enumerate(source.content["profile"].get("not_inherited", ())):
            if row not in there:
                message = f"no profile that this one extends declares a deviation of {row}; leave it out"
                raise source.error(("profile", "not_inherited", number), message)


def _check_whole(sources: Sequence[_Source], merged: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Check that the merged profile is complete: a file may leave out keys of the profile it extends."""
    for problem in problems(_plain(merged), schema):
        raise sources[0].error(*_described(problem))


def _defining(sources: Sequence[_Source], path: Sequence[str]) -> _Source:
    """Return the file that defines the effective value of a key; the first file if none does."""
    return next((source for source in sources if path in source), sources[0])


def _names(sources: Sequence[_Source], table: Mapping[str, Any]) -> Names:
    names = Names(**table)
    if problem := names.problem():
        path = ("names", "characters")
        raise _defining(sources, path).error(path, problem)
    return names


def _check_timing(sources: Sequence[_Source], timing: Timing) -> None:
    if timing.case <= timing.deadline:
        path = ("timing", "case") if any(("timing", "case") in source for source in sources) else ("timing", "deadline")
        raise _defining(sources, path).error(
            path,
            f"a case has to last longer than one deadline in it: case is {timing.case} ms, deadline {timing.deadline} ms; "
            "raise case",
        )
    if timing.delay <= timing.tolerance:
        path = ("timing", "tolerance")
        raise _defining(sources, path).error(
            path,
            f"a delay has to be longer than the clock is coarse: delay is {timing.delay} ms, tolerance {timing.tolerance} ms; "
            "raise delay",
        )


def _claims(sources: Sequence[_Source], claims: Mapping[str, Any]) -> Claims:
    version = claims["version"]
    for api in claims.get("api", ()):
        if not offers(version, api):
            path = ("claims", "api")
            message = (
                f"the {api} interface came with {SINCE[api]}, and the profile claims version {version}; leave it out"
            )
            raise _defining(sources, path).error(path, message)
    domains = tuple(claims.get("domains", ("ptp", "pubsub")))
    if len(domains) < 2 and offers(version, BOTH_DOMAINS):
        path = ("claims", "domains")
        message = f"from version {SINCE[BOTH_DOMAINS]} on a provider offers both domains, and the profile claims {version}; name both"
        raise _defining(sources, path).error(path, message)
    return Claims(
        version=version,
        features=frozenset(claims.get("features", ())),
        api=tuple(claims.get("api", (api for api in APIS if offers(version, api)))),
        domains=domains,
        without=tuple(
            Disclaimed(each["what"], tuple(each["calls"]), each["link"]) for each in claims.get("without", ())
        ),
    )


def deviations_of(sources: Sequence[_Source], merged: Mapping[str, Any]) -> tuple[Deviation, ...]:
    """Build the deviations; one of an extended file yields to one of the same row and cases."""
    found: dict[tuple[str, str, str | None], Deviation] = {}
    for source, number, row in _declared(sources, merged):
        expires = row.get("expires")
        deviation = Deviation(
            assertion=row["assertion"],
            outcome=Declared(row["outcome"]),
            reason=row["reason"],
            cases=row.get("cases", "*"),
            link=row.get("link"),
            evidence=row.get("evidence"),
            at_most=float(row["at_most"]) if "at_most" in row else None,
            expires=dt.date.fromisoformat(expires) if isinstance(expires, str) else expires,
            observed=row.get("observed"),
            when=row.get("when"),
            holds_with=row.get("holds_with"),
            effect=row.get("effect"),
            line=source.line(("deviation", number)),
            file=shown(source.file),
        )
        found.setdefault((deviation.assertion, deviation.cases, deviation.observed), deviation)
    return tuple(found.values())


def _digest(merged: Mapping[str, Any]) -> str:
    canonical = json.dumps(_plain(dict(merged)), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(canonical.encode()).hexdigest()}"
