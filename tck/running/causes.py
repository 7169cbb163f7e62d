"""Why a row is broken or left undecided by a case that is not, or not only, about it. Values with a sentence for people each."""

from __future__ import annotations

from dataclasses import dataclass

from tck.catalogue import Assertion
from tck.profile import Disclaimed


@dataclass(frozen=True, slots=True)
class Refusal:
    """A legal call that the provider refused or never returned from, and the row that it broke by that, whichever case made
    the call.
    """

    row: Assertion
    call: str
    text: str
    hung: bool = False

    @property
    def because(self) -> str:
        """The explanation for people."""
        done = "did not return" if self.hung else "was refused"
        return f"{self.call} is legal here and {done}, which breaks {self.row.id}: {self.text}"


@dataclass(frozen=True, slots=True)
class Harm(Refusal):
    """What a bystander suffered from a case: it breaks the row of the bystander's claim."""

    @property
    def because(self) -> str:
        """The explanation for people."""
        return f"A bystander was harmed, which breaks {self.row.id}: {self.text}"


@dataclass(frozen=True, slots=True)
class Left(Refusal):
    """What a call that the case made fail has changed all the same: it breaks the row that says what is read there."""

    @property
    def because(self) -> str:
        """The explanation for people."""
        return f"A refused call left a trace, which breaks {self.row.id}: {self.text}"


@dataclass(frozen=True, slots=True)
class SecondLife(Refusal):
    """What is wrong with the second lifetime of something that a case has ended: it breaks the row of the claim."""

    @property
    def because(self) -> str:
        """The explanation for people."""
        return f"A second lifetime is not as new, which breaks {self.row.id}: {self.text}"


@dataclass(frozen=True, slots=True)
class Differs(Refusal):
    """An outcome beside the rows of a case, as in a program of the corpus, that is not the specified one: it breaks the row that owns it."""

    @property
    def because(self) -> str:
        """The explanation for people."""
        return f"An outcome of {self.call} is not the specified one, which breaks {self.row.id}: {self.text}"


@dataclass(frozen=True, slots=True)
class MeansFailure(Refusal):
    """A means that a case needed and that does not work, and the row of its claim: the rows of the case are not decided."""

    @property
    def because(self) -> str:
        """The explanation for people."""
        return f"The case needs {self.call}, which fail by themselves and break {self.row.id}: {self.text}. So its own rows are not decided."


@dataclass(frozen=True, slots=True)
class VoidHook:
    """A hook that the adapter claims and that has no effect, the row that it is reported at, and the sign of it."""

    row: Assertion
    hook: str
    sign: str

    def __str__(self) -> str:
        return f"the hook {self.hook} is claimed and has no effect: {self.sign}"


@dataclass(frozen=True, slots=True)
class Lack:
    """A call that the provider does not have; `part` is what of the version its maintainers disclaim by that, if they do."""

    call: str
    error: BaseException
    part: Disclaimed | None = None

    @property
    def what(self) -> str:
        """What is lacking, the same words for all calls of one part and for one call of every interface."""
        return f"not claimed: {self.part.what}" if self.part else f"missing: {self.call.rpartition('.')[2]}"

    def __str__(self) -> str:
        return f"{self.what} ({self.call}{f'; {self.part.link}' if self.part else ''})"
