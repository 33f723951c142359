"""Draws what a command prints on a terminal of its own: docs/terminal.svg.

    cargo build --release -p chunkeval-cli
    PATH="target/release:$PATH" python3 docs/terminal.py docs/terminal.svg \
        chunkeval llm docs/sample/answers.jsonl

The command runs on a pseudo-terminal, so it shows colours and a progress bar as it does for people.
"""

import fcntl
import html
import os
import pty
import re
import struct
import sys
import termios
import unicodedata

COLUMNS, WIDTH, HEIGHT, SIZE, EDGE = 100, 8.0, 18, 13, 16
BACKGROUND, TEXT, PROMPT = "#14171f", "#d7dae0", "#7f8794"
COLOURS = {31: "#f07178", 32: "#8fd18a", 33: "#e6c370", 34: "#82aaff", 35: "#c792ea", 36: "#7fd6e6"}


def run(command):
    """Everything that the command writes to its terminal."""
    child, master = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    output = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        output += piece
    os.waitpid(child, 0)
    return output.decode()


def width(char):
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def screen(output):
    """Rows of cells (column, character, style) that are left in the end."""
    rows, column, style = [{}], 0, ()
    for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|.", output, re.S):
        if part.startswith("\x1b["):
            codes = [int(code or 0) for code in part[2:-1].split(";")] if part[-1] == "m" else []
            for code in codes:
                style = () if code == 0 else (*style, code)
            if part[-1] == "K":
                rows[-1] = {} if part[2:-1] == "2" else {c: v for c, v in rows[-1].items() if c < column}
        elif part == "\r":
            column = 0
        elif part == "\n":
            rows.append({})
        else:
            if column + width(part) > COLUMNS:
                rows.append({})
                column = 0
            rows[-1][column] = (part, style)
            column += width(part)
    while rows and not rows[-1]:
        rows.pop()
    return rows


def runs(row):
    """Neighbouring cells of one style, as (column, text, style); wide characters stand alone."""
    found = []
    for column in sorted(row):
        char, style = row[column]
        if found and width(char) == 1:
            start, text, last = found[-1]
            if last == style and start + len(text) == column and width(text[-1]) == 1:
                found[-1] = (start, text + char, style)
                continue
        found.append((column, char, style))
    # Blanks at the ends and next to each other are lost in XML.
    words = lambda text: re.finditer(r"\S+(?: \S+)*", text)
    return [(column + word.start(), word[0], style) for column, text, style in found for word in words(text)]


def draw(command, rows):
    prompt = {column: (char, (0,)) for column, char in enumerate("$ " + " ".join(command))}
    rows = [prompt, *rows]
    high = 2 * EDGE + HEIGHT * len(rows)
    wide = 2 * EDGE + int(WIDTH * COLUMNS)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
    yield f'<rect width="{wide}" height="{high}" rx="8" fill="{BACKGROUND}"/>'
    yield f'<g font-family="ui-monospace,Menlo,Consolas,\'DejaVu Sans Mono\',monospace" font-size="{SIZE}">'
    for line, row in enumerate(rows):
        for column, text, style in runs(row):
            x, y = EDGE + WIDTH * column, EDGE + HEIGHT * line + SIZE
            colour = next((COLOURS[code] for code in style if code in COLOURS), TEXT)
            colour = PROMPT if 0 in style or 2 in style else colour
            weight = ' font-weight="bold"' if 1 in style else ""
            long = WIDTH * sum(map(width, text))
            yield (
                f'<text x="{x:g}" y="{y:g}" fill="{colour}"{weight} textLength="{long:g}" '
                f'lengthAdjust="spacingAndGlyphs">{html.escape(text)}</text>'
            )
    yield "</g></svg>"


if __name__ == "__main__":
    to, *command = sys.argv[1:]
    with open(to, "w", encoding="utf-8") as file:
        file.write("\n".join(draw(command, screen(run(command)))) + "\n")
