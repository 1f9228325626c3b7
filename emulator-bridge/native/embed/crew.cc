#include "embed/crew.hh"

#include <unistd.h>

#include <utility>

namespace paceline {

Crew::Crew(std::size_t threads) : process_{::getpid()} {
  for (std::size_t i = 1; i < threads; ++i) threads_.emplace_back([this] { wait_for_work(); });
}

bool Crew::is_there() const { return ::getpid() == process_; }

Crew::~Crew() {
  if (!is_there()) {
    // Nobody can be waited for, and a thread that is not waited for ends the process.
    static_cast<void>(new std::vector<std::thread>{std::move(threads_)});
    return;
  }
  {
    const std::scoped_lock lock{guard_};
    closed_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Crew::take() {
  for (std::size_t i = next_++; i < count_; i = next_++) (*work_)(i);
}

void Crew::wait_for_work() {
  std::size_t done = 0;
  for (;;) {
    {
      std::unique_lock lock{guard_};
      begun_.wait(lock, [&] { return closed_ || round_ != done; });
      if (closed_) return;
      done = round_;
    }
    take();
    const std::scoped_lock lock{guard_};
    if (--busy_ == 0) ended_.notify_one();
  }
}

void Crew::share(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (!is_there()) {
    for (std::size_t i = 0; i < count; ++i) work(i);
    return;
  }
  const std::scoped_lock alone{one_at_a_time_};
  {
    const std::scoped_lock lock{guard_};
    work_ = &work;
    count_ = count;
    next_ = 0;
    busy_ = threads_.size();
    ++round_;
  }
  begun_.notify_all();
  take();
  std::unique_lock lock{guard_};
  ended_.wait(lock, [this] { return busy_ == 0; });
}

}  // namespace paceline
