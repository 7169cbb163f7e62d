"""Saboteurs: this provider, broken on purpose in exactly one assertion each, so that every check can be shown to bite.

A saboteur replaces one method or function for the life of a provider (`settings["saboteur"] = "3.4.1-1"`). It breaks one
row of the catalogue, or one restatement group, by a deterministic fault; other rows that necessarily fall with it are
named in its declaration, with the reason. Modules are named by section: `s03_4_*` breaks rows of section 3.4.
"""

from reference_provider.saboteurs.registry import Patch, Saboteur, all_saboteurs

__all__ = ["Patch", "Saboteur", "all_saboteurs"]
