"""Configuration: flags over variables over profile over project file over user file over defaults."""

from ctxpack.configuration.loading import load, profiles

__all__ = ["load", "profiles"]
