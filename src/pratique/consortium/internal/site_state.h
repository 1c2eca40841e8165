// What a site holds while a session runs, and how batches of points go from hop to hop.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>

#include "pratique/consortium/internal/meeting.h"
#include "pratique/consortium/site.h"

namespace pratique::consortium {

struct PointBatch {
  List list = List::samples;
  std::uint64_t number = 0;
  std::vector<Point> points;
};

// Few at a time, so that memory does not grow with the lists.
class PointQueue {
 public:
  // False when the session was stopped.
  bool push(PointBatch batch, const std::atomic<bool>& stop) {
    std::unique_lock lock(mutex_);
    while (batches_.size() >= 4)
      if (changed_.wait_for(lock, std::chrono::milliseconds(20)), stop) return false;
    batches_.push_back(std::move(batch));
    changed_.notify_all();
    return true;
  }
  std::optional<PointBatch> pop(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, patience, [&] { return !batches_.empty(); })) return std::nullopt;
    PointBatch batch = std::move(batches_.front());
    batches_.pop_front();
    changed_.notify_all();
    return batch;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<PointBatch> batches_;
};

[[nodiscard]] inline std::string batch_payload(const PointBatch& batch) {
  return ByteWriter()
      .number(static_cast<std::uint8_t>(batch.list), 1)
      .number(batch.number, 4)
      .points(batch.points)
      .take();
}

[[nodiscard]] inline Sha256Digest digest_of(const std::string& text) {
  return sha256(std::as_bytes(std::span(text)));
}

struct Site::State : Attendance {
  using Attendance::Attendance;
  std::unique_ptr<net::Listener> listener;
  Scalar key = Scalar::random();
  Scalar blind = Scalar::random();
  std::vector<std::string> others;                           // in the order of hops
  std::vector<std::unique_ptr<Channel>> outgoing;            // to them
  std::deque<PointQueue> queues;                             // before each hop, and after the last
  std::vector<std::vector<std::uint32_t>> order = {{}, {}};  // by list: places, as they are sent
  std::size_t batches = 0;
  std::mutex mutex;
  std::exception_ptr first;
  std::atomic<bool> committed{false};
  std::string commit;                         // once committed
  std::vector<Point> records;                 // of stranon: the samples as they were hashed
  std::atomic<std::uint64_t> served_back{0};  // points of others' returns that it decrypted

  void take_commit(const std::string& payload) {
    const std::lock_guard lock(mutex);
    if (committed) return;
    commit = payload;
    committed = true;
  }

  void fail() {
    const std::lock_guard lock(mutex);
    if (!first) first = std::current_exception();
    stop = true;
  }
};

}  // namespace pratique::consortium
