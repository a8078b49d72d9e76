"""Holds data against a JSON schema, as strictly as can be: an object has no key that its schema does not name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
KNOWN = {
    *("$ref", "anyOf", "type", "enum", "const", "properties", "required", "additionalProperties", "items"),
    *(
        "title",
        "description",
        "default",
        "minimum",
        "maximum",
        "maxLength",
        "prefixItems",
        "minItems",
        "maxItems",
        "contentEncoding",
    ),
}


def problems(data: Any, schema: dict[str, Any], components: dict[str, Any], at: str = "answer") -> Iterator[str]:
    """Yields each place where the data is not as the schema says."""
    assert set(schema) <= KNOWN, f"{at}: the schema has {set(schema) - KNOWN}"
    if "$ref" in schema:
        yield from problems(data, components[schema["$ref"].rpartition("/")[2]], components, at)
        return
    if "anyOf" in schema:
        found = [list(problems(data, each, components, at)) for each in schema["anyOf"]]
        if all(found):
            yield from min(found, key=len)
        return
    if "enum" in schema and data not in schema["enum"]:
        yield f"{at}: {data!r} is none of {schema['enum']}"
    if "const" in schema and data != schema["const"]:
        yield f"{at}: {data!r} is not {schema['const']!r}"
    kind = schema.get("type")
    if kind is not None and (not isinstance(data, TYPES[kind]) or (isinstance(data, bool) and kind != "boolean")):
        yield f"{at}: {data!r} is no {kind}"
        return
    if isinstance(data, dict):
        yield from _object(data, schema, components, at)
    if isinstance(data, list) and "items" in schema and isinstance(schema["items"], dict):
        for n, each in enumerate(data):
            yield from problems(each, schema["items"], components, f"{at}[{n}]")


def _object(data: dict[str, Any], schema: dict[str, Any], components: dict[str, Any], at: str) -> Iterator[str]:
    named, others = schema.get("properties"), schema.get("additionalProperties")
    for name in schema.get("required", ()):
        if name not in data:
            yield f"{at}: {name} is missing"
    for name, value in data.items():
        if named is not None and name in named:
            yield from problems(value, named[name], components, f"{at}.{name}")
        elif isinstance(others, dict):
            yield from problems(value, others, components, f"{at}.{name}")
        elif named is not None:
            yield f"{at}: {name} is not in the schema"
