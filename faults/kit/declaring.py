"""How faults are declared: one class for all kinds, a decorator for each kind, and how a decorator binds a function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from faults.kit.patch import Patch
from reference_provider.fault_point import FaultPoint

if TYPE_CHECKING:
    from faults.composing.circumstances import Circumstance

BROAD, NARROW, LAWFUL, TRACE, GENERIC = "broad", "narrow", "lawful", "trace", "generic"
LAWFUL_PREFIX: Final = "lawful/"
AT_TIMES: Final = "/at-times"
ON: Final = "on "
AUTHORS: Final = "authors"

FOUND: Final[dict[str, dict[str, Fault]]] = {BROAD: {}, NARROW: {}, LAWFUL: {}, TRACE: {}}
"""The declared faults of the provider by kind and name, as far as their modules are loaded; `faults.finding` loads them all."""
BRIDGES: Final[dict[str, Fault]] = {}
"""The broad and narrow faults of bridges by name, likewise."""

Install = Callable[[Patch], object]


@dataclass(frozen=True, slots=True)
class Fault:
    """One deliberate change of the reference provider, or of the reference bridge.

    Attributes:
        name: A row of the catalogue or claim of a scenario (broad), words joined by hyphens (narrow), the same behind
            `lawful/` (lawful), the property that it breaks (trace), `SEAM/OPERATOR` (generic); with ` under ` and circumstances
            behind it if it is composed, with `on GROUND: ` before it on a lawful provider. Narrow ones of bridges begin with `bridge-`.
        title: A short sentence which says what the provider or bridge does, and when.
        rows: The rows that it breaks, the one that owns it first; of a lawful provider those that permit it.
        install: Makes the change: puts its replacements into the patch. Nothing of a bridge's.
        kind: `BROAD`, `NARROW`, `LAWFUL`, `TRACE` or `GENERIC`.
        origin: Where it comes from: the suite's `authors`, a `round` of strangers, a `reported` bug.
        collateral: Other rows, outside the restatement group, that fall with it, each with the reason.
        settings: Settings of the provider it needs, such as an older `version`.
        lacks: Optional features that its profile does not claim.
        slow: It is slow by the clock: its programs run where virtual time does not stand still until they advance it.
        witness: Sees it through the API if no case notices it yet: gets the provider, and returns `expected` from a sound one only.
        expected: See `witness`.
        bridge: What a bridge does otherwise, see `faults.interworking.declaring`; None for a fault of the provider.
    """

    name: str
    title: str
    rows: tuple[str, ...]
    install: Install = lambda _: None
    kind: str = BROAD
    origin: str = AUTHORS
    collateral: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    lacks: frozenset[str] = frozenset()
    slow: bool = False
    witness: Callable[[Any], object] | None = None
    expected: object = None
    bridge: Any = None

    @property
    def noticed(self) -> bool:
        """Whether the suite notices it."""
        return self.witness is None

    def under(self, *circumstances: Circumstance) -> Fault:
        """Return the fault that shows in those calls only in which all circumstances hold."""
        from faults.composing.circumstances import Under

        words = " and ".join(each.name for each in circumstances)
        return replace(
            self,
            name=f"{self.name} under {words}",
            title=f"{self.title}; only in calls with: {words}",
            install=lambda patch: self.install(Under(patch, *circumstances, infects=self.kind != GENERIC)),
        )

    def on(self, ground: Fault) -> Fault:
        """Return the fault of a lawful provider in place of the reference provider."""

        def install(patch: Patch) -> None:
            ground.install(patch)
            self.install(patch)

        settings, lacks = {**ground.settings, **self.settings}, self.lacks | ground.lacks
        name = f"{ON}{ground.name}: {self.name}"
        return replace(self, name=name, install=install, settings=settings, lacks=lacks, slow=self.slow or ground.slow)


def declared(fault: Fault) -> None:
    """Note a fault.

    Raises:
        ValueError: Its name is taken.
    """
    found = FOUND[fault.kind] if fault.bridge is None else BRIDGES
    if fault.name in found:
        raise ValueError(f"two faults are called {fault.name}: {found[fault.name].title!r} and {fault.title!r}")
    found[fault.name] = fault


def bound(
    made: Callable[..., Any],
    at: FaultPoint | tuple[FaultPoint, ...] | None = None,
    around: tuple[Any, ...] | None = None,
    by: Callable[..., object] | None = None,
) -> Install:
    """Return what puts a function in its place.

    Args:
        made: With none of the others it gets the patch and makes the change itself. With `at` or `around` it is called in
            place of a function: the original first, then the arguments of the call. With `by` its arguments are the helper's.
        at: The fault point, or several.
        around: A class or module, and the names of its functions.
        by: A helper of the kit that gets the patch and the function.
    """
    if at is not None:
        points = at if isinstance(at, tuple) else (at,)
        return lambda patch: [patch.at(point, made) for point in points]
    if around is not None:
        owner, *names = around
        return lambda patch: [patch.around(owner, name, made) for name in names]
    if by is not None:
        return lambda patch: by(patch, made)
    return made


def _declaring(install: Install | None, binding: Mapping[str, Any], make: Callable[[Install], None]) -> Any:
    """Declare at once if `install` is given; return a decorator otherwise."""

    def declare(made: Callable[..., Any]) -> Callable[..., Any]:
        make(bound(made, **binding))
        return made

    return declare if install is None else declare(install)


def saboteur(
    row: str,
    title: str,
    install: Install | None = None,
    *,
    at: Any = None,
    around: Any = None,
    by: Any = None,
    collateral: Mapping[str, str] | None = None,
    **settings: object,
) -> Any:
    """Declare a broad fault: the decorated function, or `install`, breaks the row wherever it applies; see `bound`.

    Raises:
        ValueError: The row has one already.
    """
    return _declaring(
        install,
        {"at": at, "around": around, "by": by},
        lambda made: declared(Fault(row, title, (row,), made, collateral=collateral or {}, settings=settings)),
    )


def nearly_right(
    name: str,
    title: str,
    *rows: str,
    install: Install | None = None,
    at: Any = None,
    around: Any = None,
    by: Any = None,
    origin: str = AUTHORS,
    witness: Callable[[Any], object] | None = None,
    expected: object = None,
) -> Any:
    """Declare a narrow fault: it breaks its rows, joined by blanks, under one circumstance only, as written by hand; see `bound`.

    One that the suite does not notice yet has a witness, and what it expects to see.

    Raises:
        ValueError: The name is taken.
    """
    shown = {"origin": origin, "witness": witness, "expected": expected}
    return _declaring(
        install,
        {"at": at, "around": around, "by": by},
        lambda made: declared(Fault(name, title, tuple(" ".join(rows).split()), made, NARROW, **shown)),  # type: ignore[arg-type]
    )


def of_round(number: int) -> Callable[..., Any]:
    """Return `nearly_right` for the faults of a round that strangers wrote without sight of the suite."""
    return partial(nearly_right, origin=f"round {number}")


def lawful(
    name: str,
    title: str,
    *rows: str,
    install: Install | None = None,
    at: Any = None,
    around: Any = None,
    by: Any = None,
    circumstance: Install | None = None,
    settings: Mapping[str, object] | None = None,
    lacks: Iterable[str] = (),
    slow: bool = False,
) -> Any:
    """Declare a lawful provider in both its forms; see `bound`.

    Args:
        name: Words joined by hyphens.
        title: What the provider does, in a short sentence.
        rows: The rows that permit it.
        install: Makes the change, if no function is decorated.
        at: See `bound`.
        around: See `bound`.
        by: See `bound`.
        circumstance: Makes the change in one circumstance only; without it, every second object shows it.
        settings: Settings of the provider.
        lacks: Optional features that its profile does not claim.
        slow: It is slow by the clock, see `Fault`.

    Raises:
        ValueError: The name is taken.
    """
    from faults.composing.circumstances import EACH_SECOND, Under

    def make(made: Install) -> None:
        at_times = circumstance or (lambda patch: made(Under(patch, EACH_SECOND)))
        for suffix, words, change in (("", "", made), (AT_TIMES, ", at times", at_times)):
            full = LAWFUL_PREFIX + name + suffix
            given = {"settings": settings or {}, "lacks": frozenset(lacks), "slow": slow}
            declared(Fault(full, title + words, rows, change, LAWFUL, **given))  # type: ignore[arg-type]

    return _declaring(install, {"at": at, "around": around, "by": by}, make)


def breaks(name: str, *, at: Any = None, around: Any = None, by: Any = None) -> Any:
    """Declare a fault that only many actors show, by the property of traces that it breaks; see `bound`."""
    return _declaring(
        None,
        {"at": at, "around": around, "by": by},
        lambda made: declared(Fault(name, f"breaks {name}", (name,), made, TRACE)),
    )
