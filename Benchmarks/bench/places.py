"""Where things are, and which core does what."""

from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parent.parent
REPOSITORY = BENCHMARKS.parent
WORK = BENCHMARKS / ".work"
RESULTS = BENCHMARKS / "results" / "latest.json"
CORE_BENCHMARK = REPOSITORY / ".build" / "release" / "core-bench"
# These two are inside any checkout of the repository.
INSTANCE_SCRIPT = Path("scripts/instance")
PROGRAM = Path(".build/release/offersigner")
EXAMPLE_KEY = REPOSITORY / "keys.example" / "SubscriptionKey_EXAMPLE123.p8"

SERVER_CORE = 0
LOAD_CORE = 1


def pinned(core: int, *command: object) -> list[str]:
    """The command, held to one core."""
    return ["taskset", "-c", str(core), *map(str, command)]
