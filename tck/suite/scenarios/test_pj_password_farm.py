"""A farm that searches a password: pieces of the candidates are put into a tuple space, and workers try them."""

from __future__ import annotations

import hashlib
from itertools import product

from tck.suite.support import Case, expect, scenario
from tck.suite.support.clients.qspace import QSpace
from tck.suite.support.harness.threads import Call

LETTERS, PIECES = "abcdefgh", 16
CANDIDATES = ["".join(letters) for letters in product(LETTERS, repeat=3)]
PASSWORD = CANDIDATES[len(CANDIDATES) * 11 // PIECES + 5]
"""It is in the twelfth piece."""
PIECE, SOLUTION, STOP = "kind='piece'", "kind='solution'", b"stop"


@scenario("pj-password-farm")
def test_a_farm_searches_a_password(case: Case) -> None:
    """Workers try pieces until one has found the password; the main program takes that and drains the other pieces."""
    queue, client = case.queue(), case.client()
    space = QSpace(client, queue)
    for number in range(PIECES):
        space.write(f"{number} {hashed(PASSWORD)}".encode(), kind="piece")
    farm = Farm(case, [QSpace(case.client(), queue) for _ in range(3)])
    farm.start(2)
    case.pass_time(case.timing.delay / 4, "half of the work is done")
    farm.start(1)
    solutions = [space.takes(case.timing.deadline, SOLUTION)]
    drained = list(iter(lambda: space.takes(0, PIECE), None))
    for _ in farm.spaces:
        space.write(STOP, kind="piece")
    worked = farm.pieces()
    solutions.append(space.takes(0, SOLUTION))
    farm.shut_down()
    left = len(client.browse_messages(queue))

    with expect.for_row("pj-password-farm-1"):
        expect.equal("the solutions", solutions, [PASSWORD.encode(), None])
    with expect.for_row("pj-password-farm-2"):
        tried = [piece.split()[0] for pieces in (*worked, drained) for piece in pieces]
        expect.equal("the pieces worked and drained", sorted(map(int, tried)), list(range(PIECES)))
    with expect.for_row("pj-password-farm-3"):
        expect.record(f"the late worker gets {'some' if worked[2] else 'no'} pieces")
    with expect.for_row("pj-password-farm-4"):
        expect.equal("the entries left", left, 0)


def hashed(password: str) -> str:
    """Return the hash of a password."""
    return hashlib.sha256(password.encode()).hexdigest()


class Farm:
    """The workers, each with a space on a connection of its own."""

    def __init__(self, case: Case, spaces: list[QSpace]) -> None:
        self._case = case
        self.spaces = spaces
        self._working: list[Call[list[bytes]]] = []

    def start(self, workers: int) -> None:
        """Let more of the workers begin."""
        for _ in range(workers):
            space = self.spaces[len(self._working)]
            self._working.append(self._case.spawn("a worker", lambda space=space: self._works(space)))  # type: ignore[misc]

    def _works(self, space: QSpace) -> list[bytes]:
        pieces: list[bytes] = []
        while (piece := space.takes(self._case.timing.deadline, PIECE)) not in (STOP, None):
            self._case.pass_time(self._case.timing.delay / PIECES, "a worker tries its piece")
            pieces.append(piece)
            for password in found(piece.decode()):
                space.write(password.encode(), kind="solution")
        return pieces

    def pieces(self) -> list[list[bytes]]:
        """Wait for the workers; return the pieces that each has tried."""
        return [each.result(2 * self._case.timing.deadline) for each in self._working]

    def shut_down(self) -> None:
        """Close the connections of the workers."""
        for space in self.spaces:
            space.shut_down()


def found(piece: str) -> list[str]:
    """Return the candidates of a piece that have its hash."""
    number, wanted = piece.split()
    size = len(CANDIDATES) // PIECES
    return [each for each in CANDIDATES[int(number) * size : (int(number) + 1) * size] if hashed(each) == wanted]
