"""One process of a run: its provider, its recorder, its part of the bundle.

A process is the only one of a plain run, or an xdist worker. It opens the provider at its first case and keeps it for
all of them; after a case that was cut it takes a fresh one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path

from tck import api, temporary
from tck.adapters.opening import check_provider, open_provider
from tck.adapters.recording import Recorder
from tck.adapters.working_directory import work_directory
from tck.blame.misfits import misfit
from tck.blame.owners import judged
from tck.blame.refusals import Inquiry
from tck.blame.trials import Ready, Trials
from tck.catalogue import Catalogue
from tck.catalogue.owners import load_call_owners
from tck.patience import join
from tck.profile import AdapterError, Profile, ProviderUnreachable
from tck.provenance import clock_of, describe_provider
from tck.record import BundleWriter, Outcome, Result
from tck.running.attempt import ProviderLostError, Tracked
from tck.running.connecting import call_of_main, close_quietly, refusal_to_connect, where_cut
from tck.running.controller import leave_misfit, leave_provider
from tck.suite.support.case import Case
from tck.suite.support.company import Company, Refused
from tck.suite.support.harness.alone import WHOLE, needs_alone
from tck.suite.support.harness.current import set_current_case
from tck.suite.support.harness.outcome import CaseCut, NoHook, Unsupported

LOSSES = 3
"""After so many losses of the provider in a row no fresh one is opened."""
CLOSE_PATIENCE = 2.0
"""Seconds that a provider may take to close before it is abandoned."""

HUNG_OPEN = "the provider did not open in time"


_WITHOUT_PROVIDER = frozenset({Outcome.UNREACHABLE, Outcome.UNSUPPORTED, Outcome.NO_HOOK})
"""The ends of a case that do not show that the provider is there."""
_WHOLE = tuple(call.partition(".")[2] for call in WHOLE)
"""The methods of a provider that no lane may call."""


def _nothing(*_: float) -> None:
    """Do nothing: nobody watches the case."""


class Worker:
    """The state of one process of a run."""

    def __init__(
        self,
        name: str,
        catalogue: Catalogue,
        profile: Profile,
        version: str,
        bundle: Path | None,
        run_id: str,
        lender: Worker | None = None,
    ) -> None:
        self.name = name
        self.catalogue = catalogue
        self.profile = profile
        self.version = version
        self._bundle = bundle
        self.writer = BundleWriter(bundle, name) if bundle else None
        self._namespace = f"{run_id[-6:]}.{name.replace('-', 'l')}"  # OpenMQ takes no hyphen in a name
        self._lender = lender
        """The worker whose provider this one borrows, in a lane."""
        self._lending = (
            threading.Lock()
        )  # guards the opening of a provider that lanes borrow; no other lock is taken then
        self.is_doubtful = False
        """Whether a case hangs on the provider, so that those that run alone shall have a fresh one."""
        self._work_dir = temporary.make_folder("run", work_directory()) if lender is None else None
        self._provider: api.Provider | None = None
        self._opened = 0
        self._lost: str | None = None
        self._losses = 0
        """How many cases in a row have lost the provider."""
        self._answered = False
        """Whether a case has ended with the provider there; one that never was there is not tried again."""
        self._opening = False
        self._connects = False
        self.trials: Trials = Trials(catalogue) if lender is None else lender.trials
        self.recorder: Recorder | None = None
        self.tracked: Tracked | None = None
        self.position = 0

    # -- the provider --------------------------------------------------------------------------------------------

    def provider(self) -> api.Provider:
        """Return the provider; open it if it is not open.

        Raises:
            ProviderLostError: it cannot be reached; later cases fail at once, unless `forget_loss` was called.
        """
        if self._lender is not None:
            return self._lender.lend()
        if self._lost is not None:
            raise ProviderLostError(self._lost)
        if self._provider is None:
            assert self._work_dir is not None  # noqa: S101 - a borrower has returned
            self._opened += 1
            work_dir = self._work_dir / f"provider-{self._opened}"
            work_dir.mkdir()
            self._opening = True
            try:
                opened = open_provider(self.profile, work_dir)
                check_provider(opened, self.profile)
                self._provider = opened
                described = describe_provider(self._provider)
            except CaseCut as cut:  # its deadline is over
                self._lost = f"{HUNG_OPEN}: {where_cut(cut)}"
                raise ProviderLostError(self._lost) from cut
            except AdapterError as error:
                self._lost = str(error)
                if self._bundle is not None and not isinstance(error, ProviderUnreachable):
                    leave_misfit(self._bundle, self._lost)
                raise ProviderLostError(self._lost) from error
            finally:
                self._opening = False
            self._connects = refusal_to_connect(self._provider) is None
            if self._bundle is not None:
                leave_provider(self._bundle, described, clock_of(self._provider))
        return self._provider

    def lend(self) -> api.Provider:
        """Return the provider for a lane, which may not restart it; open it if it is not open."""
        with self._lending:
            provider = self.provider()
            for name in _WHOLE:
                vars(provider).setdefault(name, partial(needs_alone, f"it calls {name}"))
            if (apart := getattr(provider, "apart", None)) is not None:
                apart()
            return provider

    def take_back(self) -> None:
        """End the lending: from here on cases run alone, and may do with the provider as they like."""
        if self._provider is not None:
            for name in _WHOLE:
                vars(self._provider).pop(name, None)
        if self.is_gone:
            self.forget_loss()
        elif self.is_doubtful:
            self.discard_provider()
        self.is_doubtful = False

    @property
    def is_gone(self) -> bool:
        """Whether the provider is known to be lost."""
        return self._lost is not None

    def gone(self) -> str | None:
        """Return the error if the provider accepts no connection any more, although it did when it was opened; else
        None.

        Asked after a case that went wrong: a provider that died during the run has broken no row of the catalogue.
        """
        if self._lender is not None:
            return self._lender.gone()
        if self._provider is None or not self._connects:
            return None
        refusal = refusal_to_connect(self._provider)
        if refusal is not None:
            self._lost = f"the provider was lost during the run: {refusal}"
        return self._lost

    def note_answer(self) -> None:
        """Note that a case has ended with the provider there."""
        self._answered, self._losses = True, 0

    def forget_loss(self) -> bool:
        """Abandon a provider that was lost, so that the next case opens a fresh one; return False if it is in vain."""
        self._losses += 1
        if not self._answered or self._losses >= LOSSES:
            return False
        self._lost = None
        self.discard_provider()
        return True

    def hung_at_adapter(self, tracked: Tracked) -> str | None:
        """Return the message about a case that was cut in the adapter's own calls, which judge nobody; else None.

        The provider counts as lost then: the next case would hang there too.
        """
        if tracked.outcome not in {Outcome.CUT, Outcome.CUT_SETUP} or tracked.inquiry is None:
            return None
        how = tracked.inquiry.hung_at_adapter()
        self._lost = how or self._lost
        return how

    @property
    def doing(self) -> str:
        """What this process waits for, in words."""
        if self._opening:
            return f"the provider is opening: {call_of_main()}"
        tracked = self.tracked
        calls = tracked.inquiry.open_calls() if tracked is not None and tracked.inquiry is not None else []
        return f"{f'case {tracked.point.name}' if tracked else 'no case yet'}: {calls[0] if calls else call_of_main()}"

    def provider_stacks(self) -> str:
        """Return the stacks of the provider's own threads; empty where they are Python's."""
        return self._provider.stacks() if self._provider is not None else ""

    def interrupt(self) -> None:
        """Have the adapter interrupt the call that the main thread is blocked in."""
        if self._provider is not None:
            self._provider.interrupt()

    def discard_provider(self) -> None:
        """Abandon the provider; close it as far as possible. A lane leaves that to the process."""
        if self._lender is not None:
            self._lender.is_doubtful = True
            return
        provider, self._provider = self._provider, None
        if provider is None:
            return
        closing = threading.Thread(target=close_quietly, args=(provider,), daemon=True, name="tck-close-provider")
        closing.start()
        join(closing, CLOSE_PATIENCE)

    # -- a case --------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def case(self, tracked: Tracked, ready: Ready = _nothing) -> Iterator[Case]:
        """Set up a case on a recorded view of the provider; close it afterwards. `ready` is called once the provider is
        open, and with a deadline in milliseconds before a hook is tried.

        Raises:
            Unsupported: the profile does not claim a feature or interface the rows presume.
            NoHook: a row needs a hook that the provider does not offer, or that has no effect.
            ProviderLostError: no provider.
        """
        self.tracked = tracked
        self.recorder = None
        self._presume(tracked)
        provider = self.provider()
        ready()
        recorder = Recorder(provider.clock, tracked.point.name)
        self.recorder = recorder
        self.position += 1
        namespace = f"{self._namespace}.{self.position}"
        with provider.clock.actor():
            case = Case(
                tracked.point, tracked.rows, self.profile, recorder.wrap(provider), recorder, namespace, self.version
            )
            case.judged = judged
            case.void = partial(self._sign_of_void, tracked, case, ready)
            self._hooks(case, provider.hooks, case.void)
            company = Company(case, recorder, Refused(recorder))
            tracked.inquiry = Inquiry(case, recorder, company, self.catalogue)
            set_current_case(case)
            case.refused = company.refused.make
            company.expect()
            try:
                yield case
            finally:
                set_current_case(None)

    def _presume(self, tracked: Tracked) -> None:
        claims = self.profile.claims
        if tracked.point.api not in claims.api:
            raise Unsupported(f"the profile does not claim the {tracked.point.api} interface")
        if tracked.point.area not in claims.domains:
            raise Unsupported(f"the profile does not claim the {tracked.point.area} domain")
        features = {feature for row in tracked.rows for feature in row.features}
        missing = sorted(features - claims.features)
        if missing:
            raise Unsupported(f"the profile does not claim {', '.join(missing)}")

    def _hooks(self, case: Case, hooks: Collection[api.Hook], void: Callable[[api.Hook], str | None]) -> None:
        """Look whether the hooks that the case is to look at, or that its rows need, have an effect."""
        if case.point.journey:
            return  # it goes on by another way
        offered = {hook.value: hook for hook in hooks}
        here = {row.id for row in case.rows}
        for name, owner in load_call_owners().hooks.items():
            if owner.at in here and name in offered:
                void(offered[name])
        for name in [row.hook for row in case.rows if row.judged and row.hook]:
            if name == api.Hook.SECOND_PROVIDER and self.profile.second is not None:
                continue
            if name not in offered:
                raise NoHook(f"needs hook {name}")
            if void(offered[name]):
                raise NoHook(f"needs hook {name}, which has no effect")

    def _sign_of_void(self, tracked: Tracked, case: Case, ready: Ready, hook: api.Hook) -> str | None:
        """Return the sign that a claimed hook has no effect, and note it for the case."""
        found = self.trials.void_hook(case, hook, ready, tracked.notes)
        if found is None:
            return None
        tracked.void[hook.value] = found
        return found.text

    def close_case(self, tracked: Tracked) -> list[Exception]:
        """Close the connections of a case and of its bystander; return the errors."""
        set_current_case(None)
        if tracked.inquiry is None:
            return []
        tracked.inquiry.company.close()
        return list(tracked.inquiry.case.close())

    def write(self, result: Result) -> Result:
        """Write the line of a case and its events."""
        if result.outcome not in _WITHOUT_PROVIDER:
            (self._lender or self).note_answer()
        if self.writer is None:
            return result
        recorder = self.recorder
        if recorder is None:
            return self.writer.finish_lines(result, b"", 0)
        written = self.writer.finish_lines(result, *recorder.finish_as_lines(), recorder.calls)
        recorder.let_go()
        return written

    def misfit(self, outcome: Outcome) -> str | None:
        """Return how the adapter answered a call as no adapter may; None if it did not."""
        if self.profile.adapter.kind != "python":  # the kit's own, which hands on whatever a Java provider returns
            return None
        how = misfit(list(self.recorder.log) if self.recorder else [], nothing=outcome is Outcome.ERROR)
        if how and self._bundle is not None:
            leave_misfit(self._bundle, how)
        return how

    def cut_short(self) -> bool:
        """Write the result of a case whose process has to end because a call of the provider never returns.

        Called by the watchdog. If no call of the provider is to blame, write nothing and return False: the case is
        lost.
        """
        tracked = self.tracked
        if tracked is not None and self._opening and self.writer is not None:
            tracked.lost(f"{HUNG_OPEN}: {call_of_main()}")
            self.writer.finish(tracked.result(self.profile), ())
            return True
        inquiry = tracked.inquiry if tracked is not None else None
        if tracked is None or inquiry is None or self.writer is None:
            return False
        if tracked.outcome is None and inquiry.open_calls():
            tracked.raised("call", CaseCut())
            tracked.causes = inquiry.hung()
            if (how := self.hung_at_adapter(tracked)) is not None:
                tracked.lost(how)
            tracked.notes.append("no signal ended the call: the process had to be ended with it")
            self.writer.finish(tracked.result(self.profile), inquiry.recorder.events)
            return True
        return False

    def close(self) -> None:
        """Close the provider and remove its files."""
        self.discard_provider()
        if self.writer:
            self.writer.close()
        if self._work_dir is not None:
            temporary.remove_folder(self._work_dir)
