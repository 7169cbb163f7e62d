"""Charts as inline SVG: no script, as wide as the page, readable on a phone and without colour.

The drawing is stretched to its box and its lines are not, so all text is HTML outside the SVG. Lines differ by dashes as well
as by colour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tck.reports.html.markup import Safe, fill, join
from tck.reports.show import count

POINTS = 240
"""The most points of a line; in a longer one several values share a point."""

FEW = 5
"""Fewer values than this are a table: a curve through them would suggest a course that nobody measured."""

_WIDTH, _HEIGHT = 1000.0, 220.0
_TICKS = 4
_MARKS = 40

Values = Sequence[float | None]


@dataclass(frozen=True, slots=True)
class Line:
    """One curve: its name, a value or None for each second, and its style, 1 to 6."""

    label: str
    values: Values
    style: int


@dataclass(frozen=True, slots=True)
class Mark:
    """An event at a moment, in seconds since the start."""

    second: float
    label: str


def chart(
    title: str,
    unit: str,
    lines: Sequence[Line],
    marks: Sequence[Mark] = (),
    *,
    log: bool = False,
    along: Sequence[str] = (),
) -> Safe:
    """Draw curves over seconds, or over the labels in `along`; fewer values than `FEW` are a table.

    Args:
        title: The title of the chart.
        unit: The unit of the values.
        lines: The curves, all over the same seconds.
        marks: Drawn as vertical lines.
        along: The label of each value, if values are not seconds.
        log: Whether the axis is logarithmic; values of 0 are then at its bottom.
    """
    seconds = max((len(line.values) for line in lines), default=0)
    if not seconds:
        return Safe("")
    if seconds < FEW:
        return _table(title, unit, lines, marks, along or [f"second {second + 1}" for second in range(seconds)])
    binned = [(line, _binned(line.values)) for line in lines]
    axis = _log_axis(binned) if log else _plain_axis(binned)
    paths = [path for line, values in binned for path in _paths(line.style, values, axis)]
    at = [
        fill('<line class="fault" x1="%s" x2="%s" y1="0" y2="%s"/>', _short(x), _short(x), _short(_HEIGHT))
        for mark in marks[:_MARKS]
        for x in (_WIDTH * min(mark.second, seconds) / seconds,)
    ]
    grid = [
        fill('<line class="grid" x1="0" x2="%s" y1="%s" y2="%s"/>', _short(_WIDTH), y, y)
        for tick in axis.ticks
        for y in (_short(_HEIGHT * (1 - axis.place(tick))),)
    ]
    drawing = fill(
        '<svg viewBox="0 0 %s %s" preserveAspectRatio="none" role="img" aria-label="%s">%s</svg>',
        _short(_WIDTH), _short(_HEIGHT), _described(title, unit, lines, marks), join([*grid, *at, *paths]),
    )  # fmt: skip
    scale = [
        fill('<span style="top:%s%%">%s</span>', _short(100 * (1 - axis.place(tick))), _figure(tick))
        for tick in axis.ticks
    ]
    each = _each(seconds)
    note = (
        fill(" Each point is the maximum of %s.", count(each, "value" if along else "second")) if each > 1 else Safe("")
    )
    return fill(
        '<figure class="chart"><figcaption><b>%s</b> <span class="soft">%s%s.%s</span>%s</figcaption>'
        '<div class="plot"><div class="y" aria-hidden="true">%s</div>%s<div class="x" aria-hidden="true">%s</div></div></figure>\n',
        title, unit, ", each line ten times the one below" if log else "", note, _legend(lines, bool(marks)), join(scale), drawing,
        join(_places(along) if along else _moments(seconds)),
    )  # fmt: skip


def sparkline(values: Values, label: str, *, top: float = 0.0) -> Safe:
    """Draw one small curve without an axis; `label` is its text for screen readers. Few values need none."""
    known = [value for value in values if value is not None]
    if not known or len(values) < FEW:
        return Safe("")
    axis = _Axis(0.0, max(*known, top, 1e-9), ())
    lines = _paths(1, list(values), axis)
    return fill(
        '<svg class="spark" viewBox="0 -12 %s %s" preserveAspectRatio="none" role="img" aria-label="%s"><title>%s</title>%s</svg>',
        _short(_WIDTH), _short(_HEIGHT + 24), label, label, join(lines),
    )  # fmt: skip


def _table(title: str, unit: str, lines: Sequence[Line], marks: Sequence[Mark], along: Sequence[str]) -> Safe:
    head = join([fill('<th scope="col" class="num">%s</th>', line.label) for line in lines])
    rows = [
        fill('<tr><th scope="row">%s</th>%s</tr>', place, join([fill('<td class="num">%s</td>', _cell(line.values, at)) for line in lines]))
        for at, place in enumerate(along)
    ]  # fmt: skip
    faults = [fill("<p>%s: %s</p>", f"{mark.second:.3g} s", mark.label) for mark in marks[:_MARKS]]
    return fill(
        '<div class="scroll"><table class="few"><caption><b>%s</b> <span class="soft">%s</span></caption>'
        '<thead><tr><th scope="col">%s</th>%s</tr></thead><tbody>%s</tbody></table></div>%s\n',
        title, unit, "Time" if along and along[0].startswith("second ") else "Run", head, join(rows), join(faults),
    )  # fmt: skip


def _cell(values: Values, at: int) -> str:
    value = values[at] if at < len(values) else None
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


# -- axes ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Axis:
    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    def place(self, value: float) -> float:
        """Return the height of a value, from 0 at the bottom to 1 at the top."""
        if self.log:
            value = math.log10(max(value, self.low) / self.low) / math.log10(self.high / self.low)
            return min(1.0, value)
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def _plain_axis(lines: Sequence[tuple[Line, Values]]) -> _Axis:
    top = max((value for _, values in lines for value in values if value is not None), default=0.0) or 1.0
    step = 10.0 ** math.floor(math.log10(top / _TICKS))
    step *= next(factor for factor in (1, 2, 5, 10) if top <= step * factor * _TICKS)
    steps = math.ceil(top / step)
    return _Axis(0.0, step * steps, tuple(step * number for number in range(steps + 1)))


def _log_axis(lines: Sequence[tuple[Line, Values]]) -> _Axis:
    known = [value for _, values in lines for value in values if value]
    low = math.floor(math.log10(max(min(known, default=1.0), 1e-3)))
    high = max(math.ceil(math.log10(max(known, default=1.0))), low + 1)
    return _Axis(10.0**low, 10.0**high, tuple(10.0**power for power in range(low, high + 1)), log=True)


def _each(seconds: int) -> int:
    return math.ceil(seconds / POINTS)


def _binned(values: Values) -> Values:
    """Reduce a line to the most points; each shows the maximum of its values, so that no peak is lost."""
    each = _each(len(values)) if values else 1
    if each == 1:
        return values
    groups = (values[start : start + each] for start in range(0, len(values), each))
    return [max((value for value in group if value is not None), default=None) for group in groups]


def _paths(style: int, values: Values, axis: _Axis) -> list[Safe]:
    """Draw each unbroken stretch of a curve."""
    wide = _WIDTH / max(len(values), 1)
    stretches: list[list[str]] = [[]]
    for number, value in enumerate(values):
        if value is None:
            stretches.append([])
            continue
        y = _short(_HEIGHT * (1 - axis.place(value)))
        stretches[-1].append(f"{_short(wide * (number + 0.5))},{y}")
    # A value between two gaps is a line of length 0, whose round ends make a dot.
    return [
        fill('<polyline class="c%s" points="%s"/>', style, " ".join(each))
        if len(each) > 1
        else fill('<polyline class="c%s dot" points="%s"/>', style, f"{each[0]} {each[0]}")
        for each in stretches
        if each
    ]


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number >= 1 or not number else f"{number:g}"


def _moments(seconds: int) -> list[Safe]:
    """Return the labels below a chart: start, quarters and end, in a suitable unit."""
    unit, size = ("min", 60.0) if seconds > 300 else ("s", 1.0)
    return [
        fill("<span>%s</span>", f"{seconds * part / 4 / size:.3g} {unit}" if part else f"0 {unit}") for part in range(5)
    ]


def _places(along: Sequence[str]) -> list[Safe]:
    """Return some of the labels, evenly chosen, the first and the last among them."""
    last = len(along) - 1
    chosen = sorted({round(part * last / 4) for part in range(5)})
    return [fill("<span>%s</span>", along[place]) for place in chosen]


def _legend(lines: Sequence[Line], faults: bool) -> Safe:
    entries = [
        fill(
            '<li><svg viewBox="0 0 30 10" aria-hidden="true"><line class="c%s" x1="0" x2="30" y1="5" y2="5"/></svg>%s</li>',
            line.style, line.label,
        )
        for line in lines
    ]  # fmt: skip
    if faults:
        entries.append(
            Safe(
                '<li><svg viewBox="0 0 30 10" aria-hidden="true"><line class="fault" x1="15" x2="15" y1="0" y2="10"/></svg>a fault</li>'
            )
        )
    return fill('<ul class="key">%s</ul>', join(entries))


def _described(title: str, unit: str, lines: Sequence[Line], marks: Sequence[Mark]) -> str:
    """Describe a chart in words, for screen readers."""
    parts = []
    for line in lines:
        known = sorted(value for value in line.values if value is not None)
        if known:
            parts.append(
                f"{line.label} {_figure(known[0])} to {_figure(known[-1])}, median {_figure(known[len(known) // 2])}"
            )
    faults = f"; {count(len(marks), 'fault')}" if marks else ""
    return f"{title}, {unit}: {'; '.join(parts)}{faults}"
