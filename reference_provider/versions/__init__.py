"""The provider as an older version of the specification knew it: members that came later are refused.

| module | content |
|---|---|
| `members` | the table: which member of which type came with which version |
| `behaviour` | what an old version does otherwise in members that it has |
| `older` | the classes of an old version, and the provider that makes their objects |

Rules that depend on the version and belong to one place of the provider are decided there (`Rules.version`): selectors,
conversions, the copies of subscribers. Imports the provider and the client; they know nothing of this package, so the
newest version pays nothing for it.
"""

from __future__ import annotations

from reference_provider.versions.older import as_of

__all__ = ["as_of"]
