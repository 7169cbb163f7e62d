"""A small finished run for the tests of the bundle: two workers, three cases, one of them twice."""

from pathlib import Path

from tck.record import (
    Bundle,
    BundleWriter,
    Case,
    CatalogueRef,
    Claims,
    Deviation,
    Effect,
    Environment,
    Kit,
    Outcome,
    ProfileRef,
    ProviderRef,
    Result,
    Run,
    Verdict,
    begin,
    collect,
    finish,
)
from tck.record.compressed import pack, unpack

RUN = Run(
    run="r-1",
    kind="suite",
    kit=Kit("0.1.0"),
    catalogue=CatalogueRef("blake2b:00"),
    profile=ProfileRef(
        name="toy",
        title="Toy",
        digest="blake2b:01",
        tier="3.1",
        release="1.2",
        claims=Claims("3.1", ("xa",), ("classic",)),
        deviations=(
            Deviation(
                "3.4.5-4",
                "fails",
                "known",
                link="https://example.org/1",
                line=7,
                when="a is off",
                holds_with={"a": True},
                effect=Effect.WRONG_DATA,
            ),
        ),
    ),
    provider=ProviderRef("Toy", "1", "us", "3.1", hooks=("clock",)),
    environment=Environment("3.11.7", "linux", 2, 2),
    seed=7,
    command=("run", "-p", "toy"),
    started="2026-01-02T03:04:05Z",
)
NAMES = ("3.4.1-1/queue/classic/auto", "3.4.1-1/topic/classic/auto", "3.4.2-1/queue/classic/auto")


def case(name: str, worker: str = "gw0", position: int = 0) -> Case:
    assertion = name.split("/", maxsplit=1)[0]
    return Case(
        case=name,
        node=f"tck/suite/test_x.py::test_y[{name}]",
        assertions=(assertion,),
        axes={"domain": name.split("/")[1], "api": "classic", "ack": "auto"},
        file="tck/suite/test_x.py",
        line=10,
        title="A claim.",
        worker=worker,
        position=position,
    )


def result(name: str, attempt: int = 1, outcome: Outcome = Outcome.HELD) -> Result:
    verdict = Verdict.CONFORMANT if outcome is Outcome.HELD else Verdict.VIOLATION
    return Result(
        case=name,
        attempt=attempt,
        outcome=outcome,
        verdicts={name.split("/", maxsplit=1)[0]: verdict},
        verdict=verdict,
        witnesses=("arrives",),
        ms=1.5,
    )


def events(name: str, count: int = 4, attempt: int = 1) -> list[dict]:
    return [
        {
            "case": name,
            "seq": seq,
            "t_ns": 1_763_740_000_000_000_000 + attempt * 1000 + seq,
            "thread": "main",
            "actor": "session-1",
            "on": "producer-1",
            "op": "MessageProducer.send",
            "phase": "invoke" if seq % 2 else "ok",
            "call": None if seq % 2 else seq - 1,
            **({"args": {"message": "message-1"}} if seq % 2 else {"value": None}),
            "destination": "queue:q \u2028 \ud800",
            "subscription": None,
            "message_id": None,
        }
        for seq in range(1, count + 1)
    ]


def write_run(folder: Path, run: Run = RUN) -> Path:
    begin(folder, run)
    first, second = BundleWriter(folder, "gw0"), BundleWriter(folder, "gw1")
    for position, (writer, name, attempt) in enumerate(
        [(first, NAMES[0], 1), (second, NAMES[1], 1), (first, NAMES[2], 1), (second, NAMES[2], 2)]
    ):
        writer.start(case(name, writer.worker, position), attempt)
        writer.finish(result(name, attempt), events(name, attempt=attempt))
    first.close()
    second.close()
    return folder


def end_run(folder: Path) -> Path:
    collected = collect(folder)
    finish(
        folder,
        collected.cases,
        collected.results,
        run=RUN.run,
        exit=0,
        seconds=1.25,
        finished="2026-01-02T03:04:09Z",
    )
    return folder


def finished_run(folder: Path) -> Path:
    return end_run(write_run(folder))


def open_bundle(folder: Path, *, allow_truncated: bool = False) -> Bundle:
    return Bundle.open(folder, allow_truncated=allow_truncated)


def change_last_byte(path: Path) -> None:
    """Change a file as somebody who keeps its size does."""
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


def rewrite(path: Path, before: bytes, after: bytes) -> None:
    """Replace the first occurrence of some bytes in a compressed file."""
    content = unpack(path.read_bytes())
    assert before in content
    path.write_bytes(pack(content.replace(before, after, 1)))
