"""Saboteurs: this provider, broken on purpose in exactly one assertion each, so that every check is shown to bite.

A saboteur replaces one method or function for the life of a provider (`settings["saboteur"] = "3.4.1-1"`). It breaks one
row of the catalogue, or one restatement group, by a deterministic fault; other rows that necessarily fall with it are
named in its declaration, with the reason. Row, test and saboteur have one address: `ch03_message_model/s3_4_13_delivery_time`
breaks what `tck/suite/ch03_message_model/test_3_4_13_delivery_time` tests. Beside the chapters are the providers that are
nearly right (`nearly_right`), those that are lawful and other than this one (`lawful`), those that do nothing (`dummies`), and faults that many actors show (`traces`).
"""

from collections.abc import Callable

from reference_provider.saboteurs.lawful import Lawful, all_lawful
from reference_provider.saboteurs.nearly_right import NearlyRight, all_nearly_right
from reference_provider.saboteurs.registry import Fault, Patch, Saboteur, all_saboteurs
from reference_provider.saboteurs.traces import trace_faults

__all__ = [
    "Fault",
    "Lawful",
    "NearlyRight",
    "Patch",
    "Saboteur",
    "all_lawful",
    "all_nearly_right",
    "all_saboteurs",
    "installer",
    "trace_faults",
]


def installer(name: str) -> Callable[[Patch], None]:
    """Return the fault of that name: the row of a saboteur, a provider that is nearly right or lawful, or a property of
    traces.

    Raises:
        KeyError: There is none of that name.
    """
    if name in trace_faults():
        return trace_faults()[name]
    if name in all_lawful():
        return all_lawful()[name].install
    found = all_saboteurs().get(name) or all_nearly_right().get(name) or all_nearly_right(noticed=False).get(name)
    if found is None:
        raise KeyError(
            f"no saboteur of a row, no provider that is nearly right and no fault of traces is called {name!r}"
        )
    return found.install
