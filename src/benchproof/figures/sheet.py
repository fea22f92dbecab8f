"""One drawing surface in points, origin top left, and how it becomes SVG text.

Matplotlib's own axes lay out ticks, legends and limits anew for each figure; here places are
known, so its artists go straight to its SVG renderer. That halves the time of a figure.
"""

import warnings
from collections.abc import Sequence
from io import StringIO
from typing import Any, Literal

from matplotlib import rc_context
from matplotlib.artist import Artist
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path as Outline
from matplotlib.text import Text
from matplotlib.transforms import Affine2D

from benchproof.figures.lettering import clean
from benchproof.figures.palette import Colour, Fill

WIDTH_PT = 600.0
TITLE_PT = 14.5
BASE_PT = 12.5
SMALL_PT = 11.0
FONT = "DejaVu Sans"
# Verdana is as wide as DejaVu Sans: where neither is installed, text becomes narrower, not wider.
FONT_STACK = f"'{FONT}', Verdana, 'Noto Sans', Arial, sans-serif"
BASELINE_SHARE = 0.36
SVG_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "benchproof",
    "hatch.linewidth": 0.8,
}

Point = tuple[float, float]
Dash = tuple[float, ...]
Align = Literal["left", "center", "right"]


class Sheet:
    """What has been drawn so far; later things cover earlier ones."""

    def __init__(self) -> None:
        self._artists: list[Artist] = []

    def _add(self, artist: Artist) -> None:
        artist.set_zorder(len(self._artists))
        self._artists.append(artist)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size_pt: float = SMALL_PT,
        colour: Colour = Colour.INK,
        align: Align = "left",
        bold: bool = False,
        degrees: float = 0,
    ) -> None:
        """Write one line whose middle is at the height `y`."""
        drop = size_pt * BASELINE_SHARE
        self._add(
            Text(
                x if not degrees else x + drop,
                y + drop if not degrees else y,
                clean(text),
                color=colour.value,
                horizontalalignment=align,
                verticalalignment="baseline",
                fontfamily=FONT,
                fontsize=size_pt,
                fontweight="bold" if bold else "normal",
                rotation=degrees,
                rotation_mode="anchor",
                parse_math=False,
            )
        )

    def strokes(
        self, strokes: Sequence[tuple[Point, Point]], colour: Colour, width_pt: float = 1.0
    ) -> None:
        """Draw separate straight strokes as one path."""
        if not strokes:
            return
        corners = [corner for stroke in strokes for corner in stroke]
        codes = [Outline.MOVETO, Outline.LINETO] * len(strokes)
        outline = Outline(corners, codes)
        self._add(PathPatch(outline, fill=False, edgecolor=colour.value, linewidth=width_pt))

    def line(
        self,
        points: Sequence[Point],
        colour: Colour,
        width_pt: float = 1.5,
        dash: Dash = (),
    ) -> None:
        """Draw one line through all points."""
        self._add(
            Line2D(
                [x for x, _ in points],
                [y for _, y in points],
                color=colour.value,
                linewidth=width_pt,
                linestyle=(0, dash) if dash else "solid",
                solid_capstyle="butt",
            )
        )

    def dots(
        self,
        points: Sequence[Point],
        marker: str,
        colour: Colour,
        fill: Fill = Fill.FULL,
        size_pt: float = 7.5,
    ) -> None:
        """Draw one marker at each point."""
        self._add(
            Line2D(
                [x for x, _ in points],
                [y for _, y in points],
                linestyle="none",
                marker=marker,
                # Hollow ones are larger: where both lie in one place, a ring stays visible.
                markersize=size_pt * (1.25 if fill is Fill.HOLLOW else 1),
                fillstyle="full" if fill is Fill.HOLLOW else fill.value,
                markeredgecolor=colour.value,
                markerfacecolor=Colour.PAPER.value if fill is Fill.HOLLOW else colour.value,
                markerfacecoloralt=Colour.PAPER.value,
                markeredgewidth=1.5,
            )
        )

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        colour: Colour,
        *,
        hatch: bool = False,
    ) -> None:
        """Fill a rectangle, or hatch it."""
        area = Rectangle((x, y), width, height, linewidth=0, facecolor=colour.value)
        if hatch:
            area.set(facecolor="none", edgecolor=colour.value, hatch="////")
        self._add(area)

    def svg(self, title: str, height_pt: float) -> str:
        """The drawing as SVG with `title`; the same drawing gives the same text."""
        downwards = Affine2D().scale(1, -1).translate(0, height_pt)
        paper = Rectangle((0, 0), WIDTH_PT, height_pt, linewidth=0, facecolor=Colour.PAPER.value)
        for artist in (paper, *self._artists):
            artist.set_transform(downwards)
        return _with_font_stack(_printed((paper, *self._artists), height_pt, clean(title)))


def _printed(artists: Sequence[Artist], height_pt: float, title: str) -> str:
    """The artists as SVG text, straight through the renderer.

    A `Figure` would import axes, projections and 3D plots, a quarter of a second for nothing.
    """
    buffer = StringIO()
    metadata = {"Title": title, "Date": None, "Creator": None}
    with rc_context(SVG_SETTINGS), warnings.catch_warnings():
        # A reader's browser has the glyphs that the font used for measuring lacks.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        renderer = RendererSVG(  # type: ignore[no-untyped-call]
            WIDTH_PT, height_pt, buffer, image_dpi=72, metadata=metadata
        )
        for artist in artists:
            if isinstance(artist, Text):
                _write(renderer, artist)
            else:
                artist.draw(renderer)
        renderer.finalize()  # type: ignore[no-untyped-call]
    return buffer.getvalue()


def _write(renderer: RendererSVG, text: Text) -> None:
    """Write a line of text; `Text.draw` needs a figure, to measure what is not measured here."""
    graphics = renderer.new_gc()
    graphics.set_foreground(text.get_color())
    x, y = text.get_transform().transform(text.get_position())
    renderer.draw_text(  # type: ignore[no-untyped-call]
        graphics,
        x,
        renderer.height - y,  # the renderer counts downwards, as Text.draw would have told it
        text.get_text(),
        text.get_fontproperties(),
        text.get_rotation(),
        ismath=False,
        mtext=text,
    )
    graphics.restore()


def _with_font_stack(svg: str) -> str:
    return svg.replace(f"'{FONT}'", FONT_STACK)
