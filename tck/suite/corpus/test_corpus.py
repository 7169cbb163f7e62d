"""Programs of the corpus: every outcome that the specification lays down is as stored."""

from tck.suite.support import Case, asserts
from tck.suite.support.corpus import performed, variants


@asserts("corpus-1", variants=variants())
def test_a_program_of_the_corpus(case: Case) -> None:
    """Each outcome of the program is the specified one, wherever the specification leaves no choice.

    The programs are random ones, chosen by machine; `tck explain corpus/0137` shows the calls of one, the outcomes that
    are compared, and the rows that own them.
    """
    performed(case)
