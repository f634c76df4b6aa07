// SPDX-License-Identifier: BSD-3-Clause
// Algorithms 2, 3 and 4: receives are posted before a step computes, sends follow the step, and the rank waits for
// both.
#include <pivotlab/mpi.hpp>

#include <mpi.h>
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

#include <algorithm>
#include <cstdio>
#include <new>

#include "support/text/terminal.hpp"

namespace pivotlab {
namespace {

constexpr std::size_t largest_message = std::size_t(1) << 30;  // counts are int, so larger pieces are sent in several
                                                               // messages
constexpr int stripe_tag = 1;                                  // messages between two ranks arrive in order

void check(int status, const char* call) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw std::runtime_error(std::string(call) + ": " + text);
}

bool is_cuda_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

/// Returns the size of the communicator or the rank in it.
int query(int (*function)(MPI_Comm, int*), MPI_Comm communicator, const char* call) {
  int answer = 0;
  check(function(communicator, &answer), call);
  return answer;
}

int rank_on_this_host() {
  MPI_Comm host = MPI_COMM_NULL;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
  const int rank = query(MPI_Comm_rank, host, "MPI_Comm_rank");
  check(MPI_Comm_free(&host), "MPI_Comm_free");
  return rank;
}

class MpiTransport final : public Transport {
 public:
  MpiTransport()
      : rank_(query(MPI_Comm_rank, MPI_COMM_WORLD, "MPI_Comm_rank")),
        size_(query(MPI_Comm_size, MPI_COMM_WORLD, "MPI_Comm_size")),
        rank_on_host_(rank_on_this_host()),
        cuda_aware_(is_cuda_aware()) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int rank_on_host() const override { return rank_on_host_; }
  bool reaches_devices() const override { return cuda_aware_; }

  void expect(int from, std::span<const Piece> incoming) override {
    for_messages(incoming, [&](void* data, int bytes) {
      check(MPI_Irecv(data, bytes, MPI_BYTE, from, stripe_tag, MPI_COMM_WORLD, &requests_.emplace_back()), "MPI_Irecv");
    });
  }

  void exchange(int to, std::span<const Piece> outgoing) override {
    for_messages(outgoing, [&](void* data, int bytes) {
      check(MPI_Isend(data, bytes, MPI_BYTE, to, stripe_tag, MPI_COMM_WORLD, &requests_.emplace_back()), "MPI_Isend");
    });
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    requests_.clear();
  }

  void all_gather(const void* mine, std::size_t bytes, void* all) override {
    // Gathers in parts that fit an int; the receive type has the distance between the bytes of two ranks as stride.
    for (std::size_t at = 0; at < bytes; at += largest_message) {
      const auto count = static_cast<int>(std::min(bytes - at, largest_message));
      MPI_Datatype part = MPI_DATATYPE_NULL, row = MPI_DATATYPE_NULL;
      check(MPI_Type_contiguous(count, MPI_BYTE, &part), "MPI_Type_contiguous");
      check(MPI_Type_create_resized(part, 0, static_cast<MPI_Aint>(bytes), &row), "MPI_Type_create_resized");
      check(MPI_Type_commit(&row), "MPI_Type_commit");
      check(MPI_Allgather(static_cast<const char*>(mine) + at, count, MPI_BYTE, static_cast<char*>(all) + at, 1, row,
                          MPI_COMM_WORLD),
            "MPI_Allgather");
      check(MPI_Type_free(&row), "MPI_Type_free");
      check(MPI_Type_free(&part), "MPI_Type_free");
    }
  }

 private:
  template <class Message>
  static void for_messages(std::span<const Piece> pieces, Message&& message) {
    for (const Piece& piece : pieces)
      for (std::size_t at = 0; at < piece.bytes; at += largest_message)
        message(static_cast<char*>(piece.data) + at, static_cast<int>(std::min(piece.bytes - at, largest_message)));
  }

  int rank_, size_, rank_on_host_;
  bool cuda_aware_;
  std::vector<MPI_Request> requests_;  // of the current exchange
};

/// Reports an error that was thrown on all ranks.
void report(const Transport& transport, const std::exception& error) {
  if (transport.rank() == 0) std::fprintf(stderr, "pivotlab: %s\n", on_terminal(error.what()).c_str());
}

/// Ends all processes. The rank may not be known yet.
[[noreturn]] void abort_all(const char* what) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "pivotlab: rank %d: %s\n", rank, on_terminal(what).c_str());
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

}  // namespace

int run_on_mpi(int& argc, char**& argv, const std::function<int(Transport&)>& work) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int code = 2;
  try {
    MpiTransport transport;
    try {
      code = work(transport);
    } catch (const SharedInputError& error) {
      report(transport, error);
    } catch (const SharedNotSupported& error) {
      report(transport, error);
    }
  } catch (const std::bad_alloc&) {
    abort_all("out of memory");
  } catch (const std::exception& error) {
    abort_all(error.what());
  }
  MPI_Finalize();
  return code;
}

}  // namespace pivotlab
