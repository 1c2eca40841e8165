// The jobs of a data folder: a queue, a few that run, and those that ended.
//
// Each job is a child process (child_process.h), run by one of `running` threads that live as long
// as this object. One more thread runs only what answers in seconds: nobody waits for hours to see
// the columns of a file. What happened to a job is kept in DATA/.pratique/jobs, readable by the
// owner only: ID.json, and ID.result.json for what the command printed. After a restart ended jobs
// are still there; those that had not ended are interrupted.
//
// The child's standard error carries lines {"progress": {...}} and {"point": {...}}.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "pratique/server/job.h"
#include "pratique/server/job_request.h"

namespace pratique::server {

struct JobLimits {
  std::size_t running = 1;
  std::size_t queued = 100;
  std::size_t kept = 1000;         // ended ones
  std::uint64_t memory_bytes = 0;  // of one job; 0: no limit
};

class Jobs {
 public:
  // Throws Problem when a job may not run any more: what held when it was asked for may not hold
  // when its turn comes.
  using Check = std::function<void(const Job& job)>;
  // `folder` is the data folder. Throws Error when another server uses it.
  Jobs(std::string program, std::string folder, const JobLimits& limits, Check check = {});
  ~Jobs();  // interrupts what runs, and waits for it
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Throws Problem 429 when the queue is full.
  Job submit(const JobRequest& request);
  [[nodiscard]] std::vector<Job> list() const;  // newest first, without points
  // The job as JSON, with its result. Throws Problem 404.
  [[nodiscard]] std::string describe(const std::string& id) const;
  // Cancels a job that has not ended, forgets one that has. Throws Problem 404.
  void cancel_or_forget(const std::string& id);

  // What a watcher has not seen yet. Waits for it, but not longer than `patience`.
  struct Cursor {
    std::size_t points = 0;
    std::uint64_t progress = 0;
    bool ended = false;
  };
  struct News {
    std::vector<std::string> points;
    std::string progress;     // empty: nothing new
    bool ended = false;       // nothing will follow
    bool broken_off = false;  // the server ends, the job is told to
  };
  [[nodiscard]] News watch(const std::string& id, Cursor& cursor,
                           std::chrono::milliseconds patience) const;

  // A child that answers at once and with at most 1 GB, for what is no job: the text it printed.
  // Throws Problem.
  [[nodiscard]] std::string ask(const std::vector<std::string>& arguments,
                                std::chrono::milliseconds patience) const;

  // Makes what runs end, and every watcher return.
  void stop();

 private:
  struct Entry {
    Job job;
    bool quick = false;
    std::uint64_t progress_version = 0;
    std::atomic<bool> cancelled = false;
  };
  using Entries = std::map<std::string, std::shared_ptr<Entry>>;

  void load();
  void work(bool quick_only);
  // The next in the queue for such a thread.
  [[nodiscard]] std::list<std::string>::iterator next_job(bool quick_only);
  void run(Entry& entry);
  void take_line(Entry& entry, std::string_view line, std::string& words);
  void save(const Job& job) const;
  void save_if_possible(const Job& job) const;  // a full disk must not end the server
  void forget_oldest();
  static void add_common_words(std::vector<std::string>& arguments, std::uint64_t memory);
  [[nodiscard]] std::string file_of(const std::string& id, const char* ending) const;
  [[nodiscard]] std::shared_ptr<Entry> find(const std::string& id) const;

  std::string program_;
  std::string folder_;
  std::string state_;  // folder_/.pratique
  JobLimits limits_;
  Check check_;
  int lock_ = -1;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  Entries entries_;
  std::list<std::string> queue_;
  std::uint64_t next_number_ = 1;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace pratique::server
