// What every command shares: the common options, the engine, progress and how results are printed.
// One file per noun adds its verbs; each parses, calls the library and prints, and holds no
// algorithm.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"

namespace pratique::app {

class ProgressBar;

class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Progress progress;
  std::vector<std::string> arguments;  // as typed, without the program's name

  // Adds a verb with the options that all have. `run` returns the exit code.
  CLI::App& add_verb(CLI::App& noun, const std::string& name, const std::string& description,
                     std::function<int()> run);

  [[nodiscard]] Engine& engine();
  // What --delimiter and --encoding say.
  [[nodiscard]] CsvOptions csv_options() const;
  [[nodiscard]] Source open(const std::string& path);
  [[nodiscard]] std::size_t threads() const { return threads_; }

  // One JSON object, or the same as a short aligned table for a person.
  void print(const Json& result) { print(result, result); }
  // The same, where a person is shown less than a script.
  void print(const Json& result, const Json& for_a_person);
  // A part of the result that is known already, for a program that watches (see progress_bar.h).
  static void report_point(const Json& point);
  // Never throws: what cannot be said is not said.
  void print_error(const Error& error) noexcept;

  // The verb that was chosen.
  [[nodiscard]] int run();

 private:
  bool json_ = false;
  std::size_t threads_ = 0;
  std::uint64_t memory_ = 0;
  std::string delimiter_;
  std::string encoding_;
  std::function<int()> chosen_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<ProgressBar> bar_;
};

// For options: a whole number from `low` to `high`, or a share from 0 to 1, in plain digits.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);
[[nodiscard]] CLI::Validator share();
// Seeds that every reader of JSON keeps exactly.
inline constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 53U) - 1;

void add_generate(CLI::App& program, Session& session);
void add_tables(CLI::App& program, Session& session);
void add_tables_protect(CLI::App& noun, Session& session);
void add_tables_explore(CLI::App& noun, Session& session);
void add_tables_explain(CLI::App& noun, Session& session);
void add_tables_view(CLI::App& noun, Session& session);
void add_tables_reconstruct(CLI::App& noun, Session& session);
void add_trails(CLI::App& program, Session& session);
void add_trails_attack(CLI::App& noun, Session& session);
void add_trails_verify(CLI::App& noun, Session& session);
void add_trails_protect(CLI::App& noun, Session& session);
void add_trails_simulate(CLI::App& noun, Session& session);
void add_trails_resolve(CLI::App& noun, Session& session);
void add_codes(CLI::App& program, Session& session);
void add_verify(CLI::App& program, Session& session);
// It serves every command that was added before it.
void add_serve(CLI::App& program, Session& session);

}  // namespace pratique::app
