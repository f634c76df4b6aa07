# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Pivotlab(CMakePackage, CudaPackage):
    """Pivoting algorithms of dense linear algebra: GSVD, symmetric indefinite factorization, eigendecomposition, and
    experiments that judge them in extended precision."""

    license("BSD-3-Clause")

    version("0.3.0")  # of a checkout: spack dev-build pivotlab@0.3.0

    variant("mpi", default=True, description="Ranks as MPI processes")
    variant("cuda", default=False, description="Kernels for GPUs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("cli11@2.3:", type="build")
    depends_on("nlohmann-json@3.11:")
    depends_on("boost@1.74:")
    depends_on("eigen@3.4:3")
    depends_on("fmt@9:")
    depends_on("hdf5@1.10:~mpi")
    depends_on("openblas threads=openmp")
    depends_on("xxhash")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    conflicts("%gcc@:11", msg="needs C++20 as GCC 12 has it")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("PIVOTLAB_CUDA", "cuda"),
            self.define_from_variant("PIVOTLAB_MPI", "mpi"),
            self.define("PIVOTLAB_PYTHON", "OFF"),
            self.define("PIVOTLAB_BUILD_TESTS", False),
            self.define("PIVOTLAB_BUILD_BENCHMARKS", False),
        ]
        architectures = self.spec.variants["cuda_arch"].value if self.spec.satisfies("+cuda") else ("none",)
        if "none" not in architectures:
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
        return args
