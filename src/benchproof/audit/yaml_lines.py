"""YAML that may be hostile, read with the line of every field: no tags, no anchors, no repeats."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from benchproof.errors import ConfigError
from benchproof.records.strict_json import read_bounded

MAX_BYTES = 1_000_000
_AT = re.compile(r" - at `(?:key in )?\$(?P<path>[^`]*)`$")
_FIELD = re.compile(r"field `(?P<name>[^`]+)`")
_STEP = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<index>\d+|\.\.\.)\]")

Shape = TypeVar("Shape")


def read_yaml(path: Path, kind: type[Shape]) -> Shape:
    """A YAML file as a type; ConfigError tells file, line, fault and remedy."""
    content = read_bounded(path, str(path), ConfigError)
    if len(content) > MAX_BYTES:
        raise ConfigError(str(path), f"larger than {MAX_BYTES} bytes", "shorten the file")
    try:
        root = yaml.compose(content, Loader=yaml.SafeLoader)
        _check(root, str(path))
        document: Any = yaml.safe_load(content)
    except yaml.MarkedYAMLError as bad:
        line = bad.problem_mark.line + 1 if bad.problem_mark else 1
        fault = f"not YAML ({bad.problem or bad.context})"
        raise ConfigError(f"{path}:{line}", fault, "correct the line") from None
    except (yaml.YAMLError, ValueError, RecursionError) as bad:  # impossible dates are ValueErrors
        first = " ".join(str(bad).split())[:200]
        raise ConfigError(str(path), f"not YAML ({first})", "correct the file") from None
    try:
        return msgspec.convert({} if document is None else document, kind)
    except msgspec.ValidationError as bad:
        raise _fault(bad, path, root) from None


def _check(root: Node | None, shown: str) -> None:
    """Refuse what a reader overlooks: a node that stands in two places, a key that stands twice."""
    seen: set[int] = set()
    for node in _nodes(root):
        if id(node) in seen:
            raise ConfigError(
                f"{shown}:{_line(node)}", "an anchor is used again", "write the value out"
            )
        seen.add(id(node))
        if isinstance(node, MappingNode):
            _check_keys(node, shown)


def _check_keys(node: MappingNode, shown: str) -> None:
    names: set[str] = set()
    for key, _ in node.value:
        if key.value in names if isinstance(key, ScalarNode) else False:
            raise ConfigError(
                f"{shown}:{_line(key)}", f"{key.value!r} stands twice", "keep one of them"
            )
        names.add(str(key.value))


def _nodes(root: Node | None) -> Iterator[Node]:
    """Every node; one that is used again is given again, and not gone into."""
    todo = [root] if root is not None else []
    seen: set[int] = set()
    while todo:
        node = todo.pop()
        yield node
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, SequenceNode):
            todo += reversed(node.value)
        elif isinstance(node, MappingNode):
            todo += [part for pair in reversed(node.value) for part in reversed(pair)]


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


def _fault(bad: msgspec.ValidationError, path: Path, root: Node | None) -> ConfigError:
    told = str(bad)
    at = _AT.search(told)
    node = _at(root, at["path"] if at else "")
    field = _FIELD.search(told)
    node = _key(node, field["name"]) if field and "unknown" in told else node
    where = f"{path}:{_line(node)}" if node is not None else str(path)
    fault = told[: at.start()] if at else told
    inside = f" at {at['path'].lstrip('.')}" if at and at["path"] else ""
    return ConfigError(where, fault + inside, "correct the field")


def _at(node: Node | None, path: str) -> Node | None:
    """The node that msgspec's path leads to, or the last one on the way that is there."""
    for step in _STEP.finditer(path):
        found: Node | None = None
        if step["name"] and isinstance(node, MappingNode):
            found = dict(_pairs(node)).get(step["name"])
        elif step["index"] and step["index"].isdigit() and isinstance(node, SequenceNode):
            found = node.value[int(step["index"])]
        if found is None:
            return node
        node = found
    return node


def _key(node: Node | None, name: str) -> Node | None:
    keys = [key for key, _ in node.value] if isinstance(node, MappingNode) else []
    return next((key for key in keys if key.value == name), node)


def _pairs(node: MappingNode) -> Iterator[tuple[str, Node]]:
    for key, value in node.value:
        if isinstance(key, ScalarNode):
            yield key.value, value
