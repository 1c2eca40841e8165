// What every command shares: the common options, the engine, progress and how results are printed.
// One file per noun (nouns.h) declares its verbs; each calls the library and prints, and holds no
// algorithm.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pratique/core/error.h"
#include "pratique/core/json.h"
#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/run.h"
#include "verb.h"

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

  bool silent = false;  // print nothing: somebody else tells what came of it
  std::string config;   // what --config names, where the verb declares none itself
  bool force = false;   // what is written may replace what this program did not write
  // Where --private says that private manifests are, of what is made and of what is read.
  std::string private_folder;
  // The options that every verb takes, declared like its own.
  Verb common;

  [[nodiscard]] Engine& engine();
  // What --delimiter and --encoding say.
  [[nodiscard]] CsvOptions csv_options() const;
  [[nodiscard]] Source open(const std::string& path);
  [[nodiscard]] std::size_t threads() const { return threads_; }
  // In bytes; 0: what the machine has.
  [[nodiscard]] std::uint64_t memory() const { return memory_; }

  // One JSON object, or the same as a short aligned table for a person.
  void print(const Json& result) { print(result, result); }
  // The same, where a person is shown less than a script.
  void print(const Json& result, const Json& for_a_person);
  // A part of the result that is known already, for a program that watches (see progress_bar.h).
  static void report_point(const Json& point);
  // What a program needs of the error that is thrown next, beside its words: {} where nothing.
  JsonValue error_facts = {};
  // Never throws: what cannot be said is not said.
  void print_error(const Error& error) noexcept;

  // --private, of a verb that makes a release, or reads one.
  void declare_private_written(Verb& verb);
  void declare_private_read(Verb& verb);

  // What runs a flow of the library and prints what came of it.
  [[nodiscard]] std::function<int()> flow(std::function<Outcome(const Run&)> of);

  [[nodiscard]] int run(const Verb& verb);
  // Of the verb that runs: every option with its resolved value, and how the input was read.
  [[nodiscard]] Json parameters() const;

 private:
  bool json_ = false;
  std::uint64_t threads_ = 0;
  std::uint64_t memory_ = 0;
  std::string delimiter_;
  std::string encoding_;
  bool show_values_ = false;
  const Verb* chosen_ = nullptr;
  JsonValue let_go_ = {};  // of what it reads (let_go.h)
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<ProgressBar> bar_;
};

}  // namespace pratique::app
