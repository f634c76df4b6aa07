#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <experiments/engine/order.hpp>
#include <experiments/engine/worker_host.hpp>
#include <experiments/engine/worker_process.hpp>

#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace pivotlab::experiments {
namespace {

constexpr int heartbeat_ms = 10'000;

/// Relays between the parent and the process that solves an order.
class Relay {
 public:
  Relay(WorkerProcess& process, int input, int output) : process_(process), input_(input), output_(output) {}

  /// Returns true after the process has ended, and false if the parent has closed the connection.
  bool run() {
    std::array<pollfd, 2> both{{{process_.socket(), POLLIN, 0}, {input_, POLLIN, 0}}};
    while (true) {
      both[0].events = static_cast<short>(process_.has_rest() ? POLLIN | POLLOUT : POLLIN);
      const int ready = ::poll(both.data(), both.size(), heartbeat_ms);
      if (ready < 0 && errno != EINTR) return false;
      // A heartbeat must not divide a line.
      if (ready == 0 && at_line_start_ && !write_all(output_, "{\"alive\":true}\n")) return false;
      if (ready <= 0) continue;
      if (both[1].revents != 0 && !relay_answer()) return false;
      if ((both[0].revents & POLLOUT) != 0) process_.send_rest();
      if ((both[0].revents & ~POLLOUT) == 0) continue;
      const ssize_t count = ::recv(process_.socket(), chunk_.data(), chunk_.size(), 0);
      if (count <= 0) return true;
      at_line_start_ = chunk_[static_cast<std::size_t>(count) - 1] == '\n';
      if (!write_all(output_, {chunk_.data(), static_cast<std::size_t>(count)})) return false;
    }
  }

 private:
  bool relay_answer() {
    const ssize_t count = ::read(input_, chunk_.data(), chunk_.size());
    if (count > 0) process_.send({chunk_.data(), static_cast<std::size_t>(count)});
    return count > 0;
  }

  WorkerProcess& process_;
  int input_, output_;
  std::array<char, 1 << 16> chunk_{};
  bool at_line_start_ = true;
};

}  // namespace

void serve(int input, int output, const MethodLookup& find) {
  if (!write_all(output, to_line(this_host(true)))) return;
  while (true) {
    const std::optional<std::string> line = read_line(input);
    if (!line) return;
    const ReadOrder read(*line, find);
    WorkerProcess process(read.order());
    if (!Relay(process, input, output).run()) return;
    const WorkerEnd end = process.wait();
    if (end.was_killed) throw std::runtime_error(end.how);
    const nlohmann::json ended = {{"ended", end.how}};
    if (!write_all(output, ended.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n')) return;
  }
}

}  // namespace pivotlab::experiments
