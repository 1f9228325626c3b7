#pragma once
// Ring buffers that double when full, so that a run allocates only until its windows have reached their size.

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace paceline {

// First in, first out.
template <typename T>
class Ring {
 public:
  explicit Ring(std::size_t capacity = 64) : slots_(std::bit_ceil(capacity)), mask_{slots_.size() - 1} {}

  [[nodiscard]] bool empty() const { return head_ == tail_; }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(tail_ - head_); }
  [[nodiscard]] T& front() {
    assert(!empty());
    return slots_[head_ & mask_];
  }
  [[nodiscard]] const T& front() const {
    assert(!empty());
    return slots_[head_ & mask_];
  }
  // The i-th from the front.
  [[nodiscard]] T& at(std::size_t i) { return slots_[(head_ + i) & mask_]; }
  [[nodiscard]] const T& at(std::size_t i) const { return slots_[(head_ + i) & mask_]; }

  // The new last element, to be filled in place.
  [[gnu::always_inline]] T& push() {
    if (size() > mask_) [[unlikely]]
      grow();
    return slots_[tail_++ & mask_];
  }
  void push(const T& value) { push() = value; }
  void pop() {
    assert(!empty());
    ++head_;
  }
  void clear() { head_ = tail_; }

 private:
  [[gnu::noinline]] void grow() {
    std::vector<T> larger(slots_.size() * 2);
    const std::size_t larger_mask = larger.size() - 1;
    for (uint64_t i = head_; i != tail_; ++i) larger[i & larger_mask] = std::move(slots_[i & mask_]);
    slots_ = std::move(larger);
    mask_ = larger_mask;
  }

  std::vector<T> slots_;
  std::size_t mask_;
  uint64_t head_{};
  uint64_t tail_{};
};

// Slots for the integers of a moving window [first, end): sequence or transmission numbers.
template <typename T>
class WindowRing {
 public:
  explicit WindowRing(std::size_t capacity = 64) : slots_(std::bit_ceil(capacity)), mask_{slots_.size() - 1} {}

  [[nodiscard]] T& operator[](uint64_t i) { return slots_[i & mask_]; }
  [[nodiscard]] const T& operator[](uint64_t i) const { return slots_[i & mask_]; }

  // Makes room for the window [first, end); what is in it stays.
  void reserve(uint64_t first, uint64_t end) {
    if (end - first > mask_ + 1) [[unlikely]]
      grow(first, end);
  }

 private:
  [[gnu::noinline]] void grow(uint64_t first, uint64_t end) {
    std::vector<T> larger(std::bit_ceil(static_cast<std::size_t>(end - first)));
    const std::size_t larger_mask = larger.size() - 1;
    const uint64_t kept = slots_.size();
    for (uint64_t i = first; i != first + kept; ++i) larger[i & larger_mask] = std::move(slots_[i & mask_]);
    slots_ = std::move(larger);
    mask_ = larger_mask;
  }

  std::vector<T> slots_;
  std::size_t mask_;
};

}  // namespace paceline
