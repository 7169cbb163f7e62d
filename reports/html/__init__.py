"""The report as a static site: a folder of pages that needs no server, no network and no script.

`write_site` is the whole interface. Text of a provider passes `tck.reports.show.visible` and Jinja's escaping, always.
"""

from tck.reports.html.site import write_site

__all__ = ["write_site"]
