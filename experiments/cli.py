"""The command ``bezique``. Each command imports what it needs when it is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    name="bezique",
    help="Bezique and Belote for reinforcement learning: play, train, measure.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

INTERRUPTED = 130


@contextmanager
def _clear_errors() -> Iterator[None]:
    """Print one clear message and leave with code 2 when what was asked cannot be done."""
    try:
        yield
    except (ValueError, OSError) as error:
        text = str(error)
        kind = "" if text else type(error).__name__
        typer.echo(f"bezique: {kind}{text}", err=True)
        raise typer.Exit(2) from None
    except ImportError as error:
        typer.echo(f"bezique: {error}: install the extras: pip install 'bezique-env[train]'", err=True)
        raise typer.Exit(2) from None


def _print_table(title: str, headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left")
    for header in headers:
        table.add_column(header, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console = Console()
    if not console.is_terminal:
        console.width = 200  # a pipe has no width; tables stay in one piece
    console.print(table)


@app.command()
def run(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CONFIG] [key=value ...]", help="a config (file or short name) and changes to it"
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with a stopped run or sweep: its directory")
    ] = None,
    seeds: Annotated[
        str | None, typer.Option(help="a sweep: how many training seeds, or which: 5, or 1,2,7")
    ] = None,
    sweep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE,VALUE",
            help="a sweep over values of a key, may be repeated; every combination is run with every seed",
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="a sweep: runs side by side (1)")] = None,
) -> None:
    """Train a policy by a config, measure it, and write a run directory with a report; or several: a sweep."""
    with _clear_errors():
        given, several = arguments or [], seeds is not None or bool(sweep)
        if resume is None and (not given or "=" in given[0]):
            raise ValueError(
                "run: name a config, for example: bezique run smoke/two_pack_ppo (or --resume RUN_DIR)"
            )
        if resume is not None and (given or several):
            left_out = [*given, *(["--seeds"] if seeds is not None else []), *(["--sweep"] if sweep else [])]
            raise ValueError(
                f"run --resume takes the config of the run as it is; leave out {' '.join(left_out)}"
            )
        if resume is None and not several:
            from experiments.config import load_config

            load_config(given[0], given[1:])  # refuses mistakes before the slow imports
        from experiments.sweep import is_sweep, resume_sweep, run_sweep

        if resume is not None:
            several = is_sweep(resume)
        if workers is not None and not several:
            raise ValueError("run: --workers goes with --seeds, --sweep, or --resume of a sweep")
        from experiments.run import resume_experiment, run_experiment
        from experiments.stopping import Interrupted

        try:
            if resume is not None and several:
                resume_sweep(resume, workers=workers or 1)
            elif resume is not None:
                resume_experiment(resume)
            elif several:
                run_sweep(given[0], given[1:], seeds=seeds, sweep=sweep or (), workers=workers or 1)
            else:
                run_experiment(given[0], given[1:])
        except Interrupted as stopped:
            folder, told = Path(str(stopped)), ""
            if not several:
                folder, told = folder.parent.parent, f" checkpoint {stopped};"
            typer.echo(f"bezique: stopped;{told} go on with: bezique run --resume {folder}", err=True)
            raise typer.Exit(INTERRUPTED) from None


@app.command()
def reproduce(
    run_dir: Annotated[Path, typer.Argument(help="a finished run")],
    out: Annotated[
        Path | None,
        typer.Option(help="directory of the second run (default: beside the first); one begun there goes on"),
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(help="relative difference of figures that counts as equal (1e-4)")
    ] = None,
) -> None:
    """Run a finished run again and compare: code 0 where it is identical or equal within the tolerance, else 1."""
    with _clear_errors():
        from experiments.reproduce import TOLERANCE
        from experiments.reproduce import reproduce as run_again
        from experiments.stopping import Interrupted

        try:
            found = run_again(run_dir, out, tolerance=TOLERANCE if tolerance is None else tolerance)
        except Interrupted as stopped:
            folder = Path(str(stopped)).parent.parent
            typer.echo(f"bezique: stopped; go on with: bezique reproduce {run_dir} --out {folder}", err=True)
            raise typer.Exit(INTERRUPTED) from None
    if found.verdict == "different":
        raise typer.Exit(1)


@app.command()
def report(
    run_dirs: Annotated[
        list[Path],
        typer.Argument(
            help="finished runs or sweeps, set side by side; or a tournament; or leaderboards (.jsonl)"
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="file to write (default: report.html); leaderboards also as .md")
    ] = None,
) -> None:
    """Write the report of a run, of several or a sweep (with intervals over seeds), a tournament, or leaderboards."""
    with _clear_errors():
        from experiments.report import write_report

        typer.echo(str(write_report(run_dirs, out)))


def _is_config(text: str) -> bool:
    """Return whether a text names a config and no agent: configs are files, or have a folder in their short name."""
    return "(" not in text and ("/" in text or text.endswith((".yaml", ".yml")))


@app.command()
def tournament(
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONFIG [key=value ...] | AGENT AGENT ...",
            help="a config (file or short name) and changes to it; or agents: random, greedy, policy(RUN_DIR)",
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with a stopped tournament: its directory")
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="processes; they change no result")] = None,
    pairs: Annotated[
        int | None, typer.Option(help="agents: decks from the seed, each played twice (1000)")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="agents: of the decks")] = None,
    decks: Annotated[
        Path | None, typer.Option(help="agents: a .json file of decks instead of a seed")
    ] = None,
    variant: Annotated[str | None, typer.Option(help="agents: id of a variant (two_pack)")] = None,
    preset: Annotated[str | None, typer.Option(help="agents: a preset of the rules")] = None,
    out: Annotated[Path | None, typer.Option(help="agents: a .json file for the results")] = None,
) -> None:
    """Set agents against each other on the same duplicate decks, by a config or all those that are named."""
    with _clear_errors():
        given = arguments or []
        options = {
            "--pairs": pairs,
            "--seed": seed,
            "--decks": decks,
            "--variant": variant,
            "--preset": preset,
            "--out": out,
        }
        if resume is None and not (given and _is_config(given[0])):
            from experiments.tournament import tournament as play_all

            play_all(
                given,
                variant=variant or "two_pack",
                preset=preset,
                deal_pairs=1000 if pairs is None else pairs,
                seed=seed,
                decks_file=decks,
                workers=workers or 1,
                out=out,
            )
            return
        said = [name for name, value in options.items() if value is not None]
        if said:
            raise ValueError(
                f"tournament: {', '.join(said)} go with agents; a config is changed by key=value, "
                "for example deal_pairs=200"
            )
        if resume is not None and given:
            raise ValueError(f"tournament --resume takes the config as it is; leave out {' '.join(given)}")
        from experiments.stopping import Interrupted
        from experiments.tournament import resume_tournament, run_tournament

        try:
            if resume is not None:
                resume_tournament(resume, workers=workers)
            else:
                run_tournament(given[0], given[1:], workers=workers)
        except Interrupted as stopped:
            typer.echo(f"bezique: stopped; go on with: bezique tournament --resume {stopped}", err=True)
            raise typer.Exit(INTERRUPTED) from None


@app.command()
def decks(
    variant: Annotated[str, typer.Argument(help="id of a variant, see: bezique variants")],
    out: Annotated[Path, typer.Argument(help="the .json file to write")],
    seed: Annotated[int, typer.Option(help="of the decks")],
    count: Annotated[int, typer.Option(help="how many")],
    preset: Annotated[str | None, typer.Option(help="a preset of the rules; the first by default")] = None,
) -> None:
    """Write a file of decks as a recipe: where they come from, and the hash that they must have."""
    with _clear_errors():
        from bezique_env.rules import get_rules
        from experiments.evaluation import recipe_of
        from experiments.files import write_json

        if seed < 0 or count < 1:
            raise ValueError(f"decks: --seed {seed} must be at least 0, --count {count} at least 1")
        write_json(out, recipe_of(get_rules(variant, preset), seed, count))


@app.command()
def tune(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="CONFIG [key=value ...]", help="a config of tuning (file or short name) and changes to it"
        ),
    ],
) -> None:
    """Tune the weights of a rule-based player on duplicate deals, and write them as a file."""
    with _clear_errors():
        from experiments.tune import load_tune_config
        from experiments.tune import tune as search

        config = load_tune_config(arguments[0], arguments[1:])
        result = search(config)
        rows = [[name, found.text()] for name, found in result.confirmed.items()]
        _print_table(
            f"Tuned weights on {config.confirm_pairs} fresh deal pairs", ["against", "points a deal"], rows
        )
        typer.echo(config.output)


@app.command()
def variants() -> None:
    """List the variants with their presets, and what is not modelled."""
    with _clear_errors():
        from bezique_env.rules.tables import variants_rows

        headers, rows = variants_rows()
        _print_table("Variants", headers, rows)


@app.command()
def rules(
    variant: Annotated[str, typer.Argument(help="id of a variant, see: bezique variants")] = "two_pack",
    preset: Annotated[str | None, typer.Option(help="a preset; the first by default")] = None,
) -> None:
    """Show every rule option of a variant: its value, what else is allowed, and its source; then the points."""
    with _clear_errors():
        from bezique_env.rules import get_rules
        from bezique_env.rules.tables import rules_rows, scores_rows

        headers, rows = rules_rows(variant, preset)
        _print_table(f"Rules of {variant}" + (f", preset {preset}" if preset else ""), headers, rows)
        _print_table("Points", *scores_rows(variant))
        resolved = get_rules(variant, preset)
        _print_table("What is paid", *resolved.family.settlement_rows(resolved))
        typer.echo(resolved.family.settlement_note(resolved))


@app.command()
def play(
    variant: Annotated[str, typer.Argument(help="id of a variant")] = "two_pack",
    opponent: Annotated[str, typer.Option(help="an agent: random, greedy, policy(RUN_DIR)")] = "greedy",
    seat: Annotated[str, typer.Option(help="0, 1 or random")] = "0",
    seed: Annotated[int | None, typer.Option(help="the deal; drawn and told without it")] = None,
    record: Annotated[
        Path | None, typer.Option(help="a .jsonl file that gets the record of the game")
    ] = None,
    preset: Annotated[str | None, typer.Option("--preset", "--rules", help="a preset of the rules")] = None,
    override: Annotated[list[str] | None, typer.Option(help="option=value, may be repeated")] = None,
    episode: Annotated[str, typer.Option(help="deal or match")] = "deal",
    draws: Annotated[str, typer.Option(help="shared or queues")] = "shared",
) -> None:
    """Play against an agent in the terminal."""
    with _clear_errors():
        from bezique_env.envs.spaces import check_choice
        from bezique_env.rules import get_rules
        from experiments.config import parse_overrides
        from experiments.play import play_command

        changed = parse_overrides(override or [])
        resolved = get_rules(variant, preset, changed)
        check_choice("seat", seat, ("0", "1", "random"))
        check_choice("episode", episode, ("deal", "match"))
        check_choice("draws", draws, ("shared", "queues"))
        options: dict[str, Any] = {"episode": episode, "draws": draws}
        code = play_command(
            variant,
            rules=resolved.preset,
            overrides=changed,
            opponent=opponent,
            seat="random" if seat == "random" else int(seat),
            seed=seed,
            record_path=record,
            **options,
        )
    raise typer.Exit(code)


@app.command()
def bench(
    variant: Annotated[
        str | None, typer.Option(help="one variant beside two packs; all of them without it")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="print JSON instead of tables")] = False,
    seconds: Annotated[
        float | None, typer.Option(help="time for each figure (1); with --peers for each slice (0.5)")
    ] = None,
    peers: Annotated[
        bool, typer.Option("--peers", help="ours beside what is installed of other libraries' card games")
    ] = False,
    endgame: Annotated[
        bool, typer.Option("--endgame", help="how long the exact solver of endings takes")
    ] = False,
    learning: Annotated[
        bool, typer.Option("--learning", help="the learners beside the bare passes of their networks")
    ] = False,
    only: Annotated[
        str | None, typer.Option(help="with --peers: names of peers or of their games, by commas")
    ] = None,
    write: Annotated[
        Path | None, typer.Option(help="with --peers: a page of docs that gets the report, and its .json")
    ] = None,
) -> None:
    """Measure how fast the games are played on this machine, every variant beside two packs."""
    with _clear_errors():
        if peers:
            from experiments.peers.command import peers_command

            if variant is not None:
                raise ValueError("--variant does not go with --peers: two_pack and belote stand beside them")
            names = [name.strip() for name in (only or "").split(",") if name.strip()]
            peers_command(0.5 if seconds is None else seconds, names, json=json, path=write)
            return
        if only is not None or write is not None:
            raise ValueError("--only and --write need --peers")
        if endgame:
            from experiments.endgame_times import endgame_times_command

            if variant is not None or seconds is not None:
                raise ValueError("--endgame takes neither --variant nor --seconds: its deals are fixed")
            endgame_times_command(json=json)
            return
        if learning:
            from experiments.learning_times import learning_times_command

            if seconds is not None:
                raise ValueError("--learning takes no --seconds: it counts iterations")
            learning_times_command(variant or "two_pack", json=json)
            return
        from experiments.bench import bench_command

        bench_command(variant, json=json, seconds=1.0 if seconds is None else seconds)


@app.command()
def solve(
    position: Annotated[Path, typer.Argument(help="a YAML or JSON file of a position, see docs/records.md")],
    json: Annotated[bool, typer.Option("--json", help="print JSON instead of a table")] = False,
) -> None:
    """Solve a position exactly: what every move is worth, and a best line."""
    with _clear_errors():
        from experiments.solve import solve_command

        solve_command(position, json=json)


@app.command("solve-mini")
def solve_mini(
    name: Annotated[
        str, typer.Argument(help="a small game: mini_bezique, mini_bezique/kqj4, mini_belote, ...")
    ],
    iterations: Annotated[int | None, typer.Option(help="of CFR, at most")] = None,
    target: Annotated[
        float | None,
        typer.Option(help="stop at this exploitability, in percent of the score range (0.1 by default)"),
    ] = None,
    method: Annotated[str, typer.Option(help="cfr+, dcfr or cfr")] = "cfr+",
    agents: Annotated[
        str, typer.Option(help="measured as well, by commas: random,greedy,policy(RUN_DIR)")
    ] = "random,greedy",
    fold: Annotated[
        bool, typer.Option("--fold/--no-fold", help="endings in which nothing is hidden are leaves")
    ] = True,
    out: Annotated[Path | None, typer.Option(help="an .npz file for the average strategy")] = None,
    json: Annotated[bool, typer.Option("--json", help="print JSON instead of tables")] = False,
) -> None:
    """Solve a small game exactly, and measure how much agents lose in it to exact best responses."""
    with _clear_errors():
        from agents.registry import split_agents
        from experiments.solve_mini import solve_command

        solve_command(
            name,
            as_json=json,
            iterations=iterations,
            target=target,
            method=method,
            agents=split_agents(agents),
            fold=fold,
            out=out,
        )


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="a .jsonl file of game records")],
) -> None:
    """Play recorded games again, check every one of them, and print their results."""
    with _clear_errors():
        from bezique_env.game import Game
        from bezique_env.record import RecordError, read_records

        wrong = 0
        rows: list[list[str]] = []
        for number, record in enumerate(read_records(file), 1):
            try:
                game = Game.replay(record)
            except (RecordError, ValueError) as error:
                wrong += 1
                typer.echo(f"{file}: record {number}: {error}", err=True)
                continue
            scores = " : ".join(map(str, game.match_scores))
            result = f"{game.returns()[0]:+d}" if game.is_over else "unfinished"
            paid = f"{game.returns('settlement')[0]:+d}" if game.is_over else ""
            deals = str(len(record["deals"]))
            rows.append(
                [str(number), game.variant, game.rules.preset, str(game.seed), deals, scores, result, paid]
            )
        headers = ["record", "variant", "preset", "seed", "deals", "scores", "seat 0 gets", "games paid"]
        _print_table(f"{file}: {len(rows)} records replay to their scores", headers, rows)
        if wrong:
            raise ValueError(f"{wrong} of {wrong + len(rows)} records do not replay")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; mistakes of usage end with code 2."""
    app(args=list(arguments) if arguments is not None else None)


if __name__ == "__main__":
    main()
