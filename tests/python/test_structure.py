# SPDX-License-Identifier: BSD-3-Clause
"""Every `#include` of the C++ sources follows the list of folders in includes.txt."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ("*.hpp", "*.cpp", "*.cu")
FREE = ("tests", "benchmarks", "cmake")  # may include every folder
INCLUDE = re.compile(r'^ *# *include *["<]([^">]+)[">]', re.MULTILINE)
# What a CUDA compiler must not read.
HOST_LIBRARIES = re.compile(r"^(Eigen|boost|fmt|nlohmann|CLI|hdf5|omp\.h)")


def layout(text):
    """The folders of the file, each with those that it may include, in the order of the file."""
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    rows = [row.partition(":") for row in re.sub(r"\n +", " ", lines).split("\n") if row]
    allowed = {folder: [name.strip() for name in names.split(",") if name.strip()] for folder, _, names in rows}
    return {
        folder: ["include"] + [resolve(name, folder, allowed) for name in names] for folder, names in allowed.items()
    }


def resolve(name, folder, folders):
    """The folder that a name means in the line of `folder`: the one below the nearest folder above."""
    above = [folder, *(parent.as_posix() for parent in Path(folder).parents)]
    paths = (name if parent == "." else f"{parent}/{name}" for parent in above)
    return next(path for path in paths if path in folders or any(within(other, path) for other in folders))


def sources(root=ROOT):
    tops = [folder for folder in root.iterdir() if folder.is_dir() and folder.name not in ("build", "runs")]
    paths = (path for top in tops if not top.name.startswith(".") for kind in SOURCES for path in top.rglob(kind))
    return sorted(path.relative_to(root).as_posix() for path in paths)


def find(name, file, files):
    """The file of the project that an include means, or None."""
    beside = (Path(file).parent / name).as_posix()
    return next((path for path in (name, f"include/{name}", beside) if path in files), None)


def includes(files, root=ROOT):
    """(file, the project's file that it includes) of all files."""
    known = set(files)
    named = ((file, find(name, file, known)) for file in files for name in INCLUDE.findall((root / file).read_text()))
    return [(file, target) for file, target in named if target]


def within(path, folder):
    return path.startswith(folder + "/")


def owner(path, folders):
    """The longest folder of the list that holds a file, or None."""
    return max((folder for folder in folders if within(path, folder)), key=len, default=None)


def forbidden(arrows, folders):
    """Includes that the list does not allow."""
    return [
        f"{file} includes {target}"
        for file, target in arrows
        if owner(file, folders) != owner(target, folders)
        and not any(within(target, allowed) for allowed in folders[owner(file, folders)])
    ]


def library_files():
    return [file for file in sources() if not file.startswith(tuple(f"{top}/" for top in FREE))]


FOLDERS = layout((Path(__file__).parent / "includes.txt").read_text())


def test_every_source_lies_in_a_folder_of_the_table():
    assert [file for file in library_files() if owner(file, FOLDERS) is None] == []


def test_folders_include_only_folders_above_them_in_the_table():
    names = list(FOLDERS)
    assert names[0] == "include"
    for place, (folder, allowed) in enumerate(FOLDERS.items()):
        below = [name for name in allowed if any(within(f"{other}/", name) for other in names[place + 1 :])]
        assert below == [], folder


def test_includes_follow_the_table():
    assert forbidden(includes(library_files()), FOLDERS) == []


def test_an_include_that_the_table_does_not_allow_is_found():
    arrows = [
        ("kernels/gsvd/host/solver.hpp", "kernels/gsvd/device/solver_plan.hpp"),
        ("variants/variant.cpp", "kernels/numerics/x.hpp"),
    ]
    assert len(forbidden(arrows, FOLDERS)) == len(arrows)


def test_cuda_sources_include_no_headers_of_host_libraries():
    files = sources()
    arrows = {}
    for file, target in includes(files):
        arrows.setdefault(file, []).append(target)
    for source in (file for file in files if file.endswith(".cu")):
        reached, left = set(), [source]
        while left:
            file = left.pop()
            if file not in reached:
                reached.add(file)
                left += arrows.get(file, [])
        names = {name for file in reached for name in INCLUDE.findall((ROOT / file).read_text())}
        assert sorted(filter(HOST_LIBRARIES.match, names)) == [], source


def test_experiments_contain_no_cuda():
    assert [file for file in sources() if file.startswith("experiments/") and file.endswith(".cu")] == []


def test_only_their_folders_know_methods_by_name():
    names = "|".join(
        method["name"] for method in json.loads((ROOT / "experiments/methods.json").read_text())["methods"]
    )
    name = re.compile(rf"\b(?:{names})(?:\b|_)", re.IGNORECASE)
    generic = [file for file in sources() if re.match(r"experiments/(engine|common|commands|tables|cli|mpi)/", file)]
    assert len(generic) > 50
    assert [file for file in generic if name.search((ROOT / file).read_text())] == []


def test_sources_name_the_licence():
    files = [
        file for file in sources() if "SPDX-License-Identifier: BSD-3-Clause" not in (ROOT / file).read_text()[:200]
    ]
    assert files == []
