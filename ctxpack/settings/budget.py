"""The budget, the model and the token counter that the settings choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ctxpack.errors import UsageError
from ctxpack.light import replace
from ctxpack.settings import Settings
from ctxpack.settings.readers import RESERVES
from ctxpack.system.tokens import DEFAULT_ENCODING, TokenCounter, counter, prepare_vocabulary

if TYPE_CHECKING:
    from pathlib import Path

    from ctxpack.settings.window import Budget, Model


_VOCABULARIES: Final = "vocabularies"  # the folder of the cache


def resolve_budget(settings: Settings) -> Settings:
    """Return the settings with the budget and encoding of their model or window; without either, as they are.

    A budget that was named anywhere stays. Raises UsageError for an unknown model, for an encoding that is not the
    model's and for a budget larger than the window; BudgetError where the reserves leave nothing.
    """
    model = model_of(settings)
    if model is None and settings.window == 0:
        if settings.origins.get("reserve") == "--reserve":
            raise UsageError(
                "--reserve divides a context window whose size is not known.", hint="Add --model or --window."
            )
        return settings
    if model is not None and settings.encoding != model.encoding and settings.origins.get("encoding") == "--encoding":
        raise UsageError(
            f"--encoding {settings.encoding} is not the encoding of {model.name}, which is {model.encoding}.",
            hint="Leave out --encoding: the model sets it.",
        )
    if model is not None:
        settings = replace(settings, model=model.name, encoding=model.encoding)
    return replace(settings, budget=budget_of(settings).division().pack)


def budget_of(settings: Settings) -> Budget:
    """Return the window, the reserves and the asked budget of some settings.

    Without a window, the budget is the window, and nothing is kept free. Raises UsageError for an unknown model.
    """
    from ctxpack.settings.window import Budget

    model = model_of(settings)
    window = settings.window or (model.window if model else 0)
    asked = settings.budget if "budget" in settings.origins or not window else 0
    if not window:
        return Budget(settings.budget, dict.fromkeys(RESERVES, 0), asked=asked)
    return Budget(window, settings.reserve, model.error if model else 0.0, asked)


def model_of(settings: Settings) -> Model | None:
    """Return the model that some settings name, if they do. Raises UsageError for one that is not known."""
    if not settings.model:
        return None
    from ctxpack.settings.window import model_named

    return model_named(settings.model, settings.models)


def prepare_counter(settings: Settings) -> None:
    """Let another process prepare what ``counter_of`` needs, if that has not been done before."""
    folder = _vocabularies(settings)
    if folder is not None and settings.encoding == DEFAULT_ENCODING:
        prepare_vocabulary(folder)


def counter_of(settings: Settings) -> TokenCounter:
    """Return what counts the tokens of a report: the encoding's counter, times the model's factor if it has one."""
    model, exact = model_of(settings), counter(settings.encoding, _vocabularies(settings))
    if model is None:
        return exact
    from ctxpack.settings.window import estimating_counter

    return estimating_counter(exact, model.factor)


def _vocabularies(settings: Settings) -> Path | None:
    return settings.cache_dir / _VOCABULARIES if settings.use_cache else None


def estimate_of(settings: Settings) -> str:
    """Return how a count was estimated and how far it can be off: ``× 1.25, ± 10 %``; empty if it is exact."""
    model = model_of(settings)
    if model is None or not model.is_estimate:
        return ""
    factor = f"× {model.factor:g}, " if model.factor != 1 else ""
    return f"{factor}± {model.error * 100:g} %"
