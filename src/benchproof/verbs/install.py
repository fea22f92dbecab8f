"""`benchproof install STAGE DIR`: a finished post, put in place whole."""

from pathlib import Path

from benchproof.files import write_atomically

FILES = ("index.qmd", "index.html", "index.md", "numbers.json", "after-body.html", "benchproof.css")


def install(
    stage: Path,
    target: Path,
) -> None:
    """Copy a rendered post and its figures to its folder; a missing part stops it beforehand."""
    figures = sorted(path.relative_to(stage) for path in (stage / "figures").glob("[!.]*"))
    contents = {name: (stage / name).read_bytes() for name in (*map(Path, FILES), *figures)}
    for name, content in contents.items():
        if not (target / name).is_file() or (target / name).read_bytes() != content:
            write_atomically(target / name, content)
    (target / "figures").mkdir(exist_ok=True)
    for stale in set((target / "figures").iterdir()) - {target / name for name in figures}:
        stale.unlink()
