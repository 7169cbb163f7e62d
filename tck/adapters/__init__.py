"""How a provider is reached: the recording wrapper around it, and the smoke check for authors of adapters."""
