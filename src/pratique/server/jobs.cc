#include "pratique/server/jobs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/file_bounds.h"
#include "pratique/core/version.h"
#include "pratique/crypto/random.h"
#include "pratique/net/problem.h"
#include "pratique/server/child_process.h"

namespace pratique::server {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostPoints = 10'000;
constexpr std::size_t kLongestProblem = 4096;
constexpr std::uint64_t kLargestResult = 256ULL << 20U;
constexpr std::size_t kLargestError = 1U << 20U;
constexpr std::uint64_t kMemoryToAnswer = 1ULL << 30U;

void make_private_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0700) == 0) return;
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) {
    throw Error::machine("cannot make the folder for the state of jobs")
        .at(path)
        .hint("You must be able to write to the data folder.");
  }
  // Whoever put something else there would see the token and the results, or have us write
  // elsewhere.
  if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid()) {
    throw Error::input(S_ISLNK(status.st_mode) ? "the folder for the state of jobs is a link"
                       : S_ISDIR(status.st_mode)
                           ? "the folder for the state of jobs belongs to somebody else"
                           : "the folder for the state of jobs is not a folder")
        .at(path)
        .hint("Remove it, or choose another data folder.");
  }
  chmod(path.c_str(), 0700);
}

std::string read_descriptor(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (off_t at = 0;;) {
    const ssize_t bytes_read = pread(descriptor, buffer.data(), buffer.size(), at);
    if (bytes_read <= 0 || text.size() > kLargestResult) return text;
    text.append(buffer.data(), static_cast<std::size_t>(bytes_read));
    at += bytes_read;
  }
}

// Whether a command printed a result, and no error. A large text cannot be an error, and no tree is
// made of it.
bool is_result(const std::string& printed) {
  if (printed.size() > kLargestError) return printed.starts_with('{') && Json::accept(printed);
  const Json said = Json::parse(printed, nullptr, false);
  return said.is_object() && !said.contains("error");
}

// What the program said when it failed, from its standard output or else its standard error.
std::string problem_of(const ChildEnd& end, const std::string& printed, const std::string& words,
                       std::uint64_t memory) {
  const Json said = Json::parse(printed, nullptr, false);
  if (said.is_object() && said.contains("error") && said.at("error").is_object()) {
    const Json& error = said.at("error");
    Error cause(static_cast<ErrorCode>(end.exit), error.value("message", ""));
    cause.at(error.value("place", "")).hint(error.value("hint", ""));
    Json problem = to_json(net::Problem(cause));
    if (const auto facts = error.find("facts"); facts != error.end() && !facts->empty())
      problem["facts"] = *facts;
    return problem.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  net::Problem problem(500, "the job ended without a result");
  if (end.killed) {
    problem = net::Problem(500, fmt::format("the job was killed by signal {}", end.exit - 128))
                  .hint(memory > 0 ? "It may have needed more memory than --job-memory allows."
                                   : "The machine may be out of memory.");
  } else if (!words.empty()) {
    problem = net::Problem(end.exit == 2 ? 422 : 500, words);
  }
  return to_json(problem).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// What was told last may be from a moment before the end.
std::string completed(const std::string& progress) {
  Json told = Json::parse(progress, nullptr, false);
  if (!told.is_object() || !told.contains("total") || !told.at("total").is_number()) {
    return progress;
  }
  told["done"] = told.at("total");
  told["seconds_left"] = 0;
  return told.dump();
}

}  // namespace

Jobs::Jobs(std::string program, std::string folder, const JobLimits& limits, Check check)
    : program_(std::move(program)),
      folder_(std::move(folder)),
      state_(folder_ + "/.pratique"),
      limits_(limits),
      check_(std::move(check)) {
  for (const char* name : {"", "/jobs", "/tmp"}) make_private_folder(state_ + name);
  lock_ = open((state_ + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock_ < 0 || flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    if (lock_ >= 0) close(lock_);
    throw Error::input("another pratique serve uses this data folder")
        .at(folder_)
        .hint("Use that one, or stop it first.");
  }
  // What a server that was killed left half done: nobody else works there.
  remove_left_over_files(folder_, state_ + "/tmp", LeftOver::of_all);
  std::error_code ignored;
  fs::remove_all(state_ + "/tmp", ignored);
  make_private_folder(state_ + "/tmp");
  load();
  for (std::size_t i = 0; i < std::max<std::size_t>(1, limits_.running); ++i) {
    workers_.emplace_back([this] { work(false); });
  }
  workers_.emplace_back([this] { work(true); });
}

Jobs::~Jobs() {
  stop();
  for (auto& worker : workers_) worker.join();
  close(lock_);
}

void Jobs::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
}

void Jobs::load() {
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(state_ + "/jobs", ignored)) {
    const std::string name = file.path().filename();
    if (!name.ends_with(".json") || name.ends_with(".result.json")) continue;
    try {
      auto entry = std::make_shared<Entry>();
      entry->job = job_from_json(read_json_file(file.path()));
      Job& job = entry->job;
      if (job.id + ".json" != name) continue;
      if (!has_ended(job.state)) {
        job.state = JobState::interrupted;
        job.ended = utc_now();
        save_if_possible(job);
      }
      next_number_ = std::max(next_number_, job.number + 1);
      entries_[job.id] = std::move(entry);
    } catch (const Error&) {
      continue;  // half a record of a machine that crashed; there is nothing to show
    }
  }
}

