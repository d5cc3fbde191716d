"""Flags over environment over profile over project file over user file over defaults: one frozen ``Settings``."""

from ctxpack.configuration.layers import load, profiles

__all__ = ["load", "profiles"]
