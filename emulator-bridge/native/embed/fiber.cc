#include "embed/fiber.hh"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

// GCC says it by a macro, clang by a feature.
#if defined(__has_feature)
#define PACELINE_HAS_FEATURE(name) __has_feature(name)
#else
#define PACELINE_HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || PACELINE_HAS_FEATURE(address_sanitizer)
#define PACELINE_WATCHED_ADDRESSES
#include <sanitizer/common_interface_defs.h>
#endif

namespace paceline {

// The address sanitizer must be told when another stack is worked on. (The thread sanitizer is, too, and of clang 14 crashes of it: no
// fiber runs under it.)
namespace {
#ifdef PACELINE_WATCHED_ADDRESSES
void leave_for(void** kept, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(kept, bottom, size);
}
void arrive_from(void* kept, const void** bottom, std::size_t* size) {
  __sanitizer_finish_switch_fiber(kept, bottom, size);
}
#else
void leave_for(void**, const void*, std::size_t) {}
void arrive_from(void*, const void**, std::size_t*) {}
#endif
}  // namespace

// Pages are only taken when they are used; below lies one that nobody may use.
struct Fiber::Stack {
  static constexpr std::size_t kBytes = std::size_t{256} << 10U;

  Stack() {
    memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc{};
    ::mprotect(memory, guard(), PROT_NONE);
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() { ::munmap(memory, kBytes); }

  static std::size_t guard() { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }
  [[nodiscard]] void* bottom() const { return static_cast<char*>(memory) + guard(); }
  [[nodiscard]] std::size_t size() const { return kBytes - guard(); }

  void* memory{};
  // Of whoever resumed it.
  const void* outer_bottom{};
  std::size_t outer_size{};
};

Fiber::Fiber(std::function<void()> body) : body_{std::move(body)}, stack_{std::make_unique<Stack>()} {
  ::getcontext(&inside_);
  inside_.uc_stack.ss_sp = stack_->bottom();
  inside_.uc_stack.ss_size = stack_->size();
  inside_.uc_link = nullptr;
  const auto here = reinterpret_cast<uintptr_t>(this);
  // makecontext() hands on nothing wider than an int.
  ::makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::enter), 2, static_cast<unsigned>(here >> 32U),
                static_cast<unsigned>(here));
}

Fiber::~Fiber() {
  if (!begun_ || over_) return;
  abandoned_ = true;
  switch_in();
}

void Fiber::enter(unsigned high, unsigned low) { reinterpret_cast<Fiber*>((uintptr_t{high} << 32U) | low)->run(); }

void Fiber::run() {
  arrive_from(nullptr, &stack_->outer_bottom, &stack_->outer_size);
  try {
    body_();
  } catch (const Abandoned&) {
  } catch (...) {
    thrown_ = std::current_exception();
  }
  over_ = true;
  leave_for(nullptr, stack_->outer_bottom, stack_->outer_size);
  // Not by returning: nothing on this stack may be told any more.
  ::setcontext(&outside_);
}

void Fiber::switch_in() {
  begun_ = true;
  void* kept = nullptr;
  leave_for(&kept, stack_->bottom(), stack_->size());
  ::swapcontext(&outside_, &inside_);
  arrive_from(kept, nullptr, nullptr);
}

void Fiber::resume() {
  if (over_) return;
  switch_in();
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Fiber::pause() {
  void* kept = nullptr;
  leave_for(&kept, stack_->outer_bottom, stack_->outer_size);
  ::swapcontext(&inside_, &outside_);
  arrive_from(kept, &stack_->outer_bottom, &stack_->outer_size);
  if (abandoned_) throw Abandoned{};
}

}  // namespace paceline
