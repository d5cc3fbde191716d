"""The commands that look: at strategies, at profiles, at the installation, and, eval, at the figures of the ranking."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ctxpack.cli.display import align_columns, progress
from ctxpack.cli.inputs import settings_of
from ctxpack.cli.options import Flags
from ctxpack.cli.output import check_output, deliver, tell, tell_notes
from ctxpack.errors import CtxpackError, UsageError
from ctxpack.gather.plan import StrategyStatus, strategy_statuses
from ctxpack.light import dataclass, replace
from ctxpack.settings import Settings
from ctxpack.settings.loading import Profile, list_profiles
from ctxpack.system.version import __version__
from ctxpack.text import json_text, printable, valid
from ctxpack.workflows.diagnosis import OK, Check, diagnosis, is_broken

if TYPE_CHECKING:
    from ctxpack.settings import Settings
    from ctxpack.workflows.evaluation import Evaluation, Figure, Outcome, Variant


STRATEGIES_SCHEMA = 1
_MILLI = 1_000


def list_strategies(flags: Flags) -> None:
    """List the strategies, with notes about those left out. Raises CtxpackError."""
    settings = settings_of(flags)
    check_output(flags)
    rows, notes = strategy_statuses(settings)
    deliver(_strategies_json(rows, notes) if settings.format == "json" else _strategies_table(rows), flags)
    tell_notes(notes, flags)


def _strategies_table(rows: tuple[StrategyStatus, ...]) -> str:
    head = ("strategy", "state", "serves", "priority", "tokens", "seconds", "last took", "what it brings")
    return align_columns([head, *(_row(each) for each in rows)], right=(3, 4, 5, 6))


def _row(each: StrategyStatus) -> tuple[str, ...]:
    origin = f" (from {each.origin})" if each.origin else ""
    return (
        printable(each.id),
        each.state,
        "every request" if each.serves_all else ", ".join(each.scopes),
        str(each.priority),
        "budget" if each.has_budget else f"{each.max_tokens:,}",
        f"{each.timeout_s:g}",
        "" if each.last_s is None else f"{each.last_s * _MILLI:.0f} ms",
        printable(f"{each.name}{origin}"),
    )


def _strategies_json(rows: tuple[StrategyStatus, ...], notes: tuple[str, ...]) -> str:
    """The documented form, schema 1."""
    strategies = [
        {
            "id": valid(each.id),
            "name": valid(each.name),
            "priority": each.priority,
            "max_tokens": each.max_tokens,
            "timeout_s": each.timeout_s,
            "enabled": each.is_enabled,
            "state": each.state,
            "scopes": list(each.scopes),
            "origin": valid(each.origin) or None,
            "last_s": each.last_s,
        }
        for each in rows
    ]
    document = {"schema": STRATEGIES_SCHEMA, "strategies": strategies, "notes": list(map(valid, notes))}
    return json_text(document)


PROFILES_SCHEMA = 1


def deliver_profiles(flags: Flags) -> None:
    """List the profiles. Raises CtxpackError."""
    settings = settings_of(flags)
    check_output(flags)
    found = list_profiles(Path(settings.root), os.environ, flags.config)
    deliver(_profiles_json(found) if flags.format == "json" else _profiles_table(found), flags)


def _profiles_table(found: Iterable[Profile]) -> str:
    rows = [("profile", "sets", "to", "from")]
    for profile in found:
        names = [profile.name, *[""] * len(profile.values)]
        values = profile.values
        rows += [
            (printable(name), printable(each.key), printable(_toml(each.written)), printable(each.origin))
            for name, each in zip(names, values, strict=False)
        ]
        if not values:
            rows.append((printable(profile.name), "nothing", "", ""))
    return align_columns(rows)


def _profiles_json(found: Iterable[Profile]) -> str:
    """The profiles in the documented JSON, schema 1."""
    listed = [
        {
            "name": valid(profile.name),
            "values": [
                {"key": valid(each.key), "value": each.written, "from": valid(each.origin)} for each in profile.values
            ],
        }
        for profile in found
    ]
    return json_text({"schema": PROFILES_SCHEMA, "profiles": listed})


def _toml(value: object) -> str:
    """A value as a configuration file would write it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False, default=str)


