"""`tck bridge`: bridges that run for real, between a notification channel and a provider.

bridge_command  options, errors, output
keeping         the loop: watches the bridges, and resumes them after a loss
counting        counts what a bridge sends and takes at the provider
"""
