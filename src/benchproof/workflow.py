"""What the Snakefile asks: which files a step reads, and a fingerprint of the code it runs.

Snakemake reruns a step when its parameters change. A step's fingerprint is a parameter, so that
editing a module reruns the steps that import it, and no others.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from snakemake.exceptions import WorkflowError  # type: ignore[import-untyped]

PACKAGE = Path(__file__).parent
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
_TEMPLATE = re.compile(r"[a-z0-9][a-z0-9-]*\.qmd\.j2")
# Text is enough, and ten times quicker than parsing: a match too many only reruns a step too often.
_IMPORT = re.compile(
    r"^[ \t]*(?:from|import)[ \t]+(benchproof[\w.]*)(?:[ \t]+import[ \t]+(\([^)]*\)|[^\n]*))?",
    re.MULTILINE,
)


def fingerprint(verb: str) -> str:
    """SHA-256 (16 hex digits) of every file that a verb's code is made of."""
    digest = hashlib.sha256()
    for path in sorted(code_of(f"benchproof.verbs.{verb}")):
        digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def code_of(module: str) -> set[Path]:
    """Files of a module and of everything of this package that it imports, assets included."""
    found: set[Path] = set()
    waiting = [module]
    while waiting:
        path = _path(waiting.pop())
        if path is None or path in found:
            continue
        found.add(path)
        found.update(p for p in (path.parent / "assets").glob("*") if p.is_file())
        waiting += _imports(path)
    return found


def _path(module: str) -> Path | None:
    parts = module.split(".")
    if parts[0] != PACKAGE.name:
        return None
    base = PACKAGE.joinpath(*parts[1:])
    candidates = (base.with_suffix(".py"), base / "__init__.py")
    return next((path for path in candidates if path.is_file()), None)


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Modules that a file may import: what it names, as packages and as their members."""
    names: list[str] = []
    for package, members in _IMPORT.findall(path.read_text(encoding="utf-8")):
        names += [package, *(f"{package}.{member}" for member in re.findall(r"\w+", members))]
    return tuple(names)


def raw_of_study(wildcards: Any) -> list[str]:
    """Raw files of the rule's `{study}`, sorted; a new file reruns what cites it."""
    return _raw_files(wildcards.study)


@cache
def _raw_folder(study: str) -> Path:
    """The study's folder of raw files; the step itself tells what is wrong with the file."""
    try:
        told = yaml.safe_load(Path(f"config/studies/{study}.yaml").read_bytes())
    except (OSError, yaml.YAMLError):
        told = None
    raw = told.get("raw") if isinstance(told, dict) else None
    return Path(raw if isinstance(raw, str) else f"results/raw/{study}")


def _raw_files(study: str) -> list[str]:
    return sorted(path.as_posix() for path in _raw_folder(study).glob("*.json"))


def _checked(posts: object) -> dict[str, dict[str, str]]:
    """The `posts` of config.yaml; WorkflowError tells in one line what is wrong with them.

    Names become paths and parts of shell commands: nothing but words, digits and hyphens.
    """
    where = "config/config.yaml#/posts"
    if not isinstance(posts, dict) or not posts:
        raise WorkflowError(f"{where}: no posts; name each with its study and template")
    for name, post in posts.items():
        place = f"{where}/{name}"
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise WorkflowError(f"{place}: not a name; use small letters, digits and hyphens")
        if not isinstance(post, dict) or set(post) != {"study", "template"}:
            raise WorkflowError(f"{place}: needs `study` and `template`, and nothing else")
        for key, kind in (("study", _NAME), ("template", _TEMPLATE)):
            if not isinstance(post[key], str) or not kind.fullmatch(post[key]):
                raise WorkflowError(
                    f"{place}/{key}: {post[key]!r} is not a name; use small letters, digits and "
                    f"hyphens{', and end in .qmd.j2' if key == 'template' else ''}"
                )
        for path in (f"config/studies/{post['study']}.yaml", f"templates/{post['template']}"):
            if not Path(path).is_file():
                raise WorkflowError(f"{place}: no file {path}; write it, or name another")
    return posts


class Posts:
    """Input functions of the rules that build a `{post}`, from `posts` in config.yaml."""

    def __init__(self, posts: object) -> None:
        self._posts = _checked(posts)

    @property
    def names(self) -> list[str]:
        """The posts, in the order of the configuration."""
        return list(self._posts)

    @property
    def studies(self) -> list[str]:
        """The studies that the posts cite, each once."""
        return sorted({post["study"] for post in self._posts.values()})

    def study(self, wildcards: Any) -> str:
        """Configuration of the post's study."""
        return f"config/studies/{self._post(wildcards)['study']}.yaml"

    def raw(self, wildcards: Any) -> list[str]:
        """Raw files that the post may cite."""
        return _raw_files(self._post(wildcards)["study"])

    def figures(self, wildcards: Any) -> str:
        """Folder of the study's figures."""
        return f"results/figures/{self._post(wildcards)['study']}"

    def template(self, wildcards: Any) -> str:
        """The post's template."""
        return f"templates/{self._post(wildcards)['template']}"

    def partials(self, wildcards: Any) -> list[str]:
        """Templates that any post's template may use."""
        del wildcards
        return sorted(path.as_posix() for path in Path("templates/partials").glob("*.j2"))

    def _post(self, wildcards: Any) -> Mapping[str, str]:
        return self._posts[wildcards.post]
