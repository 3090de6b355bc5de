#!/usr/bin/env python3
"""Fails when a test source is named by no CMakeLists.txt of its folder or one above it, or its folder by none."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATTERNS = ("*_test.cpp", "*_test.cu", "*_fuzz.cpp", "*_benchmark.cpp", "*_test.py", "*_test.sh")


def words_of(cmake_file):
    text = re.sub(r"#.*", "", cmake_file.read_text(encoding="utf-8"))
    return set(re.findall(r"[^\s()\"]+", text))


def is_registered(source):
    """True when the nearest CMakeLists.txt names the source, and every one above it the folder below."""
    folder = source.parent
    while not (folder / "CMakeLists.txt").is_file():
        folder = folder.parent
    if str(source.relative_to(folder)) not in {w.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")
                                               for w in words_of(folder / "CMakeLists.txt")}:
        return False
    while folder != ROOT:
        parent = folder.parent
        while not (parent / "CMakeLists.txt").is_file():
            parent = parent.parent
        if str(folder.relative_to(parent)) not in words_of(parent / "CMakeLists.txt"):
            return False
        folder = parent
    return True


def main():
    sources = sorted(path for pattern in PATTERNS for path in (ROOT / "tests").rglob(pattern)
                     if "node_modules" not in path.parts)
    missing = [path for path in sources if not is_registered(path)]
    for path in missing:
        print(f"{path.relative_to(ROOT)}: no CMakeLists.txt builds or runs it", file=sys.stderr)
    print(f"tests registered: {len(sources)} files, {len(missing)} missing")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
