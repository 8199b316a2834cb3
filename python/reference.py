#!/usr/bin/python3
"""Writes the reference of docs/python.md, which is made of the docstrings of the package.

reference.py DOCUMENT          prints the document with the reference as the docstrings are now
reference.py --write DOCUMENT  writes it
"""

import inspect
import re
import sys
import textwrap
from pathlib import Path

import odori
import odori.pytest_plugin

BEGIN, END = "<!-- reference: made by python/reference.py --write -->\n", "<!-- end of the reference -->\n"


def text_of(thing):
    """Returns a docstring as Markdown: what is indented below "Attributes:" becomes a list."""
    text = inspect.getdoc(thing)
    attributes = re.search(r"^Attributes:\n((?:    .*\n?)+)", text, re.M)
    if attributes:
        items = re.sub(r"^    (\w+): ", r"- `\1`: ", attributes.group(1), flags=re.M)
        text = text[: attributes.start()] + items.replace("\n        ", "\n  ") + text[attributes.end() :]
    code = r"((?:^    .*\n)+)"
    return re.sub(code, lambda found: "```python\n" + textwrap.dedent(found[0]) + "```\n", text, flags=re.M)


def head_of(name, function):
    """Returns how a function is called, without types."""
    signature = inspect.signature(function)
    empty = inspect.Parameter.empty
    parameters = [p.replace(annotation=empty) for p in signature.parameters.values() if p.name != "self"]
    return "`{}{}`".format(name, signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty))


def members_of(cls):
    """Yields the documented methods and properties of a class, in the order of its source."""
    for name, member in vars(cls).items():
        if name.startswith("_") or not inspect.getdoc(member):
            continue
        if isinstance(member, property):
            can = ", can be set" if member.fset else ""
            yield "**`{}`** (property{})".format(name, can), text_of(member)
        elif inspect.isfunction(member):
            yield "**{}**".format(head_of(name, member)), text_of(member)


def entry(name, thing):
    """Yields the paragraphs about a function, class or exception."""
    if not inspect.isclass(thing):
        yield "### {}".format(head_of("odori." + name, thing))
        yield text_of(thing)
        return
    shown = name if thing is odori.pytest_plugin.PictureCheck else "odori." + name
    yield "### `{}`".format(shown)
    yield text_of(thing)
    for head, text in members_of(thing):
        yield head + "\\\n" + text


def reference():
    things = [(name, getattr(odori, name)) for name in odori.__all__]
    things.append(("odori_picture", odori.pytest_plugin.PictureCheck))
    return "\n\n".join(paragraph for name, thing in things for paragraph in entry(name, thing)) + "\n"


def main(arguments):
    path = Path(arguments[-1])
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        sys.exit("{}: there is no place for the reference".format(path))
    document = before + BEGIN + "\n" + reference() + "\n" + END + after
    if "--write" in arguments:
        path.write_text(document, encoding="utf-8")
    else:
        sys.stdout.write(document)


if __name__ == "__main__":
    main(sys.argv[1:])
