"""The vocabulary of the suite's tests: `asserts`, `scenario`, the `case` and its links, and `expect`.

A test imports from here and from `tck.api`, and nothing else. This package knows neither pytest's internals (the plugin
glues the two) nor any provider. Each room knows those below it only:

    corpus        programs with stored outcomes: their points, and the case
    plans         plans of load: their points, and the case
    journeys      the conditions under which a message travels, as a table
    interworking  bridges and channels under test, questions to them, the record of their calls, generated programs
    selectors     the messages that a selector chooses at a provider, and the oracle that knows the answer
    case          the case a test gets; it opens clients
    server, xa    an application server in miniature; a transaction manager
    lifecycle     connections and sessions before, during and after their use
    applications  small applications that scenarios play
    lifetimes     what comes after the end of what a case has ended, as new; the runner asks it
    company       bystanders that a case must leave alone; the runner makes and asks them
    clients       clients, links, subscriptions, listeners, and messages on their way
    expect        the judgements: of values, arrivals, calls and traces
    values        headers, properties and bodies as tables
    harness       the running case without its clients, outcomes, threads, `asserts`

`docs/write-a-test.md` lists every name.
"""

from tck.suite.support import expect
from tck.suite.support.case import Case
from tck.suite.support.harness.asserts import asserts, scenario

__all__ = ["Case", "asserts", "expect", "scenario"]
