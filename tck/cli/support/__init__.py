"""What the commands share: bundles, choices, the console, pytest sessions."""
