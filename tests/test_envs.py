"""The environments that collectors run in can be had on their platforms, and mix no rivals."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml
from factory import ROOT

ENVS = sorted((ROOT / "workflow/envs").glob("*.yml"))
COLLECTORS = [path for path in ENVS if path.stem.startswith("collect-")]
MACOS = sorted((ROOT / "requirements/macos").glob("*.txt"))
LINUX = "collect-linux"
# jax-metal and tensorflow-metal name no upper bound, so that nothing but this refuses those.
NEWEST = {"jax-metal": ("jax", (0, 5, 0)), "tensorflow-metal": ("tensorflow", (2, 19))}
Resolved = subprocess.CompletedProcess[str]
JAX_PLUGINS = {"jax-metal", "jax-mps"}


def pip_lines(env: Path) -> list[str]:
    """What pip is to install in an environment: requirements, and lines with an option."""
    parts = yaml.safe_load(env.read_text(encoding="utf-8"))["dependencies"]
    return [line for part in parts if isinstance(part, dict) for line in part["pip"]]


def requirement_files(env: Path) -> list[Path]:
    """Requirement files that an environment names."""
    named = [line.removeprefix("-r ") for line in pip_lines(env) if line.startswith("-r ")]
    return [(env.parent / name).resolve() for name in named]


def requirements(text: str) -> list[str]:
    """Requirements in a file, without comments."""
    lines = (line.partition(" #")[0].partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def asked(env: Path) -> list[str]:
    """Everything that an environment asks pip for, its own project aside."""
    plain = [line for line in pip_lines(env) if not line.startswith("-")]
    named = [r for path in requirement_files(env) for r in requirements(path.read_text())]
    return plain + named


def rivals(wanted: Iterable[str]) -> str | None:
    """Why requirements do not work together though a resolver takes them; None if they do."""
    pins = dict(re.findall(r"^([\w-]+)(?:\[[\w,]+\])?==([\d.]+)", "\n".join(wanted), re.MULTILINE))
    if set(pins) >= JAX_PLUGINS:
        return "two plugins for one JAX"
    for plugin, (host, newest) in NEWEST.items():
        if plugin in pins:
            version = tuple(int(n) for n in pins.get(host, "").split(".") if n)
            if not version or version[: len(newest)] > newest:
                return f"{plugin} with {host} {pins.get(host, 'of any version')}"
    return None


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        (["jax-mps==0.10.11", "jax-metal==0.1.1", "jax==0.5.0"], "two plugins for one JAX"),
        (["tensorflow-metal==1.2.0", "tensorflow==2.20.0"],
         "tensorflow-metal with tensorflow 2.20.0"),
        (["tensorflow-metal==1.2.0"], "tensorflow-metal with tensorflow of any version"),
        (["jax-metal==0.1.1", "jax==0.5.1", "jaxlib==0.5.1"], "jax-metal with jax 0.5.1"),
        (["jax-metal==0.1.1", "jax>=0.4.34"], "jax-metal with jax of any version"),
        (["tensorflow-metal==1.2.0", "tensorflow==2.19.1", "jax==0.10.2"], None),
    ],
)  # fmt: skip
def test_rivals_are_told(wanted: list[str], why: str | None) -> None:
    assert rivals(wanted) == why


@pytest.mark.parametrize("env", ENVS, ids=lambda env: env.stem)
def test_an_environment_mixes_no_rivals(env: Path) -> None:
    assert rivals(asked(env)) is None


@pytest.mark.parametrize("env", ENVS, ids=lambda env: env.stem)
def test_an_environment_names_files_that_are_there(env: Path) -> None:
    # Snakemake copies the file to .snakemake/conda, as deep below the root as workflow/envs is.
    read = yaml.safe_load(env.read_text(encoding="utf-8"))
    assert [path for path in requirement_files(env) if not path.is_file()] == []
    assert "-e ../.." in pip_lines(env)
    assert read["channels"] == ["conda-forge", "nodefaults"]


def test_every_requirement_of_a_mac_has_one_environment() -> None:
    named = [path for env in COLLECTORS for path in requirement_files(env) if path in MACOS]
    assert sorted(named) == MACOS


@pytest.mark.parametrize("path", MACOS, ids=lambda path: path.stem)
def test_what_a_mac_collects_with_is_pinned(path: Path) -> None:
    wanted = requirements(path.read_text(encoding="utf-8"))
    assert [r for r in wanted if not re.fullmatch(r"[\w-]+==[\d.]+", r)] == []


def uv() -> str:
    """The resolver, which the Makefile puts beside Python."""
    beside = str(Path(sys.executable).parent)
    found = shutil.which("uv", path=beside) or shutil.which("uv")
    if found is None:
        pytest.skip("uv is not installed: pip install uv")
    return found


def resolve(folder: Path, platform: str, wanted: list[str]) -> Resolved:
    """Ask for the versions that requirements and benchproof itself get, and install nothing."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("UV_FIND_LINKS")}
    environment["MACOSX_DEPLOYMENT_TARGET"] = "14.0"
    if "linux" in platform:
        environment["UV_FIND_LINKS"] = os.environ.get("PIP_FIND_LINKS", "")
    # Whatever a platform has no wheel of could not be built there in reasonable time.
    binaries = [f"--only-binary={re.split('[^a-z0-9-]', r)[0]}" for r in wanted]
    asked_for = folder / "requirements.in"
    asked_for.write_text("\n".join(wanted), encoding="utf-8")
    return subprocess.run(
        [uv(), "pip", "compile", "--quiet", "--no-header", "--no-annotate", *binaries,
         "--python-version=3.11", f"--python-platform={platform}", str(asked_for),
         str(ROOT / "pyproject.toml")],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def resolved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Resolved]:
    """What each environment resolves to; all at once, since most of the time is waiting."""

    def one(env: Path) -> Resolved:
        platform = "x86_64-manylinux_2_35" if env.stem == LINUX else "aarch64-apple-darwin"
        return resolve(tmp_path_factory.mktemp(env.stem), platform, asked(env))

    uv()  # skips here where it is missing
    with ThreadPoolExecutor() as threads:
        return {
            env.stem: done
            for env, done in zip(COLLECTORS, threads.map(one, COLLECTORS), strict=True)
        }


@pytest.mark.slow
@pytest.mark.parametrize("env", COLLECTORS, ids=lambda env: env.stem)
def test_an_environment_can_be_had_on_its_platform(
    env: Path, resolved: dict[str, Resolved]
) -> None:
    done = resolved[env.stem]
    assert done.returncode == 0, done.stderr
    got = {line.removesuffix("+cpu") for line in done.stdout.split()}
    pins = {r for r in asked(env) if re.fullmatch(r"[\w-]+==[\d.]+", r)}
    assert pins <= got


@pytest.mark.slow
def test_two_plugins_for_one_jax_are_refused_by_the_resolver_too(tmp_path: Path) -> None:
    files = (ROOT / "requirements/macos" / f"{name}.txt" for name in JAX_PLUGINS)
    both = [r for path in files for r in requirements(path.read_text(encoding="utf-8"))]
    done = resolve(tmp_path, "aarch64-apple-darwin", both)
    assert done.returncode != 0
    assert "unsatisfiable" in done.stderr
