# SPDX-License-Identifier: BSD-3-Clause
# Finds MPI unless it is switched off, and sets PIVOTLAB_HAVE_MPI.
set(PIVOTLAB_HAVE_MPI OFF)
if(NOT PIVOTLAB_MPI STREQUAL "OFF")
  set(MPI_CXX_SKIP_MPICXX ON) # the deprecated C++ bindings
  find_package(MPI QUIET COMPONENTS CXX)
  set(PIVOTLAB_HAVE_MPI ${MPI_CXX_FOUND})
  if(NOT PIVOTLAB_HAVE_MPI AND PIVOTLAB_MPI STREQUAL "ON")
    message(FATAL_ERROR "PIVOTLAB_MPI=ON, but no MPI was found; install one (libopenmpi-dev) or set MPI_HOME")
  elseif(NOT PIVOTLAB_HAVE_MPI)
    message(STATUS "No MPI: several GPUs only as threads of one process")
  endif()
endif()
