"""Saboteurs: this provider, broken on purpose in exactly one assertion each, so that every check can be shown to bite.

A saboteur replaces one method or function for the life of a provider (`settings["saboteur"] = "3.4.1-1"`). It breaks one
row of the catalogue, or one restatement group, by a deterministic fault; other rows that necessarily fall with it are
named in its declaration, with the reason. Modules are named by section: `s03_4_*` breaks rows of section 3.4. Beside them stand
the providers that are nearly right (`nearly_right`) and those that do nothing (`dummies`).
"""

from collections.abc import Callable

from reference_provider.saboteurs.nearly_right import NearlyRight, all_nearly_right
from reference_provider.saboteurs.registry import Patch, Saboteur, all_saboteurs

__all__ = ["NearlyRight", "Patch", "Saboteur", "all_nearly_right", "all_saboteurs", "installer"]


def installer(name: str) -> Callable[[Patch], None]:
    """Give what makes the fault of a saboteur, by its row, or of a provider that is nearly right, by its name.

    Raises:
        KeyError: there is neither.
    """
    found = all_saboteurs().get(name) or all_nearly_right().get(name)
    if found is None:
        raise KeyError(f"no row {name!r} has a saboteur, and no provider that is nearly right is called so")
    return found.install
