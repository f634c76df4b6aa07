#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/posix.hpp>
#include <kernels/files/regular_file.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace pivotlab::experiments {
namespace {

std::string position(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0
  return fmt::format("{}:{}", line, before.size() - line_start + 1);
}

/// nlohmann's "[json.exception.parse_error.101] parse error at line 3, column 5: <what>" without what we say ourselves.
std::string_view explanation(std::string_view what) {
  for (const std::string_view lead : {"] ", ": "})
    if (const std::size_t at = what.find(lead); at != std::string_view::npos) what.remove_prefix(at + lead.size());
  return what;
}

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  const FileDescriptor opened(open_regular(file));
  std::string text;
  if (!read_all(opened.get(), text))
    throw InputError(
        fmt::format("{}: cannot be read ({}); check the file system", file.string(), std::strerror(errno)));
  return text;
}

template <class Json>
Json parse_json(std::string_view text, std::string_view origin) {
  std::vector<std::set<std::string>> open_objects;
  const auto reject_repeated_keys = [&](int, typename Json::parse_event_t event, Json& parsed) {
    using Event = typename Json::parse_event_t;
    if (event == Event::object_start) open_objects.emplace_back();
    if (event == Event::object_end) open_objects.pop_back();
    if (event == Event::key && !open_objects.back().insert(parsed.template get<std::string>()).second)
      throw InputError(fmt::format("{}: key {} occurs twice in one object; keep one", origin, parsed.dump()));
    return true;
  };
  try {
    return Json::parse(text, reject_repeated_keys);
  } catch (const typename Json::parse_error& error) {
    throw InputError(fmt::format("{}:{}: {}; correct the JSON there", origin,
                                 position(text, error.byte > 0 ? error.byte - 1 : 0), explanation(error.what())));
  }
}

template nlohmann::json parse_json(std::string_view, std::string_view);
template nlohmann::ordered_json parse_json(std::string_view, std::string_view);

}  // namespace pivotlab::experiments