std::string Jobs::file_of(const std::string& id, const char* ending) const {
  return fmt::format("{}/jobs/{}{}", state_, id, ending);
}

void Jobs::save(const Job& job) const {
  AtomicFile file(file_of(job.id, ".json"));
  file.set_mode(0600);
  file.write(to_json(job).dump(-1, ' ', false, Json::error_handler_t::replace));
  file.commit();
}

void Jobs::save_if_possible(const Job& job) const {
  try {
    save(job);
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it is shown all the same
  }
}

std::shared_ptr<Jobs::Entry> Jobs::find(const std::string& id) const {
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) throw net::Problem(404, "there is no such job");
  return entry->second;
}

Job Jobs::submit(const JobRequest& request) {
  const std::lock_guard lock(mutex_);
  if (stopping_) throw net::Problem(503, "the server is shutting down");
  if (queue_.size() >= limits_.queued) {
    throw net::Problem(429, "too many jobs are waiting")
        .hint("Wait for some to end, or cancel them.");
  }
  auto entry = std::make_shared<Entry>();
  entry->quick = request.quick;
  Job& job = entry->job;
  job.id = fmt::format("{:016x}", secure_u64());
  job.number = next_number_++;
  job.noun = request.noun;
  job.verb = request.verb;
  job.command = request.command;
  job.arguments = request.arguments;
  job.request = request.request;
  job.version = kVersion;
  job.created = utc_now();
  save(job);
  entries_[job.id] = entry;
  queue_.push_back(job.id);
  forget_oldest();
  changed_.notify_all();
  return job;
}

void Jobs::forget_oldest() {
  while (entries_.size() > limits_.kept + limits_.queued + limits_.running) {
    const Job* oldest = nullptr;
    for (const auto& [id, entry] : entries_) {
      const Job& job = entry->job;
      if (has_ended(job.state) && (oldest == nullptr || job.number < oldest->number)) oldest = &job;
    }
    if (oldest == nullptr) return;
    const std::string id = oldest->id;
    unlink(file_of(id, ".json").c_str());
    unlink(file_of(id, ".result.json").c_str());
    entries_.erase(id);
  }
}

std::vector<Job> Jobs::list() const {
  std::vector<Job> jobs;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, entry] : entries_) {
      jobs.push_back(entry->job);
      jobs.back().points.clear();
    }
  }
  std::sort(jobs.begin(), jobs.end(),
            [](const Job& a, const Job& b) { return a.number > b.number; });
  return jobs;
}