DOCTOR_SCHEMA = 1


def diagnose_and_deliver(flags: Flags) -> None:
    """Check and deliver the result; exit with 1 if something is broken. Raises UsageError."""
    check_output(flags)
    settings, error = _settings_or_error(flags)
    findings = diagnosis(settings, error)
    deliver(_findings_json(findings) if flags.format == "json" else _findings_table(findings), flags)
    if is_broken(findings):
        raise typer.Exit(1)


def _settings_or_error(flags: Flags) -> tuple[Settings | None, CtxpackError | None]:
    """The settings, or why there are none."""
    from ctxpack.light import replace

    values = {name: value for name, value in flags.values.items() if name != "format"}  # it is the list's
    try:
        return settings_of(replace(flags, quiet=True, values=values)), None
    except CtxpackError as error:
        return None, error


def _findings_table(findings: Iterable[Check]) -> str:
    rows, before = [], ""
    for each in findings:
        mark = "" if each.state == OK else each.state.upper()
        rows.append((each.part if each.part != before else "", printable(each.name), mark, printable(each.found)))
        before = each.part
    return align_columns(rows)


def _findings_json(findings: tuple[Check, ...]) -> str:
    """The checks in the documented JSON, schema 1."""
    listed = [
        {"part": each.part, "name": valid(each.name), "state": each.state, "found": valid(each.found)}
        for each in findings
    ]
    document = {"schema": DOCTOR_SCHEMA, "version": __version__, "is_broken": is_broken(findings), "findings": listed}
    return json_text(document)


EVAL_SCHEMA = 1
_WORST = 10  # misses that are listed
_HASH = 9  # characters of a commit id
_MEANINGS = {
    "mrr": "1 / rank of the first changed file",
    "files": "changed files in the pack",
    "lines": "changed lines in the pack",
}


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """The command's own options, as typed."""

    commits: int
    compare: tuple[str, ...]
    profile: str | None


def evaluate_and_deliver(asked: EvalOptions, flags: Flags) -> None:
    """Evaluate and write the figures to the chosen output. Raises CtxpackError."""
    variants = _variants(asked, flags)
    check_output(flags)
    with progress(flags) as on_progress:
        from ctxpack.workflows.evaluation import evaluate_commits

        evaluation = evaluate_commits(variants, asked.commits, on_progress=on_progress)
    settings = variants[0].settings
    deliver(_json(evaluation, settings) if flags.format == "json" else _report(evaluation, settings), flags)
    if flags.explain:
        for each in evaluation.outcomes[variants[0].name]:
            tell(_outcome_text(each))


def _variants(asked: EvalOptions, flags: Flags) -> list[Variant]:
    """The settings as they are, and the second ones if there are any."""
    from ctxpack.workflows.evaluation import Variant

    base = Variant("as it is", settings_of(flags))
    if not asked.compare and asked.profile is None:
        return [base]
    more: dict[str, object] = {}
    pairs = [pair for each in asked.compare for pair in each.split(",")]
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not (key.strip() and equals and value.strip()):
            raise UsageError(f"{printable(pair)!r} is not KEY=VALUE.", hint="Write --compare use_synonyms=false.")
        more[key.strip()] = value.strip()
    quiet = replace(flags, stdin=False, null=False, quiet=True, profile=asked.profile or flags.profile)
    names = [*([f"profile {asked.profile}"] if asked.profile else []), *pairs]
    return [base, Variant(printable(", ".join(names)), replace(settings_of(quiet, **more), paths=base.settings.paths))]


