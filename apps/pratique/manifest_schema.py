"""docs/manifest.schema.json, and what of a manifest does not keep to it."""
import json
import pathlib
import re

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs" / "manifest.schema.json").read_text())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float)}
# A keyword that is not looked at would check nothing, so it is not known here.
KNOWN = {"type", "required", "properties", "additionalProperties", "items", "enum", "minimum", "pattern", "$ref"}
NAMES = {"$schema", "$id", "$defs", "title", "description"}


def problems(value, schema, place="manifest"):
    """What of the schema does not hold, as "place: what"."""
    unknown = set(schema) - KNOWN - NAMES
    if unknown:
        raise ValueError(f"{place}: this validator does not know {unknown}")
    if "$ref" in schema:
        name = re.fullmatch(r"#/\$defs/(\w+)", schema["$ref"]).group(1)
        yield from problems(value, SCHEMA["$defs"][name], place)
    if "type" in schema:
        if schema["type"] == "integer":
            fits = isinstance(value, int) and not isinstance(value, bool)
        else:
            fits = isinstance(value, TYPES[schema["type"]])
        if not fits:
            yield f"{place}: no {schema['type']}"
            return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: not one of {schema['enum']}"
    if "minimum" in schema and value < schema["minimum"]:
        yield f"{place}: below {schema['minimum']}"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{place}: does not match {schema['pattern']}"
    for key in schema.get("required", []):
        if key not in value:
            yield f"{place}: no {key}"
    known = schema.get("properties", {})
    for key in known:
        if key in value:
            yield from problems(value[key], known[key], f"{place}.{key}")
    if schema.get("additionalProperties") is False:
        yield from (f"{place}: {key} is unknown" for key in value if key not in known)
    if "items" in schema:
        for number, item in enumerate(value):
            yield from problems(item, schema["items"], f"{place}[{number}]")
