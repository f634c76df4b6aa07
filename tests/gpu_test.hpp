// SPDX-License-Identifier: BSD-3-Clause
// The fixture of tests that need a GPU: without one they are skipped by name.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&devices);
    if (status != cudaSuccess || devices == 0)
      GTEST_SKIP() << "no CUDA device: " << cudaGetErrorString(status) << " (code " << status << ")";
  }
};
