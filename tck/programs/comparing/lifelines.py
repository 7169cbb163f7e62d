"""What has happened to one message before it came, or failed to come: what gave it the duty or the right to arrive.

The last event owns what differs about its arrival. The events are words that the table of owners presumes: ``last_X`` for
the last one, ``had_X`` for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tck.programs.comparing.history import CONSUMING, FAILURES, History
from tck.programs.comparing.outcomes import delivered, identity, views
from tck.programs.operations import OPERATIONS, Compared
from tck.programs.program import Json
from tck.programs.state.objects import Session

Event = tuple[int, str]
"""The number of a step, and what it did to the message."""

Entry = tuple[str, str, str]
"""A pattern for ``call what``, words that it presumes, rows."""

_ENDINGS: Final = {
    "commit": "sent", "rollback": "unsent", "close": "unsent_session", "fail_commit": "unsent_failed_commit",
}  # fmt: skip
"""What the end of a transaction does to what was sent in it."""

_SELECTED: Final = ("JMSDeliveryMode", "JMSPriority", "JMSMessageID", "JMSTimestamp")
"""Headers with which a selector may let a first delivery fail."""

_FLOW: Final = frozenset(name for name, each in OPERATIONS.items() if each.compared is Compared.MESSAGES)


class Lifeline:
    """What happened to one message at one endpoint before a step.

    Args:
        history: What the steps of the program reach.
        consumer: The consumer that received it, or should have.
        message: The message, as it was shown.
        until: Number of the step.
    """

    def __init__(self, history: History, consumer: str, message: Json, until: int) -> None:
        self.history, self.told, self.rules = history, history.told, history.rules
        self.steps, self.message, self.until = history.told.program.steps, message, until
        self.consumer = consumer
        self.end = self.told.ends[consumer]["end"]
        self.send = message.get("send")
        self.record = next((each for each in self.told.sends if each["number"] == self.send), None)
        self.start = history.sent_at.get(self.send, 0) if self.send is not None else 0

    def words(self) -> set[str]:
        """Return the events, and what else is known of the message and of the consumer."""
        found = set(self._consumer())
        if self.record is None:
            return found | {"of_nobody"}
        found.add(f"send_{self.send}")
        sender = self.rules.producers.get(self.record["producer"])
        if sender is not None and sender.session.xa and sender.session.connection.simplified:
            found.add("xa_context")
        users = [
            each
            for each in self.steps[: self.start]
            if each.do in CONSUMING and each.args.get("of") == self.record["destination"]
        ]
        found |= set() if users else {"unattended"}
        if self.record["destination"] != self.told.ends[self.consumer]["of"]:
            found.add("elsewhere")
        events = sorted(
            each
            for each in (*self._sent(self.record), *self._time(self.record), *self._received(), *self._others())
            if each[0] < self.until
        )
        if events:
            found.add(f"last_{events[-1][1]}")
        found |= {f"had_{name}" for _, name in events}
        if not any("in_hand" in name or name.startswith("taken") for _, name in events):
            found |= self._selecting()
        found.add("persistent" if self.record["mode"] == 2 else "non_persistent")
        return found

    def _sent(self, record: Json) -> Iterator[Event]:
        step = self.steps[self.start]
        yield self.start, "async" if step.args.get("async") else "by_body" if step.do == "send_body" else "sent"
        producer = self.rules.producers.get(record["producer"])
        if producer is None or producer.session.mode != "transacted":
            return
        if producer.session.xa:
            end = self._decided(self.start, producer.session.name)
            words = {"rollback": "unsent_in_branch", "commit": "sent_in_branch", "one_phase": "sent_in_branch"}
            yield (self.start, "uncommitted_branch") if end is None else (end, words[self.steps[end].args["what"]])
            return
        session = producer.session
        for at in range(self.start + 1, self.until):
            each = self.steps[at]
            if each.do in _ENDINGS and each.args["on"] == session.name:
                yield at, f"{_ENDINGS[each.do]}_in_transaction"
                return
            if each.do in FAILURES or (each.do == "close" and each.args["on"] == session.connection.name):
                yield at, "unsent_failure" if each.do in FAILURES else "unsent_connection"
                return
        yield self.start, "uncommitted"

    def _decided(self, at: int, session: str) -> int | None:
        """Return the step that decides on the branch in which an XA session works at a step; None where none has."""
        begun = [each for each in self.steps[:at] if each.do == "branch" and each.args["on"] == session]
        name = next(
            (each.name or each.args["of"] for each in reversed(begun) if each.args["what"] in {"start", "resume"}), None
        )
        for number in range(at + 1, self.until):
            step = self.steps[number]
            decides = step.do == "branch" and step.args["what"] in {"commit", "one_phase", "rollback"}
            if decides and step.args.get("of") == name:
                return number
        return None

    def _time(self, record: Json) -> Iterator[Event]:
        """Yield when it became due and when it expired."""
        passed = 0
        marks = {"due": record["delay"], "expired": record["ttl"]}
        for at in range(self.start + 1, self.until):
            step = self.steps[at]
            if step.do == "advance":
                before, passed = passed, passed + step.args["units"]
                yield from ((at, name) for name, mark in marks.items() if mark and before < mark <= passed)

    def _shown(self) -> Iterator[tuple[int, str]]:
        """Yield the steps that gave it to a consumer of the endpoint, and the consumer."""
        key = identity(self.message)
        for at, seen in enumerate(self.told.seen[: self.until]):
            step, ok = self.steps[at], seen.get("ok")
            on = str(step.args.get("on"))
            if step.do in _FLOW and isinstance(ok, dict) and self.told.ends.get(on, {}).get("end") == self.end:
                yield from ((at, on) for view in views(ok) if identity(view) == key)
            if step.do == "receive_body" and isinstance(ok, dict) and self.told.ends.get(on, {}).get("end") == self.end:
                yield from (
                    (at, on) for value in (ok.get("got"),) if value is not None and value == self.message.get("body")
                )
            for name, given in delivered([seen]).items():
                if self.told.ends.get(name, {}).get("end") == self.end:
                    yield from ((at, name) for view in given if identity(view) == key)

    def _received(self) -> Iterator[Event]:
        """Yield receipts, what settled them, and what gave it back."""
        shown = [each for each in self._shown() if each[0] < self.until]
        settled: list[int] = []
        for at, name in shown:
            consumer = self.rules.consumers.get(name)
            if consumer is None:
                continue
            mode = consumer.session.mode
            if consumer.pooled:
                yield at, "pooled"
            if self.steps[at].do == "receive_body":
                yield at, "received_body"
            if mode in {"auto", "dups_ok"}:
                yield at, "taken_by_listener" if self.steps[at].args.get("on") != name else "taken"
                settled.append(at)
                continue
            yield at, "in_hand_branch" if consumer.session.xa else f"in_hand_{mode}"
            end, word = (self._in_branch if consumer.session.xa else self._settled)(at, consumer.session)
            if end is not None:
                yield end, word
                settled.append(end)
        for back in self.history.backs(self.end, self.start, self.until):
            held = [at for at, _ in shown if at < back.step]
            kept = bool(held) and not any(held[-1] <= at < back.step for at in settled)
            what = f"closed_{back.closed}" if back.do == "close" else back.do
            yield back.step, f"{what}_{'held' if kept else 'unseen'}"

    def _in_branch(self, at: int, session: Session) -> tuple[int | None, str]:
        """Return the step that commits the branch in which a message was received; None where none does."""
        end = self._decided(at, session.name)
        committed = end is not None and self.steps[end].args["what"] != "rollback"
        return end if committed else None, "committed_in_branch"

    def _settled(self, at: int, session: Session) -> tuple[int | None, str]:
        """Return the step that settles what was received at a step, and how; None where none does."""
        settles, word = ("commit", "committed") if session.mode == "transacted" else ("acknowledge", "acknowledged")
        for after in range(at + 1, self.until):
            step = self.steps[after]
            on = step.args.get("on")
            whose = self.rules.messages[str(on)].receiver if on in self.rules.messages else None
            mine = on == session.name or whose is session
            if mine and step.do in {"rollback", "recover", "close", "fail_commit"}:
                break
            if mine and step.do == settles:
                return after, "acknowledged_again" if self._again(after) else word
        return None, word

    def _again(self, number: int) -> bool:
        """Return whether a step acknowledges by a message that was acknowledged by itself before."""
        return self.steps[number].do == "acknowledge" and self.steps[number] in self.steps[:number]

    def _others(self) -> Iterator[Event]:
        """Yield what happened to the subscription, to the connection and to the queue meanwhile."""
        consumer = self.rules.consumers.get(self.consumer)
        mine = {self.consumer} if consumer is None else {consumer.session.name, consumer.session.connection.name}
        kind = self.told.ends[self.consumer]["kind"]
        for at in range(self.until):
            step = self.steps[at]
            if step.do == "stop" and step.args["on"] in mine:
                yield at, "stopped"
            elif at <= self.start:
                continue
            elif (
                step.do in CONSUMING
                and kind != "queue"
                and self.told.ends.get(step.name or "", {}).get("end") == self.end
            ):
                yield at, "subscribed"
            elif step.do == "unsubscribe" and str(self.end).endswith(f"/{step.args.get('name')}"):
                yield at, "unsubscribed"
            elif step.do == "start" and step.args["on"] in mine:
                yield at, "started"
            elif step.do in {"restart", "kill"}:
                yield at, f"{step.do}_past"
            elif step.do == "browse" and self.history.place(step) == self.end:
                yield at, "browsed"
            elif step.do == "receive_body" and self._refused(at):
                yield at, f"body_refused_{self.rules.consumers[str(step.args['on'])].session.mode}"

    def _refused(self, at: int) -> bool:
        """Return whether a message of the endpoint was not received, since its body is not of the type that was asked for."""
        wrong = str(self.told.seen[at].get("raises")).startswith("MessageFormat")
        return wrong and self.told.ends.get(str(self.steps[at].args["on"]), {}).get("end") == self.end

    def _consumer(self) -> Iterator[str]:
        """Yield what is known of the consumer."""
        made = next((each for each in self.steps if each.do in CONSUMING and each.name == self.consumer), None)
        if made is not None and made.do == "pool":
            yield from self._pool()
        if made is not None:
            yield from (name for name in ("selector", "no_local") if made.args.get(name))
        listening = [
            each for each in self.steps[: self.until + 1] if each.do == "listen" and each.args["on"] == self.consumer
        ]
        if any(str(each.args.get("does")).endswith("throw") for each in listening):
            yield "thrown"
        found = self.rules.consumers.get(self.consumer)
        if found is not None:
            yield f"mode_{found.session.mode}"
        started = None if found is None else self._started(found.session.connection.name, found.session.name)
        if started is False:
            yield "not_started"

    def _selecting(self) -> set[str]:
        """Return the headers that the selector of a subscription names, with which its first delivery stands or falls."""
        made = next((each for each in self.steps if each.do in CONSUMING and each.name == self.consumer), None)
        text = "" if made is None or self.told.ends[self.consumer]["kind"] == "queue" else made.args.get("selector")
        words = re.findall(r"\w+", re.sub(r"'[^']*'", "''", str(text or "")))
        return {f"by_{name}" for name in _SELECTED if name in words}

    def _pool(self) -> Iterator[str]:
        """Yield that it is a connection consumer, of which kind of connection, and whether it was closed."""
        yield "pool"
        found = self.rules.consumers.get(self.consumer)
        if found is not None and found.session.connection.api != "classic":
            yield "of_domain"
        if any(each.do == "close" and each.args["on"] == self.consumer for each in self.steps[: self.until]):
            yield "pool_closed"

    def _started(self, connection: str, session: str) -> bool | None:
        """Return whether the connection was started last, or stopped; None where no step says so."""
        for step in reversed(self.steps[: self.until]):
            if step.args.get("on") in {connection, session} and step.do in {"start", "stop"}:
                return step.do == "start"
        return None if self.rules.connections[connection].simplified else False


LIFE: Final[tuple[Entry, ...]] = (
    # a body without its message: nothing is known of its life
    # a message that does not come: what gave it the duty to
    ("receive_body missing", "no_wait", "8.6-3"), ("receive_body missing", "forever", "8.6-1"), ("receive_body missing", "", "8.6-2"),
    ("receive_body extra", "no_wait", "8.6-7"), ("receive_body extra", "", "8.6-5"),
    ("browse missing", "", "4.1.6-4 4.1.8-1"), ("next missing", "", "4.1.6-4"),
    ("* missing", "half_property", "3.5.2-8"), ("* missing", "half_text", "3.11-5"),
    ("* missing", "preset_delivery_time", "3.4.11-4"), ("* missing", "preset_expiration", "3.4.11-3"),
    ("* missing", "had_body_refused_auto", "8.6-21"), ("* missing", "had_body_refused_dups_ok", "8.6-24"),
    ("* missing", "had_body_refused_client", "8.6-27 8.6-26"), ("* missing", "had_body_refused_transacted", "8.6-31 8.6-30"),
    ("* missing", "had_received_body had_in_hand_transacted", "8.6-9 8.6-31"),
    ("* missing", "last_sent_in_branch had_restart_past", "11.3.5-6"), ("* missing", "last_sent_in_branch had_kill_past", "11.3.5-6"),
    ("* missing", "last_sent_in_branch xa_context", "11.3.4-3"), ("* missing", "last_sent_in_branch", "11.3.3-4"),
    ("* missing", "last_branch_rollback_held had_restart_past", "11.3.5-6"), ("* missing", "last_branch_rollback_held had_kill_past", "11.3.5-6"),
    ("* missing", "had_branch_rollback_held", "11.3.3-7"),
    ("* missing", "pool last_started had_stopped", "6.1.5-6"), ("* missing", "pool last_started", "11.2.4-7"),
    ("* missing", "pool shared_durable", "11.2.4-10"), ("* missing", "pool durable", "11.2.4-8"), ("* missing", "pool shared", "11.2.4-9"),
    ("* missing", "pool of_domain", "11.2.4-2"), ("* missing", "pool", "11.2.4-1 11.2.1-2"),
    ("* missing", "had_pooled", "11.2.7-2"), ("* missing", "last_closed_pool_unseen", "11.2.7-1"),
    ("* missing", "last_due", "7.9-5"),
    ("* missing", "had_due durable", "7.9-9 7.9-5"), ("* missing", "last_browsed", "4.1.6-1"),
    ("* missing", "by_JMSDeliveryMode", "3.8.1.1-34"), ("* missing", "by_JMSPriority", "3.8.1.1-35"),
    ("* missing", "by_JMSMessageID", "3.8.1.1-36"), ("* missing", "by_JMSTimestamp", "3.8.1.1-37"),
    ("* missing", "last_sent_in_transaction", "6.2.7-3"), ("* missing", "last_async", "7.3-1"), ("* missing", "last_by_body", "7.2-7"),
    ("* missing", "last_rollback_held queue", "6.2.7-6"), ("* missing", "last_rollback_held durable", "6.2.7-7"), ("* missing", "last_rollback_held", "6.2.7-8"),
    ("* missing", "last_fail_commit_held", "6.2.7-20"),
    ("* missing", "last_recover_held queue", "6.2.10-20"), ("* missing", "last_recover_held durable", "6.2.10-21"), ("* missing", "last_recover_held", "6.2.10-22"),
    ("* missing", "last_closed_consumer_held queue", "8.8-14"), ("* missing", "last_closed_consumer_unseen queue", "8.8-3"),
    ("* missing", "had_closed_session_held had_in_hand_transacted queue", "6.2.15-15"), ("* missing", "had_closed_session_held had_in_hand_transacted durable", "6.2.15-16"),
    ("* missing", "had_closed_session_held queue", "6.2-12"), ("* missing", "had_closed_session_held shared_durable", "6.2-13 8.3.4-12"), ("* missing", "had_closed_session_held durable", "6.2-13 8.3.3-6"),
    ("* missing", "had_closed_consumer_held shared_durable", "8.3.4-12"), ("* missing", "had_closed_consumer_held durable", "8.3.3-6"),
    ("* missing", "had_closed_connection_held had_in_hand_transacted queue", "6.1.8-27"), ("* missing", "had_closed_connection_held had_in_hand_transacted durable", "6.1.8-28"),
    ("* missing", "had_closed_connection_held had_in_hand_client queue", "6.1.8-31 9.1-5"), ("* missing", "had_closed_connection_held had_in_hand_client durable", "6.1.8-32 9.1-5"),
    ("* missing", "had_closed_connection_held queue", "6.1.8-31"), ("* missing", "had_closed_connection_held durable", "6.1.8-32"),
    ("* missing", "had_restart_held queue", "6.2-20"), ("* missing", "had_restart_held durable", "6.2-21"),
    ("* missing", "had_kill_held queue", "6.2-20"), ("* missing", "had_kill_held durable", "6.2-21"),
    ("* missing", "had_sever_held had_in_hand_transacted queue", "6.2-17"), ("* missing", "had_sever_held had_in_hand_transacted durable", "6.2-18"),
    ("* missing", "had_sever_held queue", "6.2-15"), ("* missing", "had_sever_held durable", "6.2-16"), ("* missing", "had_sever_unseen", "6.2-22"),
    ("* missing", "had_restart_past shared_durable", "8.3.4-15"), ("* missing", "had_restart_past durable", "8.3.3-9"), ("* missing", "had_restart_past", "9.1-1"),
    ("* missing", "had_kill_past shared_durable", "8.3.4-15"), ("* missing", "had_kill_past durable", "8.3.3-9"), ("* missing", "had_kill_past", "9.1-1"),
    ("* missing", "had_closed_session_unseen queue", "8.8-3"), ("* missing", "had_closed_connection_unseen queue", "6.1.8-33"),
    ("* missing", "had_closed_connection_unseen durable", "6.1.8-34"),
    ("* missing", "last_subscribed shared_durable", "8.3.4-11 4.2.2-20 4.2.2-23"), ("* missing", "last_subscribed durable", "8.3.3-5 4.2.2-20 4.2.2-23"),
    ("* missing", "last_subscribed shared", "8.3.2-10"), ("* missing", "last_closed_consumer_unseen shared", "8.3.2-11"),
    ("* missing", "last_closed_consumer_unseen shared_durable", "8.3.4-16"), ("* missing", "last_closed_consumer_unseen durable", "8.3.3-17"),
    ("* missing", "last_started had_stopped", "6.1.5-6"), ("* missing", "last_started", "6.1.4-5"),
    ("* missing", "no_wait", "8.5-3"),
    ("* missing", "queue unattended", "6.2.12-1 4.1.8-1"),
    ("* missing", "queue", "6.2.12-1"), ("* missing", "", "6.2.12-2"),
    # a message that comes and should not: what took the right from it
    ("browse extra", "early", "4.1.6-8"), ("browse extra", "", "4.1.6-10"), ("next extra", "", "4.1.6-10"),
    ("* extra", "had_unsent_in_branch xa_context", "11.3.4-3"), ("* extra", "had_unsent_in_branch", "11.3.3-5"),
    ("* extra", "had_uncommitted_branch xa_context", "11.3.4-3"), ("* extra", "had_uncommitted_branch", "11.3.3-4"),
    ("* extra", "had_in_hand_branch had_restart_past", "11.3.5-6"), ("* extra", "had_in_hand_branch had_kill_past", "11.3.5-6"),
    ("* extra", "had_in_hand_branch", "11.3.3-6"),
    ("* extra", "pool pool_closed", "11.2.4-16"), ("* extra", "pool not_started", "11.2.4-7"), ("* extra", "pool selector", "11.2.4-3"),
    ("* extra", "had_pooled", "11.2.7-2"),
    ("* extra", "early", "3.4.13-6"), ("* extra", "expired", "3.4.9-6"), ("* extra", "last_expired", "3.4.9-6"),
    ("* extra", "had_body_refused_client", "8.6-25"), ("* extra", "had_body_refused_transacted", "8.6-29 8.6-30"),
    ("* extra", "had_uncommitted had_async", "7.3-8 6.2.7-4"), ("* extra", "had_uncommitted", "6.2.7-4"),
    ("* extra", "had_unsent_failed_commit_in_transaction", "6.2.7-20"), ("* extra", "had_received_body had_committed", "8.6-30"), ("* extra", "had_unsent_in_transaction", "6.2.7-5"),
    ("* extra", "had_unsent_session_in_transaction", "6.2.15-14"), ("* extra", "had_unsent_connection", "6.1.8-26"),
    ("* extra", "had_unsent_failure", "6.2.7-15"), ("* extra", "elsewhere", "8.1-1"),
    ("* extra", "not_started had_stopped", "6.1.5-3"), ("* extra", "not_started", "6.1.4-3"),
    ("* extra", "had_committed had_kill_past", "6.2.11-3"), ("* extra", "had_acknowledged had_kill_past", "6.2.11-3"),
    ("* extra", "had_committed had_restart_past", "6.2.11-4"), ("* extra", "had_acknowledged had_restart_past", "6.2.11-4"),
    ("* extra", "had_committed had_closed_connection_unseen queue", "6.2.11-1 6.2.7-1"), ("* extra", "had_acknowledged had_closed_connection_unseen queue", "6.2.11-1 6.2.10-7"),
    ("* extra", "had_committed had_subscribed durable", "6.2.11-2 6.2.7-2"), ("* extra", "had_acknowledged had_subscribed durable", "6.2.11-2 6.2.10-8"),
    ("* extra", "had_committed queue", "6.2.7-1"), ("* extra", "had_committed", "6.2.7-2"),
    ("* extra", "had_acknowledged queue", "6.2.10-7"), ("* extra", "had_acknowledged", "6.2.10-8"),
    ("* extra", "had_acknowledged_again", "6.2.10-10"),
    ("* extra", "had_in_hand_client last_closed_consumer_held", "8.8-14 8.8-13"),
    ("* extra", "had_taken had_recover_unseen", "6.2.10-26"),
    ("* extra", "had_taken_by_listener had_closed_session_unseen queue", "6.2.10-3"), ("* extra", "had_taken_by_listener had_closed_session_unseen", "6.2.10-4"),
    ("* extra", "had_taken had_closed_connection_unseen queue", "6.2.11-1"), ("* extra", "had_taken had_closed_connection_unseen durable", "6.2.11-2"),
    ("* extra", "had_taken had_subscribed durable", "8.3.3-7"),
    ("* extra", "had_taken queue", "6.2.12-1"), ("* extra", "had_taken", "6.2.12-2"),
    ("* extra", "had_unsubscribed shared_durable", "8.3.4-17"), ("* extra", "had_unsubscribed durable", "8.3.3-18"),
    ("* extra", "no_local durable", "8.3.3-34"), ("* extra", "no_local", "8.3.1-14"),
    ("* extra", "selector queue", "8.1-2"), ("* extra", "selector plain", "8.3.1-12 4.2.2-4"), ("* extra", "selector shared", "8.3.2-18 4.2.2-4"),
    ("* extra", "selector shared_durable", "8.3.4-25 4.2.2-4"), ("* extra", "selector durable", "8.3.3-33 4.2.2-4"),
    ("* extra", "had_subscribed plain", "8.3.1-8 4.2.2-15"), ("* extra", "had_subscribed shared", "8.3.2-13"), ("* extra", "had_subscribed durable", "8.3.3-28"),
    ("* extra", "queue", "6.2.12-1"), ("* extra", "", "6.2.12-2"),
    # the order
    ("browse order", "", "4.1.6-6"), ("next order", "", "4.1.6-6"),
    ("* order", "other_priority", "6.2.9.2-2"), ("* order", "had_due", "6.2.9.2-5"), ("* order", "mixed_priorities", "6.2.9.2-3"), ("* order", "mixed_modes persistent", "6.2.9.2-9"), ("* order", "mixed_modes", "6.2.9.2-8"),
    ("* order", "had_sent_in_transaction", "6.2.9.2-10"),
    ("* order", "had_subscribed durable", "6.2.9.1-4"), ("* order", "queue", "6.2.9.1-2"), ("* order", "", "6.2.9.1-3"),
    # flag and count
    ("* header JMSRedelivered", "sender", "3.4.7-4"), ("* header JMSRedelivered", "unwanted preset_redelivered", "3.4.11-5 3.5.11-3"), ("* header JMSRedelivered", "unwanted", "3.5.11-3"),
    ("* header JMSRedelivered", "last_branch_rollback_held", "11.3.3-7"), ("* property JMSXDeliveryCount", "last_branch_rollback_held", "11.3.3-7"),
    ("* header JMSRedelivered", "last_recover_held", "6.2.10-31"), ("* header JMSRedelivered", "last_rollback_held", "6.2.10-33"),
    ("* header JMSRedelivered", "had_restart_held", "9.1-6"), ("* header JMSRedelivered", "had_kill_held", "9.1-6"),
    ("* header JMSRedelivered", "had_sever_held", "9.1-6"), ("* header JMSRedelivered", "thrown", "8.7-4"),
    ("* header JMSRedelivered", "had_closed_session_held", "3.4.7-2 3.4.7-1"), ("* header JMSRedelivered", "had_closed_connection_held", "3.4.7-2 3.4.7-1"),
    ("* header JMSRedelivered", "last_in_hand_client had_recover_held", "6.2.10-31"), ("* header JMSRedelivered", "had_rollback_held", "6.2.10-33"),
    ("* header JMSRedelivered", "had_restart_past", "9.1-6"), ("* header JMSRedelivered", "had_kill_past", "9.1-6"),
    ("* header JMSRedelivered", "", "3.4.7-1"),
    ("* property JMSXDeliveryCount", "sender", "3.5.9-16"), ("* property JMSXDeliveryCount", "absent", "3.5.9-3"), ("* property JMSXDeliveryCount", "other_type", "3.5.9-2"),
    ("* property JMSXDeliveryCount", "first", "3.5.11-1"), ("* property JMSXDeliveryCount", "one_more preset_redelivered", "3.4.11-5 3.5.11-2"),
    ("* property JMSXDeliveryCount", "last_recover_held", "6.2.10-32"), ("* property JMSXDeliveryCount", "last_rollback_held", "6.2.10-34"),
    ("* property JMSXDeliveryCount", "had_restart_held", "9.1-7"), ("* property JMSXDeliveryCount", "had_kill_held", "9.1-7"),
    ("* property JMSXDeliveryCount", "had_sever_held", "9.1-7"), ("* property JMSXDeliveryCount", "thrown", "8.7-5"),
    ("* property JMSXDeliveryCount", "counted", ""), ("* property JMSXDeliveryCount", "", "3.5.11-2"),
)  # fmt: skip
"""The first entry that fits counts."""
