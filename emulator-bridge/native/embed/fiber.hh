#pragma once
// A function that can be left in the middle and gone on with: the run inside an episode, which stops wherever a decision is wanted.

#include <ucontext.h>

#include <exception>
#include <functional>
#include <memory>

namespace paceline {

class Fiber {
 public:
  // `body` begins at the first resume(). It leaves with pause(), by which it is resumed later on.
  explicit Fiber(std::function<void()> body);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  // Until the body pauses or ends. What it throws is thrown here.
  void resume();
  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] bool over() const { return over_; }

  // Within the body only. Does not come back where the fiber is destroyed instead: what lies on its stack is unwound.
  void pause();

 private:
  struct Stack;
  struct Abandoned {};
  static void enter(unsigned high, unsigned low);
  void run();
  void switch_in();

  std::function<void()> body_;
  std::unique_ptr<Stack> stack_;
  ucontext_t inside_{};
  ucontext_t outside_{};
  std::exception_ptr thrown_{};
  bool begun_{};
  bool over_{};
  bool abandoned_{};
};

}  // namespace paceline
