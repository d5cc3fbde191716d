"""Modules that are loaded when something of them is used."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType


class _Deferred(ModuleType):
    """A module that is imported when something of it is asked for."""

    def __getattr__(self, name: str) -> object:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def import_when_used(name: str) -> None:
    """Let ``import name`` give what loads the module when something of it is asked for."""
    sys.modules.setdefault(name, _Deferred(name))
