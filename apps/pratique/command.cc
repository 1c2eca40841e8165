#include "command.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "pratique/core/parallel.h"
#include "progress_bar.h"
#include "render.h"

namespace pratique::app {

CLI::App& Session::add_verb(CLI::App& noun, const std::string& name, const std::string& description,
                            std::function<int()> run) {
  CLI::App& verb = *noun.add_subcommand(name, description);
  verb.add_flag("--json", json_, "print one JSON object");
  verb.add_option("--threads", threads_, "threads to use (default: all cores)")
      ->check(CLI::Range(1, 1024));
  verb.add_option("--memory", memory_, "memory to use, such as 2GB (default: what the machine has)")
      ->transform(CLI::AsSizeValue(true));
  verb.add_option("--delimiter", delimiter_,
                  "of CSV input: a character or 'tab' (default: found out)");
  verb.add_option("--encoding", encoding_, "of CSV input: utf-8 or latin-1 (default: found out)");
  verb.callback([this, run = std::move(run)] { chosen_ = run; });
  return verb;
}

Engine& Session::engine() {
  if (!engine_) engine_ = Engine::duckdb({.memory_bytes = memory_, .threads = threads_});
  return *engine_;
}

Source Session::open(const std::string& path) {
  CsvOptions options;
  if (delimiter_ == "tab") {
    options.delimiter = '\t';
  } else if (delimiter_.size() == 1) {
    options.delimiter = delimiter_.front();
  } else if (!delimiter_.empty()) {
    throw Error::input("--delimiter takes one character").hint("For a tab, write --delimiter tab.");
  }
  if (!encoding_.empty()) options.encoding = encoding_;
  return engine().open(path, options, progress);
}

void Session::print(const Json& result) const {
  const std::string text = json_ ? to_text(result) : render(result);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error::machine("standard output takes no more");
  }
}

void Session::print_error(const Error& error) const {
  fmt::print(stderr, "pratique: {}\n", error.message());
  if (!error.place().empty()) fmt::print(stderr, "  where: {}\n", error.place());
  if (!error.hint().empty()) fmt::print(stderr, "  hint:  {}\n", error.hint());
  if (json_) {
    fmt::print("{}", to_text({{"error",
                               {{"exit", static_cast<int>(error.code())},
                                {"message", error.message()},
                                {"place", error.place()},
                                {"hint", error.hint()}}}}));
  }
}

int Session::run() {
  if (!chosen_) return 0;
  const ThreadLimit limit(threads_);
  const ProgressBar bar(progress);
  return chosen_();
}

}  // namespace pratique::app
