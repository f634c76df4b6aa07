// SPDX-License-Identifier: BSD-3-Clause
#include "forwarding_transport.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/transport.hpp>

#include <algorithm>
#include <cstdint>

namespace pivotlab {

std::vector<std::string> gather_texts(Transport& transport, const std::string& mine) {
  const std::vector<std::uint64_t> sizes = gather_values<std::uint64_t>(transport, mine.size());
  const std::size_t longest = *std::ranges::max_element(sizes);
  std::string padded = mine, all(longest * sizes.size(), '\0');
  padded.resize(longest);
  transport.all_gather(padded.data(), longest, all.data());
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < sizes.size(); ++r) texts.push_back(all.substr(r * longest, sizes[r]));
  return texts;
}

void in_agreement(Transport& transport, const std::function<void()>& work) {
  constexpr char input_error = '!', not_supported = '?';  // first character of the text of a rank with an error
  std::string mine;
  try {
    work();
  } catch (const InputError& error) {
    mine = input_error + std::string(error.what());
  } catch (const NotSupported& error) {
    mine = not_supported + std::string(error.what());
  }
  for (const std::string& text : gather_texts(transport, mine)) {
    if (text.starts_with(input_error)) throw SharedInputError(text.substr(1));
    if (text.starts_with(not_supported)) throw SharedNotSupported(text.substr(1));
  }
}

int device_of(const Transport& transport) {
  return transport.rank_on_host() % static_cast<int>(list_devices().size());
}

std::unique_ptr<Transport> directly(Transport& control) {
  in_agreement(control, [&] {
    if (!control.reaches_devices())
      throw NotSupported(
          "these ranks' transport, such as an MPI that is not CUDA-aware, does not take a GPU's memory; "
          "send stripes through the host or by NCCL");
  });
  return std::make_unique<ForwardingTransport>(control);
}

std::unique_ptr<Transport> through_host(Transport& control) {
  class ThroughHost final : public ForwardingTransport {
   public:
    using ForwardingTransport::ForwardingTransport;
    bool reaches_devices() const override { return false; }
  };
  return std::make_unique<ThroughHost>(control);
}

}  // namespace pivotlab
