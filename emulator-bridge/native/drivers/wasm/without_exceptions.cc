// What the standard library and the rooms do at their wits' end: tell the host. The library's own ways would print, and bring along a
// printf, a demangler and a file descriptor to print to.

#include <cstdlib>
#include <cstring>
#include <new>

#include "drivers/wasm/host.hh"

namespace {

[[noreturn]] void tell(const char* text) { paceline_host_fail(text, std::strlen(text), 1); }

void* memory(std::size_t size) {
  if (void* const found = std::malloc(size)) return found;
  tell(paceline::kNoMemory);
}

}  // namespace

void* operator new(std::size_t size) { return memory(size); }
void* operator new[](std::size_t size) { return memory(size); }
void operator delete(void* pointer) noexcept { std::free(pointer); }
void operator delete[](void* pointer) noexcept { std::free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { std::free(pointer); }
void operator delete[](void* pointer, std::size_t) noexcept { std::free(pointer); }

extern "C" [[noreturn]] void __cxa_pure_virtual() { tell("a function was called that nobody has written"); }

_LIBCPP_BEGIN_NAMESPACE_STD
void __libcpp_verbose_abort(const char* format, ...) { tell(format); }
_LIBCPP_END_NAMESPACE_STD
