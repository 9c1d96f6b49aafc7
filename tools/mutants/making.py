"""Makes mutants of a file: copies that each differ from it by one small fault."""

import ast
import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import libcst as cst
from libcst import matchers as m
from libcst.metadata import CodeRange, MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation.mutators import mutation_operators

_LOG_LINE = m.Call(func=m.Attribute(value=m.Name("log")))
# What a change of it means nothing for: types, names of modules, the arguments of a log line or a decorator.
_LEFT_ALONE = (
    m.Annotation()
    | m.Import()
    | m.ImportFrom()
    | m.Decorator()
    | _LOG_LINE
    | m.Call(func=m.Name("len") | m.Name("isinstance"))
    | m.Assign(targets=[m.AssignTarget(m.Name("__all__"))])
)
NOTHING = "(left out)"
_STATEMENT = m.SimpleStatementLine(body=[m.Expr(m.Call()) | m.Raise()])


@dataclass(frozen=True)
class Mutant:
    """A file with one fault.

    `path`: of the file. `function`: the function it is in, empty for none. `lines`: those whose run reaches
    the fault, empty where it takes effect as the file is loaded. `before`, `after`: the text that differs.
    """

    path: str
    function: str
    lines: frozenset[int]
    before: str
    after: str
    source: str

    @cached_property
    def key(self) -> tuple[str, str, str, str]:
        """What it is known by as long as its file has the same text there."""
        return self.path, self.function, self.before, self.after


def mutants_of(path: str, source: str) -> Iterator[Mutant]:
    """Make the mutants of a file, each of them once; those that mean the same as the file are left out."""
    finder = _Finder()
    module = MetadataWrapper(cst.parse_module(source)).visit(finder)
    seen = {ast.dump(ast.parse(source))}
    keys = set()
    for fault in finder.faults:
        changed = module.deep_replace(fault.node, fault.replacement)
        assert isinstance(changed, cst.Module)
        text = changed.code
        meaning = ast.dump(ast.parse(text))
        if meaning not in seen:
            seen.add(meaning)
            before, after = _difference(source, text)
            while (fault.function, before, after) in keys:
                after += "  # at the next place"
            keys.add((fault.function, before, after))
            yield Mutant(path, fault.function, fault.lines, before, after, text)


@dataclass(frozen=True)
class _Fault:
    node: cst.CSTNode
    replacement: cst.CSTNode
    function: str
    lines: frozenset[int]


class _Finder(cst.CSTVisitor):
    """Collects the faults of a file: those that mutmut knows, statements and decorators that are missing.

    mutmut itself leaves out every decorated function.
    """

    METADATA_DEPENDENCIES = (PositionProvider, ParentNodeProvider)

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[_Fault] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Collect the faults of a node; returns whether to go on within it."""
        for replacement in _replacements(node):
            self.faults.append(_Fault(node, replacement, *self._place(node)))
        return not m.matches(node, _LEFT_ALONE)

    def _place(self, node: cst.CSTNode) -> tuple[str, frozenset[int]]:
        """Return the function that a node is in, and the lines of its statement, or of its head."""
        lines: set[int] = set()
        names: list[str] = []
        in_body = False
        child: cst.CSTNode = node
        for parent in self._and_above(node):
            if not lines and isinstance(parent, cst.SimpleStatementLine):
                lines = self._lines(self._range(parent))
            if not lines and isinstance(parent, cst.BaseCompoundStatement):
                whole, block = self._range(parent), self._range(parent.body)
                head = range(whole.start.line, max(whole.start.line + 1, block.start.line))
                lines = {*head, *self._lines(self._range(node))}
            if isinstance(parent, cst.FunctionDef):
                in_body = in_body or child is parent.body
                names.append(parent.name.value)
            elif isinstance(parent, cst.ClassDef):
                names.append(parent.name.value)
            child = parent
        return ".".join(reversed(names)), frozenset(lines if in_body else ())

    def _and_above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        while not isinstance(node, cst.Module):
            yield node
            node = self.get_metadata(ParentNodeProvider, node)

    def _range(self, node: cst.CSTNode) -> CodeRange:
        found = self.get_metadata(PositionProvider, node)
        assert isinstance(found, CodeRange)
        return found

    @staticmethod
    def _lines(place: CodeRange) -> set[int]:
        return set(range(place.start.line, place.end.line + 1))


def _replacements(node: cst.CSTNode) -> Iterable[cst.CSTNode]:
    if m.matches(node, _STATEMENT) and not m.matches(node, m.SimpleStatementLine(body=[m.Expr(_LOG_LINE)])):
        yield cst.ensure_type(node, cst.SimpleStatementLine).with_changes(body=[cst.Pass()])
    if isinstance(node, cst.FunctionDef):
        for decorator in node.decorators:
            yield node.with_changes(decorators=[each for each in node.decorators if each is not decorator])
    if m.matches(node, _LEFT_ALONE):
        return
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            yield from operator(node)


def _difference(old: str, new: str) -> tuple[str, str]:
    """Return the lines that differ, without the blanks around them, joined to one."""
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""))[3:]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in ("-", "+")
    )
    return before, after or NOTHING
