// SPDX-License-Identifier: BSD-3-Clause
// {fmt} as an object file, for programs that have to run on machines without it: Debian has the shared library only.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template FMT_API locale_ref::locale_ref(const std::locale&);
template FMT_API auto locale_ref::get<std::locale>() const -> std::locale;
template FMT_API thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template FMT_API char decimal_point_impl<char>(locale_ref);
}  // namespace detail
FMT_END_NAMESPACE
