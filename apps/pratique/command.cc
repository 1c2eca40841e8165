#include "command.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "pratique/core/parallel.h"
#include "progress_bar.h"
#include "render.h"

namespace pratique::app {

Session::Session() = default;
Session::~Session() = default;

CLI::App& Session::add_verb(CLI::App& noun, const std::string& name, const std::string& description,
                            std::function<int()> run) {
  CLI::App& verb = *noun.add_subcommand(name, description);
  verb.add_flag("--json", json_, "print one JSON object");
  verb.add_option("--threads", threads_, "threads to use (default: all cores)")
      ->check(whole_number(1, 1024));
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

CsvOptions Session::csv_options() const {
  CsvOptions options;
  if (delimiter_ == "tab") {
    options.delimiter = '\t';
  } else if (delimiter_.size() == 1) {
    options.delimiter = delimiter_.front();
  } else if (!delimiter_.empty()) {
    throw Error::input("--delimiter takes one character").hint("For a tab, write --delimiter tab.");
  }
  if (!encoding_.empty()) options.encoding = encoding_;
  return options;
}

Source Session::open(const std::string& path) {
  return engine().open(path, csv_options(), progress);
}

void Session::print(const Json& result, const Json& for_a_person) {
  bar_.reset();  // its line goes first
  const std::string text = json_ ? to_text(result) : render(for_a_person);
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw Error::machine("standard output takes no more");
  }
}

void Session::report_point(const Json& point) {
  if (!progress_is_json()) return;
  const std::string line =
      Json{{"point", point}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

void Session::print_error(const Error& error) noexcept {
  try {
    bar_.reset();
    std::string text = fmt::format("pratique: {}\n", error.message());
    if (!error.place().empty()) text += fmt::format("  where: {}\n", error.place());
    if (!error.hint().empty()) text += fmt::format("  hint:  {}\n", error.hint());
    (void)std::fputs(text.c_str(), stderr);
    const bool wants_json =
        std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
    if (wants_json) {
      (void)std::fputs(to_text({{"error",
                                 {{"exit", static_cast<int>(error.code())},
                                  {"message", error.message()},
                                  {"place", error.place()},
                                  {"hint", error.hint()}}}})
                           .c_str(),
                       stdout);
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is nowhere left to say it
  }
}

int Session::run() {
  if (!chosen_) return 0;
  const ThreadLimit limit(threads_);
  bar_ = std::make_unique<ProgressBar>(progress);
  const int code = chosen_();
  bar_.reset();
  return code;
}

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  return CLI::Validator(
      [low, high](std::string& text) -> std::string {
        std::uint64_t value = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool good = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() &&
                          low <= value && value <= high;
        return good ? "" : fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
      },
      "");
}

CLI::Validator share() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        double value = -1;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool good = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() &&
                          value >= 0 && value <= 1;  // which is false for nan
        return good ? "" : fmt::format("'{}' is not a share from 0 to 1", text);
      },
      "");
}

}  // namespace pratique::app
