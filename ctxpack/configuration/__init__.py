"""Configuration: flags over variables over profile over project file over user file over defaults."""

from ctxpack.configuration.loading import list_profiles, load

__all__ = ["list_profiles", "load"]
