"""Register the TCK's pytest plugin, nothing else."""

pytest_plugins = ["tck.plugin"]