std::string Jobs::describe(const std::string& id) const {
  Json json;
  bool printed = false;
  {
    const std::lock_guard lock(mutex_);
    const auto entry = find(id);
    json = to_json(entry->job);
    printed = entry->job.state == JobState::done;
  }
  json["result"] = nullptr;
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!printed) return text;
  // The result was checked to be JSON when it was kept: it is put in as it stands.
  text.erase(text.size() - std::string_view("null}").size());
  return text + read_file(file_of(id, ".result.json")) + "}";
}

void Jobs::cancel_or_forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto entry = find(id);
  Job& job = entry->job;
  if (has_ended(job.state)) {
    unlink(file_of(id, ".json").c_str());
    unlink(file_of(id, ".result.json").c_str());
    entries_.erase(id);
  } else {
    entry->cancelled = true;
    if (job.state == JobState::queued) {
      queue_.remove(id);
      job.state = JobState::cancelled;
      job.ended = utc_now();
      save_if_possible(job);
    }
  }
  changed_.notify_all();
}

Jobs::News Jobs::watch(const std::string& id, Cursor& cursor,
                       std::chrono::milliseconds patience) const {
  std::unique_lock lock(mutex_);
  const auto entry = find(id);
  News news;
  changed_.wait_for(lock, patience, [&] {
    const bool forgotten = !entries_.contains(id);
    news.ended = has_ended(entry->job.state) || forgotten;
    news.broken_off = stopping_ && !news.ended;
    return news.ended || news.broken_off || entry->job.points.size() > cursor.points ||
           entry->progress_version > cursor.progress;
  });
  for (; cursor.points < entry->job.points.size(); ++cursor.points) {
    news.points.push_back(entry->job.points[cursor.points]);
  }
  if (entry->progress_version > cursor.progress) {
    cursor.progress = entry->progress_version;
    news.progress = entry->job.progress;
  }
  cursor.ended = news.ended;
  return news;
}

std::list<std::string>::iterator Jobs::next_job(bool quick_only) {
  return std::find_if(queue_.begin(), queue_.end(),
                      [&](const std::string& id) { return !quick_only || entries_.at(id)->quick; });
}

void Jobs::work(bool quick_only) {
  while (true) {
    std::shared_ptr<Entry> entry;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return stopping_ || next_job(quick_only) != queue_.end(); });
      if (stopping_) return;
      const auto next = next_job(quick_only);
      entry = entries_.at(*next);
      queue_.erase(next);
      entry->job.state = JobState::running;
      entry->job.started = utc_now();
      save_if_possible(entry->job);
      changed_.notify_all();
    }
    run(*entry);
  }
}

