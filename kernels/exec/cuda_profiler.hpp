// SPDX-License-Identifier: BSD-3-Clause
// A CudaExecutor that times every kernel separately. Recordings are replayed as single launches, so the sum is larger
// than the time of a graph. Compiled by nvcc only.
#pragma once

#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"

#include <functional>
#include <map>
#include <string>
#include <typeinfo>
#include <vector>

namespace pivotlab {

struct KernelTime {
  int launches = 0;
  double seconds = 0;
};

class CudaProfiler : public CudaExecutor {
 public:
  using Recording = std::vector<std::function<void()>>;
  using Times = std::map<std::string, KernelTime>;

  explicit CudaProfiler(Times& times) : stopwatch_(*this), times_(&times) {}
  ~CudaProfiler() { collect(); }

  template <class Body>
  void launch(int blocks, int shared_bytes, const typename Body::Arguments& arguments) {
    submit([=, this] {
      const auto start = stopwatch_.mark();
      CudaExecutor::launch<Body>(blocks, shared_bytes, arguments);
      marks_.push_back({typeid(Body).name(), start, stopwatch_.mark()});
    });
  }
  template <class T>
  void fill_zero(T* to, std::size_t count) {
    submit([=, this] { CudaExecutor::fill_zero(to, count); });
  }

  template <class Work>
  Recording record(Work&& work) {
    Recording recording;
    recording_ = &recording;
    work();
    recording_ = nullptr;
    return recording;
  }
  void replay(const Recording& recording) {
    for (const auto& step : recording) step();
    collect();
  }

 private:
  struct Marks {
    const char* kernel;
    Stopwatch<CudaExecutor>::Mark start, end;
  };

  void submit(std::function<void()> step) {
    if (recording_)
      recording_->push_back(std::move(step));
    else
      step();
  }

  void collect() {
    for (const Marks& m : marks_) {
      KernelTime& time = (*times_)[m.kernel];
      ++time.launches;
      time.seconds += stopwatch_.seconds(m.start, m.end);
    }
    marks_.clear();
  }

  Stopwatch<CudaExecutor> stopwatch_;
  Times* times_;
  std::vector<Marks> marks_;
  Recording* recording_ = nullptr;
};

}  // namespace pivotlab
