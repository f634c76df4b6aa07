// SPDX-License-Identifier: BSD-3-Clause
// Transport of stripes from GPU to GPU by NCCL, which is loaded on first use; another transport does everything else.
#include "kernels/exec/cuda_error.hpp"
#include "kernels/libraries/dynamic_library.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/transport.hpp>

#include <nccl.h>

#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>

namespace pivotlab {
namespace {

using cuda::check;

Symbol nccl_symbol(const char* name) {
  static const DynamicLibrary& library =
      permanent_library({"libnccl.so.2"},
                        "NCCL: there is no libnccl.so.2; install it or put its folder into LD_LIBRARY_PATH, or take "
                        "another transport");
  return library.require(name);
}

struct Nccl {
  decltype(ncclGetUniqueId)* get_unique_id = nccl_symbol("ncclGetUniqueId");
  decltype(ncclCommInitRankConfig)* init_rank = nccl_symbol("ncclCommInitRankConfig");
  decltype(ncclCommFinalize)* finalize = nccl_symbol("ncclCommFinalize");
  decltype(ncclCommDestroy)* destroy = nccl_symbol("ncclCommDestroy");
  decltype(ncclCommAbort)* abort = nccl_symbol("ncclCommAbort");
  decltype(ncclGetErrorString)* error_string = nccl_symbol("ncclGetErrorString");
  decltype(ncclCommGetAsyncError)* async_error = nccl_symbol("ncclCommGetAsyncError");
  decltype(ncclGroupStart)* group_start = nccl_symbol("ncclGroupStart");
  decltype(ncclGroupEnd)* group_end = nccl_symbol("ncclGroupEnd");
  decltype(ncclSend)* send = nccl_symbol("ncclSend");
  decltype(ncclRecv)* receive = nccl_symbol("ncclRecv");
};

const Nccl& nccl() {
  static const Nccl functions = [] {
    setenv("NCCL_NVLS_ENABLE", "0", 1);  // NVLink multicast does not help between two GPUs
    return Nccl();
  }();
  return functions;
}

void check(ncclResult_t status, const char* call) {
  if (status != ncclSuccess && status != ncclInProgress)
    throw std::runtime_error(fmt::format("{}: {}", call, nccl().error_string(status)));
}

class NcclTransport final : public Transport {
 public:
  explicit NcclTransport(Transport& control) : control_(control) {
    check(cudaSetDevice(device_of(control)), "cudaSetDevice");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    ncclUniqueId id{};
    if (rank() == 0) check(nccl().get_unique_id(&id), "ncclGetUniqueId");
    id = gather_values(control_, id)[0];
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;  // initialization waits for other ranks, which may have failed
    check(nccl().init_rank(&communicator_, size(), id, rank(), &config), "ncclCommInitRankConfig");
  }
  NcclTransport(const NcclTransport&) = delete;
  NcclTransport& operator=(const NcclTransport&) = delete;
  ~NcclTransport() override {
    if (communicator_ != nullptr) end();
    cudaStreamDestroy(stream_);
  }

  /// Waits until the other ranks have connected.
  void connect() {
    wait_until([] { return true; });
    busy_ = false;
  }

  int rank() const override { return control_.rank(); }
  int size() const override { return control_.size(); }
  int rank_on_host() const override { return control_.rank_on_host(); }
  bool reaches_devices() const override { return true; }

  /// NCCL receives by a kernel, which would occupy multiprocessors while it waits. Therefore receives start in
  /// exchange(), not here.
  void expect(int from, std::span<const Piece> incoming) override {
    from_ = from;
    incoming_.assign(incoming.begin(), incoming.end());
  }

  void exchange(int to, std::span<const Piece> outgoing) override {
    busy_ = true;  // stays set if the exchange fails: its kernels end only by an abort
    check(nccl().group_start(), "ncclGroupStart");
    for (const Piece& piece : outgoing)
      check(nccl().send(piece.data, piece.bytes, ncclUint8, to, communicator_, stream_), "ncclSend");
    for (const Piece& piece : incoming_)
      check(nccl().receive(piece.data, piece.bytes, ncclUint8, from_, communicator_, stream_), "ncclRecv");
    check(nccl().group_end(), "ncclGroupEnd");
    wait_until([this] { return is_idle(); });
    busy_ = false;
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override { control_.all_gather(mine, bytes, all); }
  void throw_if_ended() override { control_.throw_if_ended(); }

 private:
  /// Returns the state of NCCL's current operation; throws for an error.
  ncclResult_t state() const {
    ncclResult_t result = ncclSuccess;
    check(nccl().async_error(communicator_, &result), "ncclCommGetAsyncError");
    check(result, "NCCL");
    return result;
  }
  bool is_idle() const {
    const cudaError_t status = cudaStreamQuery(stream_);
    if (status != cudaErrorNotReady) check(status, "cudaStreamQuery");
    return status == cudaSuccess;
  }

  /// Waits for NCCL and then for done(), as long as no other rank has failed.
  template <class Done>
  void wait_until(const Done& done) {
    while (state() == ncclInProgress || !done()) {
      control_.throw_if_ended();
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  /// Waits for the other ranks only if nothing has failed.
  void end() noexcept {
    try {
      if (!busy_ && std::uncaught_exceptions() == exceptions_) {
        check(nccl().finalize(communicator_), "ncclCommFinalize");
        wait_until([] { return true; });
        check(nccl().destroy(communicator_), "ncclCommDestroy");
        return;
      }
    } catch (const std::exception&) {
      // another rank has failed in the meantime
    }
    nccl().abort(communicator_);
  }

  Transport& control_;
  cudaStream_t stream_ = nullptr;
  ncclComm_t communicator_ = nullptr;
  int from_ = 0;
  std::vector<Piece> incoming_;
  bool busy_ = true;  // until NCCL has finished its operation
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace

std::unique_ptr<Transport> over_nccl(Transport& control) {
  in_agreement(control, [&] {
    if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("NCCL: " + why);
    if (control.rank_on_host() >= static_cast<int>(list_devices().size()))
      throw NotSupported("NCCL: this host has more ranks than GPUs; start fewer or take another transport");
    nccl();
  });
  auto transport = std::make_unique<NcclTransport>(control);
  transport->connect();
  return transport;
}

}  // namespace pivotlab
