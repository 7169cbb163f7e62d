"""The JMS TCK: a test compatibility kit for Java Message Service / Jakarta Messaging providers."""

__version__ = "0.1.0"
