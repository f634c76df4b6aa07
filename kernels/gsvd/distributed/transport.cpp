#include <pivotlab/device.hpp>
#include <pivotlab/transport.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

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
  std::optional<std::string> mine;
  try {
    work();
  } catch (const InputError& error) {
    mine = error.what();
  }
  // A text of a failing rank is not empty: it begins with a mark.
  for (const std::string& text : gather_texts(transport, mine ? "!" + *mine : ""))
    if (!text.empty()) throw SharedInputError(text.substr(1));
}

int device_of(const Transport& transport) {
  return transport.rank_on_host() % static_cast<int>(list_devices().size());
}

}  // namespace pivotlab
