"""From recorded events to the columns that properties judge: what a provider's calls and deliveries say happened."""