def _report(evaluation: Evaluation, settings: Settings) -> str:
    """Everything as text for a reader."""
    from ctxpack.workflows.evaluation import by_lane

    first = next(iter(evaluation.outcomes.values()))
    parts = [_head(evaluation, settings, len(first)), _measures(evaluation)]
    for name, outcomes in evaluation.outcomes.items():
        lanes = by_lane(outcomes)
        title = "by lane" if len(evaluation.outcomes) == 1 else f"by lane, {name}"
        head = (title, "tasks", *lanes[0].figures)
        rows = [
            (each.lane.value, str(each.tasks), *(f"{100 * figure.mean:.1f}" for figure in each.figures.values()))
            for each in lanes
        ]
        parts.append(align_columns([head, *rows], right=range(1, len(head))))
    worst = [_outcome_text(each) for each in _worst(first)]
    parts.append("".join(f"{line}\n" for line in ["worst misses" if worst else "no misses", *worst]))
    return "\n".join(parts)


def _head(evaluation: Evaluation, settings: Settings, tasks: int) -> str:
    left = "".join(f"  left out: {reason} ({count})\n" for reason, count in evaluation.left_out.items())
    what = "commit is a task" if tasks == 1 else "commits are tasks"
    return f"{tasks} {what}; packs of {settings.budget:,} tokens ({settings.encoding})\n{left}"


def _measures(evaluation: Evaluation) -> str:
    """One line for each measure: every variant with its interval, and the difference if there are two."""
    from ctxpack.workflows.evaluation import differences, figures_of

    outcomes = list(evaluation.outcomes.values())
    columns = [[_with_interval(each, "") for each in figures_of(one).values()] for one in outcomes]
    heads = [*evaluation.outcomes]
    if len(outcomes) > 1:
        columns.append([_with_interval(each, "+") for each in differences(outcomes[0], outcomes[1]).values()])
        heads.append("difference")
    names = list(figures_of(outcomes[0]))
    rows = list(zip(names, *columns, [_MEANINGS.get(name, "") for name in names], strict=True))
    return align_columns([("mean, 95 % interval", *heads, ""), *rows])


def _with_interval(figure: Figure, sign: str) -> str:
    """A figure in per cent."""
    mean, low, high = (100 * value for value in (figure.mean, figure.low, figure.high))
    return f"{mean:{sign}.1f}  {low:{sign}.1f} to {high:{sign}.1f}"


def _worst(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The tasks whose pack misses a changed file, worst first."""
    missed = [each for each in outcomes if not all(file.in_pack for file in each.files)]
    return sorted(missed, key=lambda each: (sum(each.measures), each.task.commit))[:_WORST]


def _outcome_text(outcome: Outcome) -> str:
    """The commit on one line, then one line for each of its files with its rank."""
    return "\n  ".join((f"{outcome.task.commit[:_HASH]} {printable(outcome.task.subject)}", *_places(outcome)))


def _places(outcome: Outcome) -> Iterator[str]:
    for each in outcome.files:
        rank = f"rank {each.rank}" if each.rank else "not found"
        yield f"{printable(each.path)}: {rank}, {each.lines_in_pack} of {each.lines} lines packed"


def _json(evaluation: Evaluation, settings: Settings) -> str:
    """The documented form, schema 1."""
    from ctxpack.workflows.evaluation import by_lane, differences, figures_of

    document: dict[str, object] = {
        "schema": EVAL_SCHEMA,
        "budget": settings.budget,
        "encoding": settings.encoding,
        "left_out": dict(evaluation.left_out),
        "variants": [
            {
                "name": name,
                "measures": _plain(figures_of(outcomes)),
                "lanes": {
                    each.lane.value: {"tasks": each.tasks, "measures": _plain(each.figures)}
                    for each in by_lane(outcomes)
                },
                "tasks": [_task(each) for each in outcomes],
            }
            for name, outcomes in evaluation.outcomes.items()
        ],
    }
    if len(evaluation.outcomes) > 1:
        base, other = evaluation.outcomes.values()
        document["differences"] = _plain(differences(base, other))
    return json_text(document)


def _plain(figures: Mapping[str, Figure]) -> dict[str, dict[str, float]]:
    return {name: asdict(figure) for name, figure in figures.items()}


def _task(outcome: Outcome) -> dict[str, object]:
    files = [{**asdict(each), "lane": each.lane.value, "rank": each.rank or None} for each in outcome.files]
    return {"commit": outcome.task.commit, "subject": outcome.task.subject, "files": files}
