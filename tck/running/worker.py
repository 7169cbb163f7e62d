"""One process of a run: its provider, its recorder, its part of the bundle.

A process is the only one of a plain run, or an xdist worker. It opens the provider at its first case and keeps it for
all of them; after a case that was cut it takes a fresh one.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from tck import api, temporary
from tck.adapters.opening import check_provider, open_provider
from tck.adapters.recording import Recorder
from tck.adapters.working_directory import work_directory
from tck.blame.owners import judged
from tck.catalogue import Catalogue
from tck.catalogue.owners import load_call_owners
from tck.patience import join
from tck.profile import AdapterError, Profile, ProviderUnreachable
from tck.provenance import clock_of, describe_provider
from tck.record import BundleWriter, Outcome, ProviderRef, Result
from tck.running.attempt import ProviderLostError, Source, Tracked
from tck.running.causes import Harm, Left, Refusal
from tck.running.controller import leave_misfit, leave_provider
from tck.running.misfits import misfit
from tck.running.provider_calls import (
    BREAKING,
    EXCUSED,
    JUDGED,
    LACKING,
    MAKERS,
    NO_METHOD,
    call_of_main,
    close_quietly,
    overload,
    refusal_to_connect,
    where_cut,
    within_limit,
    without_limit,
)
from tck.running.trials import Known, Trials
from tck.suite.support.case import Case
from tck.suite.support.company import Company, Refused
from tck.suite.support.harness.current import set_current_case
from tck.suite.support.harness.outcome import CaseCut, NoHook, Undecided, Unsupported

CLOSE_PATIENCE = 2.0
"""Seconds that a provider may take to close before it is abandoned."""

HUNG_OPEN = "the provider did not open in time"


def _met(error: BaseException) -> BaseException:
    return error.__cause__ if isinstance(error, Undecided) and error.__cause__ is not None else error


def _nothing(*_: float) -> None:
    """Do nothing: nobody watches the case."""


class Worker:
    """The state of one process of a run."""

    def __init__(
        self, name: str, catalogue: Catalogue, profile: Profile, version: str, bundle: Path | None, run_id: str
    ) -> None:
        self.name = name
        self.catalogue = catalogue
        self.profile = profile
        self.version = version
        self._bundle = bundle
        self.writer = BundleWriter(bundle, name) if bundle else None
        self._namespace = f"{run_id[-6:]}.{name}"
        self._work_dir = temporary.make_folder("run", work_directory())
        self._provider: api.Provider | None = None
        self._opened = 0
        self._lost: str | None = None
        self._opening = False
        self._connects = False
        self._known = Known()
        self._trials = Trials(catalogue, profile, version, self._namespace, _nothing, self._known)
        self.provider_ref: ProviderRef | None = None
        self.recorder: Recorder | None = None
        self.tracked: Tracked | None = None
        self.position = 0
        self.company: Company | None = None
        self._seed = 0
        self.abandoned = False
        """Whether the user interrupted a call of the provider, which may be in any state since."""

    # -- the provider --------------------------------------------------------------------------------------------

    def provider(self) -> api.Provider:
        """Return the provider; open it if it is not open.

        Raises:
            ProviderLostError: it cannot be reached; tried once per process, later cases fail at once.
        """
        if self._lost is not None:
            raise ProviderLostError(self._lost)
        if self._provider is None:
            self._opened += 1
            work_dir = self._work_dir / f"provider-{self._opened}"
            work_dir.mkdir()
            self._opening = True
            try:
                opened = open_provider(self.profile, work_dir)
                check_provider(opened, self.profile)
                self._provider = opened
                self.provider_ref = describe_provider(self._provider)
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
                leave_provider(self._bundle, self.provider_ref, clock_of(self._provider))
        return self._provider

    def gone(self) -> str | None:
        """Return the error if the provider accepts no connection any more, although it did when it was opened; else
        None.

        Asked after a case that went wrong: a provider that died during the run has broken no row of the catalogue.
        """
        if self._provider is None or not self._connects:
            return None
        refusal = refusal_to_connect(self._provider)
        if refusal is not None:
            self._lost = f"the provider was lost during the run: {refusal}"
        return self._lost

    def hung_at_adapter(self, tracked: Tracked) -> str | None:
        """Return the message about a case that was cut in the adapter's own calls, which judge nobody; else None.

        The provider counts as lost then: the next case would hang there too.
        """
        if tracked.outcome not in {Outcome.CUT, Outcome.CUT_SETUP} or self.recorder is None:
            return None
        calls = self.recorder.open_calls()
        owners = load_call_owners()
        if not calls or any(not call.op.startswith("Provider.") or owners.of(call.op, self.version) for call in calls):
            return None
        self._lost = f"the adapter did not return from a call in time: {', '.join(map(str, calls))}"
        return self._lost

    @property
    def doing(self) -> str:
        """What this process waits for, in words."""
        if self._opening:
            return f"the provider is opening: {call_of_main()}"
        calls = self.open_calls()
        case = f"case {self.tracked.point.name}" if self.tracked else "no case yet"
        return f"{case}: {calls[0] if calls else call_of_main()}"

    def provider_stacks(self) -> str:
        """Return the stacks of the provider's own threads; empty where they are Python's."""
        return self._provider.stacks() if self._provider is not None else ""

    def interrupt(self) -> None:
        """Have the adapter interrupt the call that the main thread is blocked in."""
        if self._provider is not None:
            self._provider.interrupt()

    def abandon(self) -> None:
        """Note that the user interrupted a call of the provider: it is closed in the background and not called again."""
        self.abandoned = True

    def discard_provider(self) -> None:
        """Abandon the provider; close it as far as possible."""
        provider, self._provider = self._provider, None
        if provider is None:
            return
        closing = threading.Thread(target=close_quietly, args=(provider,), daemon=True, name="tck-close-provider")
        closing.start()
        join(closing, CLOSE_PATIENCE)

    # -- a case --------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def case(self, tracked: Tracked, ready: Callable[..., None] = _nothing) -> Iterator[Case]:
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
            trials = self._trials = Trials(self.catalogue, self.profile, self.version, namespace, ready, self._known)
            self._hooks(tracked, provider, trials)
            case = Case(
                tracked.point, tracked.rows, self.profile, recorder.wrap(provider), recorder, namespace, self.version
            )
            case.judged = judged
            case.void = partial(trials.sign_of_void, tracked, provider)
            tracked.case = case
            set_current_case(case)
            company = self.company = Company(case, recorder, Refused(recorder), self._seed)
            case.refused = company.refused.make
            company.expect()
            try:
                yield case
            finally:
                set_current_case(None)

    def look_at_company(self, tracked: Tracked) -> None:
        """Look at the bystander of a case whose body has returned, and for traces of its refused calls."""
        if self.company is None:
            return
        for trace in self.company.refused.traces:
            row = self.catalogue[trace.row]
            if row.applies_to(self.version) and self.profile.claims.features.issuperset(row.features):
                tracked.harms.append(Left(row, trace.call, trace.text))
        if (harmed := self.company.look()) is not None:
            tracked.harms.append(Harm(self.catalogue[harmed.row], harmed.call, harmed.text))

    def look_at_means(self, tracked: Tracked) -> None:
        """Try the means of a case that failed."""
        if self.recorder is not None:
            self._trials.look_at_means(
                tracked, self.provider(), [(op, arguments) for op, _, _, arguments, _, _ in self.recorder.begun()]
            )

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

    def _hooks(self, tracked: Tracked, provider: api.Provider, trials: Trials) -> None:
        """Look whether the hooks that the case is to look at, or that its rows need, have an effect."""
        offered = {hook.value: hook for hook in provider.hooks}
        if not tracked.point.journey:
            here = {row.id for row in tracked.rows}
            for name, owner in load_call_owners().hooks.items():
                if owner.at in here and name in offered:
                    trials.sign_of_void(tracked, provider, offered[name])
        for name in [row.hook for row in tracked.rows if row.judged and row.hook]:
            if name == api.Hook.SECOND_PROVIDER and self.profile.second is not None:
                continue
            if name not in offered:
                raise NoHook(f"needs hook {name}")
            if trials.sign_of_void(tracked, provider, offered[name]):
                raise NoHook(f"needs hook {name}, which has no effect")

    def end_case(self, tracked: Tracked) -> None:
        """Close the case's connections; errors are noted and give no verdict."""
        if tracked.case is None:
            return
        provider = self._provider
        company, self.company = self.company, None
        with provider.clock.actor() if provider else contextlib.nullcontext():
            if company is not None:
                company.close()
            errors = list(tracked.case.close())
            tracked.notes += [f"closing: {type(error).__name__}: {error}" for error in errors]
            if tracked.outcome is Outcome.HELD:
                tracked.refusals += self.refusals(tracked, errors)

    def write(self, result: Result) -> Result:
        """Write the line of a case and its events."""
        if self.writer is None:
            return result
        recorder = self.recorder
        if recorder is None:
            return self.writer.finish_lines(result, b"", 0)
        return self.writer.finish_lines(result, *recorder.finish_as_lines(), recorder.calls)

    def call_of(self, error: BaseException) -> str | None:
        """Return the provider's call that raised the exception which ended a case, or which left it undecided."""
        error = _met(error)
        return self.recorder.call_of(error) if self.recorder and isinstance(error, Exception) else None

    def source(self, error: BaseException) -> Source:
        """Return the origin of an exception that ended a case, or of the one that left it undecided."""
        error = _met(error)
        if not isinstance(error, Exception) or self.recorder is None or not self.recorder.raised(error):
            return Source.KIT
        if self.recorder.call_of(error) in MAKERS and not isinstance(error, JUDGED):
            return Source.KIT
        if isinstance(error, api.JavaException) and error.java_name in LACKING:
            call = overload(self.recorder.call_of(error) or "", self.recorder.passed_to(error))
            prescribed = call.endswith((".send", ".publish")) and not call.startswith("JMSProducer.")  # 7.1-3, 7.1-4
            hook = call.startswith("Provider.") and not call.endswith("_factory")  # one may be missing
            if not hook and (error.java_name == NO_METHOD or not prescribed):
                return Source.ABSENT
        return Source.PROVIDER

    def lacking(self, error: BaseException) -> str | None:
        """Return the call that the provider lacks, as owners name it, where an exception shows that: that of a missing call, or
        any that a disclaimed one raised. None for other exceptions.
        """
        met = _met(error)
        if self.recorder is None or (source := self.source(error)) is Source.KIT:
            return None
        call = overload(self.recorder.call_of(met) or "", self.recorder.passed_to(met))
        return call if source is Source.ABSENT or self.profile.claims.disclaimed(call) else None

    def refusals(self, tracked: Tracked, errors: Iterable[BaseException | None]) -> list[Refusal]:
        """Return the legal calls that the provider refused with these errors, with the rows that own the calls.

        A case plans no exception that reaches its end, so the call was legal there. Nobody is blamed in a case that has broken
        links or stopped the provider, nor for a refusal that depends on rights or resources.
        """
        recorder = self.recorder
        if recorder is None or tracked.case is None:
            return []
        found, disturbed = [], recorder.called(BREAKING)
        for error in errors:
            if error is None or isinstance(error, EXCUSED):
                continue
            source = self.source(error)
            if source is Source.KIT or (disturbed and source is not Source.ABSENT):
                continue
            call = overload(recorder.call_of(error) or "", recorder.passed_to(error))
            if self.profile.claims.disclaimed(call):
                continue
            owner = load_call_owners().of(call, self.version)
            if owner is not None and self.profile.claims.features.issuperset(self.catalogue[owner].features):
                found.append(Refusal(self.catalogue[owner], call, f"{call} raised {type(error).__name__}: {error}"))
        return found

    def misfit(self, outcome: Outcome) -> str | None:
        """Return how the adapter answered a call as no adapter may; None if it did not."""
        if self.profile.adapter.kind != "python":  # the kit's own, which hands on whatever a Java provider returns
            return None
        how = misfit(list(self.recorder.log) if self.recorder else [], nothing=outcome is Outcome.ERROR)
        if how and self._bundle is not None:
            leave_misfit(self._bundle, how)
        return how

    def hung(self, tracked: Tracked) -> list[Refusal]:
        """Return the call that hung in a case that was cut, with the row that owns it; none where another may have caused it.

        Nobody is blamed in a case that has broken links or stopped the provider, while a listener of the suite runs or another
        call is open, which the first may wait for. A receive without limit ends when a message comes, so that it hangs concerns
        the cases of its own row only.
        """
        recorder = self.recorder
        if recorder is None or tracked.case is None or recorder.called(BREAKING) or recorder.listening():
            return []
        calls = recorder.open_calls()
        bounded = [call for call in calls if not without_limit(call)] or calls
        if len(bounded) != 1 or within_limit(bounded[0], recorder.clock):
            return []
        (call,) = bounded
        name = overload(call.op, call.arguments)
        owner = load_call_owners().of(name, self.version)
        if owner is None or not self.profile.claims.features.issuperset(self.catalogue[owner].features):
            return []
        if without_limit(call) and owner not in tracked.point.assertions:
            return []
        return [Refusal(self.catalogue[owner], name, f"still open: {call}", hung=True)]

    def open_calls(self) -> list[str]:
        """Return the provider's calls that have not returned, for a case that was cut."""
        return [str(call) for call in self.recorder.open_calls()] if self.recorder else []

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
        if tracked is None or tracked.case is None or self.writer is None or self.recorder is None:
            return False
        open_calls = self.open_calls()
        if tracked.outcome is None and open_calls:
            tracked.raised("call", CaseCut(), source=Source.PROVIDER, open_calls=open_calls)
            tracked.refusals = self.hung(tracked)
            if (how := self.hung_at_adapter(tracked)) is not None:
                tracked.lost(how)
            tracked.notes.append("no signal ended the call: the process had to be ended with it")
            self.writer.finish(tracked.result(self.profile), self.recorder.events)
            return True
        return False

    def close(self) -> None:
        """Close the provider and remove its files."""
        self.discard_provider()
        if self.writer:
            self.writer.close()
        temporary.remove_folder(self._work_dir)


def seconds() -> float:
    """Return monotonic seconds, for durations shown to people."""
    return time.perf_counter()
