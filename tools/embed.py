#!/usr/bin/env python3
"""tools/embed.py FOLDER OUT: the files of FOLDER (the built web app) as OUT/web_assets.S and .cc.

Every file is compressed once, here; the program sends the bytes as they lie in it. A FOLDER that is
not there gives an empty list. The same files give the same bytes.
"""
import gzip
import hashlib
import pathlib
import sys

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def main(folder, out):
    out.mkdir(parents=True, exist_ok=True)
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    assembly = ['.section .rodata\n']
    names, rows = [], []
    for number, path in enumerate(files):
        content = path.read_bytes()
        packed = out / f"asset-{number}.gz"
        packed.write_bytes(gzip.compress(content, 9, mtime=0))
        size = packed.stat().st_size
        assembly.append(f'.global pratique_asset_{number}\npratique_asset_{number}:\n.incbin "{packed}"\n')
        names.append(f"extern const char pratique_asset_{number}[];")
        kind = TYPES.get(path.suffix, "application/octet-stream")
        digest = hashlib.sha256(content).hexdigest()[:16]
        rows.append(f'    {{"{path.relative_to(folder).as_posix()}", "{kind}", '
                    f'{{pratique_asset_{number}, {size}}}, "{digest}"}},')
    assembly.append('.section .note.GNU-stack,"",@progbits\n')
    (out / "web_assets.S").write_text("".join(assembly))
    table = "\n".join(rows)
    declared = 'extern "C" {\n' + "\n".join(names) + "\n}\n" if names else ""
    body = (f"  static constexpr std::array<pratique::server::Asset, {len(rows)}> assets{{{{\n{table}\n  }}}};\n"
            "  return assets;") if rows else "  return {};"
    (out / "web_assets.cc").write_text(
        '#include "web_assets.h"\n\n#include <array>\n\n' + declared +
        "\nstd::span<const pratique::server::Asset> pratique::app::web_assets() {\n" + body + "\n}\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
