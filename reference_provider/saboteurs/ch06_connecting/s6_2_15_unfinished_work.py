"""Faults in 6.2.15: what the close of a session does with unfinished work."""

from __future__ import annotations

from reference_provider.client.sessions import ReferenceSession
from reference_provider.saboteurs.registry import Patch, saboteur
from reference_provider.saboteurs.session_faults import acknowledged_at_end, alone, before_end, send_open


@saboteur("6.2.15-14", "close() of a session commits an open transaction that has sent several messages")
def _(patch: Patch) -> None:
    def fault(session: ReferenceSession) -> None:
        if len(session.state.work.sends) > 1 and alone(session):
            send_open(session)

    before_end(patch, fault)


@saboteur("6.2.15-15", "close() of a session acknowledges three or more messages that a transaction got from a queue")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=True, queue=True, when=alone)


@saboteur("6.2.15-16", "close() of a session acknowledges three or more messages of a subscription in a transaction")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=True, queue=False, when=alone)


@saboteur("6.2.15-17", "close() of a session acknowledges three or more messages of a queue in CLIENT_ACKNOWLEDGE")
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=False, queue=True, when=alone)


@saboteur(
    "6.2.15-18", "close() of a session acknowledges three or more messages of a subscription in CLIENT_ACKNOWLEDGE"
)
def _(patch: Patch) -> None:
    acknowledged_at_end(patch, transacted=False, queue=False, when=alone)
