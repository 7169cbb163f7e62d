"""Saboteurs: this provider, broken on purpose in exactly one assertion each, so that every check can be shown to bite.

A saboteur replaces one method or function for the life of a provider (`settings["saboteur"] = "3.4.1-1"`). It breaks one
row of the catalogue, or one restatement group, by a deterministic fault; other rows that necessarily fall with it are
named in its declaration, with the reason. Modules are named by section: `s03_4_*` breaks rows of section 3.4. Beside them stand
the providers that are nearly right (`nearly_right`), those that do nothing (`dummies`), and faults that many actors show (`of_traces`, `of_traces_repeated`).
"""

from collections.abc import Callable

from reference_provider.saboteurs.nearly_right import NearlyRight, all_nearly_right
from reference_provider.saboteurs.registry import Patch, Saboteur, all_saboteurs
from reference_provider.saboteurs.trace_faults import trace_faults

__all__ = ["NearlyRight", "Patch", "Saboteur", "all_nearly_right", "all_saboteurs", "installer", "trace_faults"]


def installer(name: str) -> Callable[[Patch], None]:
    """Give what makes a fault: by the row of a saboteur, the name of a provider nearly right, or a property of traces.

    Raises:
        KeyError: there is none of that name.
    """
    if name in trace_faults():
        return trace_faults()[name]
    found = all_saboteurs().get(name) or all_nearly_right().get(name)
    if found is None:
        raise KeyError(f"no row {name!r} has a saboteur, and no provider that is nearly right is called so")
    return found.install
