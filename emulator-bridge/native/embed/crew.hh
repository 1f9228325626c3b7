#pragma once
// Threads that share out the same work many times a second: whoever has nothing to do takes the next piece.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace paceline {

class Crew {
 public:
  // `threads`: the caller's among them.
  explicit Crew(std::size_t threads);
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew();

  // `work` for each piece from 0 to `count` - 1, in any order; back when all is done. `work` throws nothing.
  void share(std::size_t count, const std::function<void(std::size_t)>& work);

 private:
  // A process that came of a fork has none of the threads.
  [[nodiscard]] bool is_there() const;
  void take();
  void wait_for_work();

  std::mutex one_at_a_time_{};
  std::mutex guard_{};
  std::condition_variable begun_{};
  std::condition_variable ended_{};
  const std::function<void(std::size_t)>* work_{};
  std::size_t count_{};
  std::atomic<std::size_t> next_{};
  std::size_t round_{};
  std::size_t busy_{};
  bool closed_{};
  std::vector<std::thread> threads_{};
  int process_{};
};

}  // namespace paceline
