"""The Jinja2 environment of posts: a sandbox that prints bound values and no other number."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from benchproof.derive.judgement import is_conclusive
from benchproof.errors import SelectionError
from benchproof.report import claims
from benchproof.report.lint import refuse_strays
from benchproof.report.printer import Printer, Styled, UnboundError, told
from benchproof.report.quantities import QUANTITIES
from benchproof.report.registry import Registry
from benchproof.report.seals import Seals
from benchproof.report.selection import Cells
from benchproof.values.rounding import Form, Style
from benchproof.values.units import Unit
from benchproof.values.value import Truth, Value


def _styled(given: object, bare: bool | None = None, **changes: Any) -> Styled:
    if isinstance(given, Value):
        given = Styled(given, Style())
    if not isinstance(given, Styled):
        raise UnboundError(f"{told(given)} is not a value: only values can be formatted")
    fields = {name: getattr(given.style, name) for name in given.style.__struct_fields__}
    return Styled(
        given.value, Style(**{**fields, **changes}), bare=given.bare if bare is None else bare
    )


FILTERS: dict[str, Callable[..., Styled]] = {
    "significant": lambda value, count: _styled(value, significant=count),
    "places": lambda value, count: _styled(value, places=count),
    "unit": lambda value, name: _styled(value, unit=name),
    "without_unit": lambda value: _styled(value, show_unit=False),
    "signed": lambda value: _styled(value, signed=True),
    "word": lambda value: _styled(value, form=Form.WORD),
    "capital": lambda value: _styled(value, form=Form.CAPITAL),
    "bare": lambda value: _styled(value, bare=True),
}


def above_one(value: Value) -> Truth:
    """Whether a ratio lies above the neutral one."""
    return value > 1.0


def conclusive(p: object) -> Truth:
    """Whether an adjusted p-value of a table's row allows a verdict."""
    if not isinstance(p, Value) or p.unit is not Unit.PROBABILITY:
        raise UnboundError(f"{told(p)} is no p-value: take a row's adjusted_p")
    return is_conclusive(p)


def grouped(rows: Iterable[object], *fields: str) -> list[list[object]]:
    """Rows grouped by equal fields, groups and rows in the order in which they first stand."""
    groups: dict[tuple[object, ...], list[object]] = {}
    for row in rows:
        groups.setdefault(tuple(getattr(row, field) for field in fields), []).append(row)
    return list(groups.values())


# Jinja2's filters that neither mark text as safe, nor join it, nor draw lots.
JINJA_FILTERS = (
    "abs", "batch", "capitalize", "default", "dictsort", "first", "float", "groupby", "int",
    "items", "last", "length", "list", "lower", "map", "max", "min", "reject", "rejectattr",
    "reverse", "round", "select", "selectattr", "slice", "sort", "sum", "title", "trim", "unique",
    "upper",
)  # fmt: skip
JINJA_GLOBALS = ("range", "namespace", "joiner")


class PostCode(CodeGenerator):
    """Code in which everything that a template prints goes through the printer."""

    def _output_child_to_const(self, node: nodes.Expr, frame: Frame, finalize: Any) -> str:
        if not isinstance(node, nodes.TemplateData):
            raise nodes.Impossible  # a constant would be taken for markup before it is printed
        return super()._output_child_to_const(node, frame, finalize)

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:  # noqa: D102, N802
        call_frame, macro = self.macro_body(node, frame)
        self.writeline("caller = ")
        self.macro_def(macro, call_frame)
        self.start_write(frame, node)
        self.write("environment.finalize(")
        self.visit_Call(node.call, frame, forward_caller=True)
        self.write(")")
        self.end_write(frame)

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: D102, N802
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def visit_FilterBlock(self, node: nodes.FilterBlock, frame: Frame) -> None:  # noqa: D102, N802
        del frame
        self.fail("a post has no filter blocks: filter the expression", node.lineno)

    def visit_ScopedEvalContextModifier(  # noqa: D102, N802
        self, node: nodes.ScopedEvalContextModifier, frame: Frame
    ) -> None:
        del frame
        self.fail("a post cannot switch escaping", node.lineno)


class InsideLoader(jinja2.FileSystemLoader):
    """Templates of one folder; a link that leads out of it is as good as no template."""

    def get_source(self, environment: jinja2.Environment, template: str) -> Any:
        """The source of a template that lies inside the folder."""
        source, path, current = super().get_source(environment, template)
        if not Path(path).resolve().is_relative_to(Path(self.searchpath[0]).resolve()):
            raise jinja2.TemplateNotFound(template)
        return source, path, current


class PostEnvironment(SandboxedEnvironment):
    """A sandbox for templates, which remembers their sources for errors and claims."""

    code_generator_class = PostCode
    intercepted_binops = frozenset({"+", "%", "*", "**"})

    def __init__(self, folder: Path, registry: Registry) -> None:
        self.seals = Seals()
        self.printer = Printer(registry, self.seals)
        super().__init__(
            loader=InsideLoader(folder),
            undefined=jinja2.StrictUndefined,
            optimized=False,  # a template is compiled once and run once
            autoescape=True,  # with finalize below, this only keeps rendered blocks apart from text
            finalize=self.printer,
            extensions=[claims.ClaimTag, "jinja2.ext.do"],
            comment_start_string="{##",  # "{#" opens an identifier in pandoc's Markdown
            comment_end_string="##}",
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.folder = folder
        self.registry = registry
        self.bp_sources: dict[str | None, str] = {}
        self.filters = {name: self.filters[name] for name in JINJA_FILTERS}
        self.filters.update(FILTERS)
        self.filters["above_one"] = above_one
        self.filters["conclusive"] = conclusive
        self.filters["markup"] = self.printer.markup
        self.filters["code"] = self.printer.code
        self.filters["address"] = self.printer.address
        self.globals = {name: self.globals[name] for name in JINJA_GLOBALS}
        self.globals.update(
            literal=self.printer.literal,
            grouped=grouped,
            all_of=claims.all_of,
            any_of=claims.any_of,
            none_of=claims.none_of,
        )

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Text has no methods here, and a comparison no sides: a threshold is no value to print."""
        return not isinstance(obj, str | Truth) and super().is_safe_attribute(obj, attr, value)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """An attribute; of a selection one that there is, or an error that lists them."""
        if isinstance(obj, Cells) and not hasattr(obj, attribute):
            raise SelectionError(
                f"no quantity {attribute!r}; quantities are {', '.join(QUANTITIES)}"
            )
        return super().getattr(obj, attribute)

    def wrap_str_format(self, value: Any) -> None:
        """No way round `is_safe_attribute` for the formatting of text."""
        del value

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """An addition or a remainder; what is rendered already can be joined by `~` only."""
        if operator in ("*", "**"):
            raise UnboundError(f"{operator} in a template: derive the product from records")
        if isinstance(left, Markup) or isinstance(right, Markup):
            raise UnboundError(f"{operator} on rendered text: join it with ~")
        return super().call_binop(context, operator, left, right)

    def joined(self, parts: Sequence[object]) -> str:
        """What `~` gives: text, or, where a part is more than text, all parts as they print."""
        if all(isinstance(part, str) and not isinstance(part, Markup) for part in parts):
            return "".join(str(part) for part in parts)
        return Markup("").join(map(self.printer, parts))

    def _parse(self, source: str, name: str | None, filename: str | None) -> Any:
        refuse_strays(source, self, filename or str(self.folder / (name or "")))
        self.bp_sources[name] = source
        return super()._parse(source, name, filename)
