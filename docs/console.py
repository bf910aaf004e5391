"""The console blocks of the README and the docs: what they run and what it must print.

- A `console` block has commands, `$ …`, each followed by its output, errors included. `zermelo`, `python` and `echo $?`
  can be run. Whatever follows a prompt, `… to move > `, is typed in.
- A `python` block that begins with `# NAME.py` is that file, for all blocks of its page.
- `…` stands for anything within a line, and for any number of lines if it is alone on one.

`python docs/console.py` writes the true output into each block that shows another.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
PROMPT = r"[\w ]+ to move > "
PROGRAMS = {"zermelo": [sys.executable, "-m", "zermelo"], "python": [sys.executable]}


def blocks(text: str, language: str) -> list[str]:
    return [body for kind, body in FENCE.findall(text) if kind == language]


def pages() -> list[Path]:
    """Every page that has a console block."""
    return [page for page in PAGES if page.is_file() and blocks(page.read_text(encoding="utf-8"), "console")]


def commands(block: str) -> list[tuple[str, str]]:
    """Each command of a console block and what the page shows after it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts)]


def typed(shown: str) -> list[str]:
    """What the reader types in, line by line."""
    return re.findall(rf"^{PROMPT}(.+)$", shown, re.MULTILINE)


def pattern(shown: str) -> re.Pattern[str]:
    """What `shown` matches: itself, with `…` for anything."""
    lines = []
    for line in shown.strip("\n").splitlines():
        if line.strip() == "…":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(re.escape(line.rstrip()).replace("…", ".*?") + r"[ ]*\n")
    return re.compile("".join(lines))


class Desk:
    """A folder in which the commands of one page are run, one after the other."""

    def __init__(self, text: str, folder: Path):
        self.folder = folder
        self.code = 0
        for body in blocks(text, "python"):
            name = re.match(r"# ([\w/]+\.py)\n", body)
            if name:
                (folder / name[1]).write_text(body, encoding="utf-8")

    def run(self, command: str, lines: list[str]) -> str:
        """What `command` prints, with `lines` typed in where it asks."""
        if command == "echo $?":
            return f"{self.code}\n"
        program, *arguments = shlex.split(command)
        done = subprocess.run(
            PROGRAMS[program] + arguments,
            cwd=self.folder,
            env=os.environ | {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
            input="".join(f"{line}\n" for line in lines),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        self.code = done.returncode
        waiting = iter(lines)
        # A pipe does not echo what is typed; a terminal would have shown it, and the end of its line, after the prompt.
        parts = re.split(rf"(?:^|(?<=\n))({PROMPT})", done.stdout)
        shown = parts[0]
        for prompt, rest in zip(parts[1::2], parts[2::2], strict=True):
            shown += f"{prompt}{next(waiting, '')}\n{rest}"
        lined = [line.rstrip() for line in shown.strip("\n").splitlines()]
        return "".join(f"{line}\n" for line in lined)


def corrected(text: str, folder: Path) -> str:
    """A page with the true output in each block that shows another."""
    desk = Desk(text, folder)

    def correct(found: re.Match[str]) -> str:
        if found[1] != "console":
            return found[0]
        parts = []
        for command, shown in commands(found[2]):
            printed = desk.run(command, typed(shown))
            parts.append(f"$ {command}\n{shown if pattern(shown).fullmatch(printed) else printed}")
        return "```console\n" + "".join(parts) + "```"

    return FENCE.sub(correct, text)


def main() -> None:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            new = corrected(text, Path(folder))
        if new != text:
            page.write_text(new, encoding="utf-8")
            print(f"corrected {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
