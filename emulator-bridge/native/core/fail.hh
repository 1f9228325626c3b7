#pragma once
// The one way out when something is wrong: an exception, or, where there are none (WebAssembly), a word to the host, who gives the
// whole engine up and never comes back. So nothing in these rooms catches anything.

#include <exception>
#include <utility>

namespace paceline {

#ifdef __cpp_exceptions

template <typename Error>
[[noreturn]] void fail(Error error) {
  throw std::move(error);
}

#else

// Whoever compiles the rooms without exceptions defines it. `exit_code`: what a program would end with.
[[noreturn]] void give_up(const std::exception& error, int exit_code);

template <typename Error>
[[noreturn]] void fail(const Error& error) {
  if constexpr (requires { error.exit_code(); })
    give_up(error, error.exit_code());
  else
    give_up(error, 1);
}

#endif

}  // namespace paceline
