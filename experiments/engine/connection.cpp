// SPDX-License-Identifier: BSD-3-Clause
#include <sys/mman.h>
#include <unistd.h>
#include <experiments/engine/connection.hpp>

#include <nlohmann/json.hpp>

namespace pivotlab::experiments {

Connection::Connection(int input, int output)
    : input_(input), output_(output), sending_(::memfd_create("sending", MFD_CLOEXEC)) {}

bool Connection::send(const char* what, const nlohmann::json& content) const {
  using nlohmann::json;
  const std::string line = json{{what, content}}.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  ::lockf(sending_.get(), F_LOCK, 0);
  const bool sent = write_all(output_, line);
  ::lockf(sending_.get(), F_ULOCK, 0);
  return sent;
}

bool Connection::receive(std::string& line) {
  char chunk[1 << 14];
  std::size_t end = 0, searched = 0;
  while ((end = received_.find('\n', searched)) == std::string::npos) {
    searched = received_.size();
    const ssize_t count = ::read(input_, chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 && received_.empty()) return false;
    received_.append(count > 0 ? std::string_view(chunk, static_cast<std::size_t>(count)) : "\n");
  }
  line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return true;
}

}  // namespace pivotlab::experiments
