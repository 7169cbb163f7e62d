"""Why a row is broken or left undecided by a case that is not, or not only, about it. Values with a sentence for people each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from tck.catalogue import Assertion
from tck.profile import Disclaimed


class Kind(Enum):
    """The kinds of causes."""

    REFUSED = "a legal call that the provider refused"
    HUNG = "a legal call that the provider never returned from"
    HARMED = "what a bystander suffered from the case: the row is that of its claim"
    LEFT = "what a call that the case made fail has changed all the same: the row says what is read there"
    AGED = "what is wrong with the second lifetime of something that the case has ended: the row is that of the claim"
    DIFFERS = "an outcome beside the rows of the case, as in a program of the corpus, that is not the specified one"
    VOID = "a hook that the adapter claims and that has no effect: the row is the one that reports it"
    MEANS_FAILED = "a means that the case needed does not work: the rows of the case are not decided"


_BECAUSE: Final[Mapping[Kind, str]] = {
    Kind.REFUSED: "{call} is legal here and was refused, which breaks {row}: {text}",
    Kind.HUNG: "{call} is legal here and did not return, which breaks {row}: {text}",
    Kind.HARMED: "A bystander was harmed, which breaks {row}: {text}",
    Kind.LEFT: "A refused call left a trace, which breaks {row}: {text}",
    Kind.AGED: "A second lifetime is not as new, which breaks {row}: {text}",
    Kind.DIFFERS: "An outcome of {call} is not the specified one, which breaks {row}: {text}",
    Kind.VOID: "Take {call} out of Provider.hooks, or let it work ({row}).",
    Kind.MEANS_FAILED: "The case needs {call}, which fail by themselves and break {row}: {text}. So its own rows are not decided.",
}


@dataclass(frozen=True, slots=True)
class Cause:
    """What breaks a row, whichever case has met it.

    Attributes:
        kind: Says what it is.
        row: The row that it breaks.
        call: The call, the hook, or the means.
        text: What was seen.
    """

    kind: Kind
    row: Assertion
    call: str
    text: str

    @property
    def because(self) -> str:
        """The explanation for people."""
        return _BECAUSE[self.kind].format(call=self.call, row=self.row.id, text=self.text)


@dataclass(frozen=True, slots=True)
class Lack:
    """A call that the provider does not have; `part` is what of the version its maintainers disclaim by that, if they do."""

    call: str
    error: BaseException
    part: Disclaimed | None = None

    @property
    def what(self) -> str:
        """The thing that is lacking, in the same words for all calls of one part and for one call of every interface."""
        return f"not claimed: {self.part.what}" if self.part else f"missing: {self.call.rpartition('.')[2]}"

    def __str__(self) -> str:
        return f"{self.what} ({self.call}{f'; {self.part.link}' if self.part else ''})"
