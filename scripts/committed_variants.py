#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write tests/variants/data/committed_variants.txt: each variant's name in the records under results/, a tab, and the
section `variant` of those records as one line of JSON with sorted keys ("null" if no case with the name was solved).

committed_variants.py            writes the file
committed_variants.py --check    compares the file, exit code 1 if it is not up to date
"""

import gzip
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tests/variants/data/committed_variants.txt"


def lines() -> list[str]:
    """Return one line for each name and each section of records with this name."""
    sections: dict[str, set[str]] = {}
    packed = (ROOT / "results").glob("**/records.jsonl.gz")
    for record in (json.loads(line) for path in packed for line in gzip.open(path)):
        name = record["case"]["solver"]
        if ":" in name:  # a baseline
            continue
        section = sections.setdefault(name, set())
        if record.get("variant"):
            section.add(json.dumps(record["variant"], sort_keys=True, separators=(",", ":")))
    return [f"{name}\t{text}\n" for name, texts in sorted(sections.items()) for text in sorted(texts) or ["null"]]


def main() -> int:
    text = "".join(lines())
    if sys.argv[1:] == ["--check"]:
        current = FILE.read_text(encoding="utf-8") if FILE.exists() else ""
        if current != text:
            print(f"{FILE.relative_to(ROOT)} is not up to date; run {Path(__file__).relative_to(ROOT)}")
        return int(current != text)
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
