"""The report as a static site: a folder of pages that needs no server, no network and no script.

`write_site` is the whole interface. All text of a provider passes through `tck.reports.show.visible` and HTML escaping.
"""

from tck.reports.html.site import write_site

__all__ = ["write_site"]
