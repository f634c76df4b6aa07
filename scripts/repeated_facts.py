#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Find numbers that stand in two pages with the same words: scripts/repeated_facts.py

A fact, such as a time, a bound or a default, has one place, to which other pages link. Reported are sentences of two
pages written by hand that share a number and three words of four letters; a number counts if it has a unit, a point, an
exponent or five digits, and is no order n. Generated pages repeat what the program prints and are left out. Exit status
1 if any is found.
"""

import itertools
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GENERATED = re.compile(r"docs/reference/(command-line|generators|metrics|exhibits|results)\.md|THIRD_PARTY\.md")
FENCED = re.compile(r"^(```+).*?^\1|^    .*$|`[^`]*`|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
SENTENCE = re.compile(r"(?<=[.:;|])\s+|\n\n|\n(?=[-|])")
UNIT = r"µs|ms|s|seconds|minutes|h|[KMGT]i?B(?:/s)?|[GT]F/s|%|times|digits|lines|words"
NUMBER = re.compile(rf"(?<!n = )(?<![\w.·^=-])(\d+(?:\.\d+)?(?:e-?\d+)?)(?: ?({UNIT}))?(?![\w.]*\w)")
COMMON_WORDS = 3


def facts(text: str):
    """Yield (number with unit, words of its sentence, sentence)."""
    for sentence in SENTENCE.split(FENCED.sub(" ", text)):
        words = set(re.findall(r"[a-zµσλ]{4,}", sentence.lower()))
        for number, unit in NUMBER.findall(sentence):
            if unit or re.search(r"[.e]|\d{5}", number):
                yield f"{number} {unit}".strip(), words, " ".join(sentence.split())


def repeated(pages: dict[str, str]):
    """Yield (number, page, sentence, other page, its sentence)."""
    places = defaultdict(list)
    for page, text in pages.items():
        for number, words, sentence in facts(text):
            places[number].append((page, words, sentence))
    for number, found in places.items():
        for (page, words, sentence), (other, own, own_sentence) in itertools.combinations(found, 2):
            if page != other and len(words & own) >= COMMON_WORDS:
                yield number, page, sentence, other, own_sentence


def written_pages() -> dict[str, str]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.splitlines() if not GENERATED.fullmatch(name)]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names}


def main() -> int:
    found = list(repeated(written_pages()))
    for number, page, sentence, other, own in found:
        print(f"{number}\n  {page}: {sentence}\n  {other}: {own}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