void Jobs::run(Entry& entry) {
  const std::string kept = file_of(entry.job.id, ".result.json");
  std::string words;
  ChildEnd end;
  const int output = open(kept.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  std::string problem;
  std::string printed;
  try {
    if (output < 0) throw Error::machine("cannot write the state of jobs").at(kept);
    if (check_) check_(entry.job);
    ChildOptions options{program_, entry.job.arguments, folder_, state_ + "/tmp",
                         output,   limits_.memory_bytes};
    add_common_words(options.arguments, limits_.memory_bytes);
    end = run_child(
        options, [&](std::string_view line) { take_line(entry, line, words); },
        [&] { return entry.cancelled || stopping_; });
    printed = read_descriptor(output);
  } catch (const Error& error) {
    problem = to_json(net::Problem(error)).dump();
    end.exit = static_cast<int>(error.code());
  } catch (const net::Problem& refused) {
    problem = to_json(refused).dump();
    end.exit = static_cast<int>(ErrorCode::bad_input);
  } catch (const std::exception&) {
    problem = to_json(net::Problem(503, "the machine has no memory left")).dump();
    end.exit = static_cast<int>(ErrorCode::machine);
  }
  if (output >= 0) close(output);
  if (end.killed) remove_left_over_files(folder_, state_ + "/tmp", LeftOver::of_dead_processes);
  const bool result = is_result(printed);

  const std::lock_guard lock(mutex_);
  Job& job = entry.job;
  if (end.stopped && (end.exit > 1 || !result)) {
    job.state = entry.cancelled ? JobState::cancelled : JobState::interrupted;
  } else if (problem.empty() && result && (end.exit == 0 || end.exit == 1)) {
    job.state = JobState::done;
    job.exit = end.exit;
    job.progress = completed(job.progress);
    ++entry.progress_version;
  } else {
    job.state = JobState::failed;
    job.exit = end.exit;
    job.problem = problem.empty() ? problem_of(end, printed, words, limits_.memory_bytes) : problem;
  }
  if (job.state != JobState::done) unlink(kept.c_str());
  job.ended = utc_now();
  if (entries_.contains(job.id)) save_if_possible(job);
  changed_.notify_all();
}

void Jobs::take_line(Entry& entry, std::string_view line, std::string& words) {
  const Json said = line.starts_with("{\"p") ? Json::parse(line, nullptr, false) : Json();
  if (said.is_object() && (said.contains("progress") || said.contains("point"))) {
    const std::lock_guard lock(mutex_);
    if (said.contains("progress")) {
      entry.job.progress = said.at("progress").dump();
      ++entry.progress_version;
    } else if (entry.job.points.size() < kMostPoints) {
      entry.job.points.push_back(said.at("point").dump());
      // Hours of work may lie between two points, and a machine may fail.
      if (entries_.contains(entry.job.id)) save_if_possible(entry.job);
    }
    changed_.notify_all();
  } else if (words.size() + line.size() < kLongestProblem) {
    words += (words.empty() ? "" : "\n") + std::string(line);
  }
}

// A job that is asked to use less than its limit says so itself, better than one that hits it.
void Jobs::add_common_words(std::vector<std::string>& arguments, std::uint64_t memory) {
  const bool limited = std::any_of(arguments.begin(), arguments.end(), [](const std::string& word) {
    return word.starts_with("--memory");
  });
  if (memory > 0 && !limited) arguments.push_back(fmt::format("--memory={}", memory / 4 * 3));
  arguments.emplace_back("--json");
}

std::string Jobs::ask(const std::vector<std::string>& arguments,
                      std::chrono::milliseconds patience) const {
  const int output = memfd_create("pratique", MFD_CLOEXEC);
  if (output < 0) throw net::Problem(500, "the machine has no memory left");
  // Beside the jobs, which share the machine's memory between them: these take little of it.
  const std::uint64_t memory =
      limits_.memory_bytes > 0 ? std::min(limits_.memory_bytes, kMemoryToAnswer) : kMemoryToAnswer;
  ChildOptions options{program_, arguments, folder_, state_ + "/tmp", output, memory};
  add_common_words(options.arguments, memory);
  const auto until = std::chrono::steady_clock::now() + patience;
  std::string words;
  ChildEnd end;
  try {
    end = run_child(
        options,
        [&](std::string_view line) {
          if (!line.starts_with("{\"p") && words.size() < kLongestProblem) words += line;
        },
        [&] { return stopping_ || std::chrono::steady_clock::now() > until; });
  } catch (const Error& error) {
    close(output);
    throw net::Problem(error);
  }
  std::string printed = read_descriptor(output);
  close(output);
  if (end.stopped) {
    throw net::Problem(503, "this takes too long to answer at once").hint("Run it as a job.");
  }
  if (end.exit != 0) {
    const Json problem = Json::parse(problem_of(end, printed, words, memory));
    throw net::Problem(problem.value("status", 500), problem.value("detail", ""))
        .hint(problem.value("hint", ""));
  }
  return printed;
}

}  // namespace pratique::server
