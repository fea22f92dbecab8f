"""SVG figures as PNG images, drawn by Typst's renderer with matplotlib's own fonts."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import typst

PIXELS_PER_INCH = 144.0
FONT_FILES = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")


class Rasteriser:
    """Turns SVG text into PNG; a context manager that owns the folder Typst works in."""

    def __enter__(self) -> "Rasteriser":
        self._folder = tempfile.TemporaryDirectory(prefix="benchproof-figures-")
        root = Path(self._folder.name)
        # All of matplotlib's fonts take Typst longer to read than the figures.
        for name in FONT_FILES:
            shutil.copyfile(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name, root / name)
        self._root = root
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def png(self, name: str, svgs: Sequence[str], width_pt: float, height_pt: float) -> list[bytes]:
        """One PNG for each SVG of that size in points, two pixels a point.

        `name` keeps the files of calls apart, which may run at the same time.
        """
        folder = self._root / name
        folder.mkdir()
        pages = []
        for number, svg in enumerate(svgs):
            (folder / f"{number}.svg").write_text(svg, "utf-8")
            pages.append(_page(number, width_pt, height_pt))
        source = folder / "pages.typ"
        source.write_text("\n".join(pages), "utf-8")
        images: bytes | list[bytes] | None = typst.compile(
            str(source),
            root=str(self._root),
            font_paths=[str(self._root)],
            ignore_system_fonts=True,
            format="png",
            ppi=PIXELS_PER_INCH,
        )
        return images if isinstance(images, list) else [images or b""]


def _page(number: int, width_pt: float, height_pt: float) -> str:
    size = f"width: {width_pt}pt, height: {height_pt}pt"
    return f'#page({size}, margin: 0pt)[#image("{number}.svg", {size})]'
