"""The page's modules as one script, for a notebook, which loads no files: each becomes an address of its own there.

Modules are listed before those that import them, so every import can be written as the address of what it names.
"""

from __future__ import annotations

import json
import posixpath
import re
from importlib.resources import files
from string import Template

IMPORT = re.compile(r'(?<=from )"([^"]+)"')
TRACE = "/trace/"
"""Where the page finds what the textbook shows its traces with."""
SCRIPT = Template("""const addresses = {};
function add(name, source) {
  const linked = source.replace(/from "module:([^"]+)"/g, (_all, each) => `from "$${addresses[each]}"`);
  addresses[name] = URL.createObjectURL(new Blob([linked], { type: "text/javascript" }));
}
$modules
export default {
  async render(context) {
    const { mount } = await import(addresses["/notebook.js"]);
    const view = await import(addresses["/views/$view.js"]);
    return mount(view, "$view", context);
  },
};
""")


def read_module(path: str) -> str:
    """The file that the page finds under `path`."""
    if path.startswith(TRACE):
        return (files("zermelo.search.trace") / path.removeprefix(TRACE)).read_text(encoding="utf-8")
    return (files("zermelo.studio") / "static").joinpath(*path.strip("/").split("/")).read_text(encoding="utf-8")


def collect(path: str, found: dict[str, str]) -> None:
    """Adds the module at `path` to `found`, after all that it imports; imports then name modules from the root on."""
    if path in found:
        return
    source = read_module(path)
    names = {name: posixpath.join(posixpath.dirname(path), name) for name in IMPORT.findall(source)}
    places = {name: posixpath.normpath(place) for name, place in names.items()}
    for place in places.values():
        collect(place, found)
    found[path] = IMPORT.sub(lambda match: f'"module:{places[match[1]]}"', source)


def make_script(view: str) -> str:
    """The script of a widget that shows `view`."""
    found: dict[str, str] = {}
    for path in ("/notebook.js", f"/views/{view}.js"):
        collect(path, found)
    modules = "\n".join(f"add({json.dumps(path)}, {json.dumps(source)});" for path, source in found.items())
    return SCRIPT.substitute(modules=modules, view=view)


def trace_style() -> str:
    return "".join(read_module(f"{TRACE}{name}") for name in ("tree.css", "view.css"))


def make_style() -> str:
    """The page's looks for a shadow tree, which has no root element, no `html` and no `body`."""
    own = read_module("/studio.css")
    for tag, inside in (("html", ":host"), ("body", ".studio"), (":root", ":host")):
        own = re.sub(rf"(?m)^(\s*){tag} {{", rf"\g<1>{inside} {{", own)
    return trace_style() + own
