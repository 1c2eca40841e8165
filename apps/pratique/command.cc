#include "command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "let_go.h"
#include "pratique/core/parallel.h"
#include "pratique/core/terminal_text.h"
#include "pratique/data/uncovered.h"
#include "pratique/release/kinds.h"
#include "pratique/release/release_ledger.h"
#include "progress_bar.h"
#include "render.h"
#include "replaceable.h"
#include "terminal.h"

namespace pratique::app {
namespace {

// A sentence behind its label, in as many lines as the terminal needs.
void add_in_lines(Terminal& terminal, const std::string& label, Style style,
                  const std::string& sentence) {
  terminal.add(label, style);
  bool first = true;
  const std::size_t room = std::max<std::size_t>(terminal.width(), 2 * label.size()) - label.size();
  for (const auto& line : wrapped(in_one_line(sentence), room)) {
    if (!first) terminal.add(std::string(label.size(), ' '));
    terminal.add(line).add("\n");
    first = false;
  }
}

// What the figures of the verb's kind of data are called.
std::span<const Figure> figures_of(const Verb* verb) {
  if (verb != nullptr && verb->noun == "ledger") return release::ledger_figures();
  for (const auto& kind : release::kinds()) {
    if (verb != nullptr && kind.noun == verb->noun) return kind.figures;
  }
  return {};
}

}  // namespace

Session::Session() : common("", "", "", {}) {
  common.group("General");
  common.flag("json", &json_, "print one JSON object");
  common.whole_number("threads", &threads_, 1, 1024, "threads to use").unless_given("all cores");
  common.size("memory", &memory_, "memory to use, such as 2GB")
      .unless_given("what the machine has");
  common.text("delimiter", &delimiter_, "of CSV input: a character or 'tab'")
      .unless_given("detected");
  common.choice("encoding", &encoding_, {"utf-8", "latin-1"}, "of CSV input")
      .unless_given("detected");
  common.flag("show-values", &show_values_,
              "let an error name values of the data; without it, it counts them");
}
Session::~Session() = default;

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
  if (silent) return;
  bar_.reset();  // its line goes first
  Terminal terminal(stdout);
  if (json_) {
    terminal.add(to_text(said_first(*let_go_, result)));
  } else {
    render(said_first(*let_go_, for_a_person), with_words_for_it(figures_of(chosen_)), terminal);
  }
  if (!terminal.flush()) throw Error::machine("cannot write to standard output");
}

void Session::report_point(const Json& point) {
  if (!progress_is_json()) return;
  const std::string line =
      Json{{"point", point}}.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  (void)print_text(stderr, line);
}

void Session::print_error(const Error& error) noexcept {
  try {
    bar_.reset();
    Terminal terminal(stderr);
    // A message that lists things has each in an indented line of its own. Any other line end came
    // with a name, and begins no line that could pass for ours.
    constexpr std::string_view kItem = "\n    ";
    const std::string message = error.message();
    std::string_view rest = message;
    const auto take_line = [&] {
      const auto end = std::min(rest.find(kItem), rest.size());
      std::string line(rest.substr(0, end));
      rest.remove_prefix(std::min(end + kItem.size(), rest.size()));
      return line;
    };
    add_in_lines(terminal, "pratique: ", Style::failure, take_line());
    while (!rest.empty()) add_in_lines(terminal, "    ", Style::plain, take_line());
    if (!error.place().empty()) {
      terminal.add("  where: ").add(in_one_line(error.place())).add("\n");
    }
    const auto* uncovered = dynamic_cast<const UncoveredValues*>(&error);
    std::string hint = error.hint();
    if (uncovered != nullptr && !show_values_)
      hint += fmt::format("{}--show-values names them.", hint.empty() ? "" : " ");
    if (!hint.empty()) {
      // Words to paste stand in a line of their own, which nothing breaks.
      rest = hint;
      add_in_lines(terminal, "  hint:  ", Style::plain, take_line());
      while (!rest.empty()) terminal.add("    ").add(in_one_line(take_line())).add("\n");
    }
    if (uncovered != nullptr && show_values_) {
      std::string_view values = uncovered->values();
      while (!values.empty()) {
        const auto end = std::min(values.find('\n'), values.size());
        add_in_lines(terminal, "    ", Style::plain, std::string(values.substr(0, end)));
        values.remove_prefix(std::min(end + 1, values.size()));
      }
    }
    (void)terminal.flush();
    const bool wants_json =
        std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
    if (wants_json) {
      (void)print_text(stdout, to_text({{"error",
                                         {{"exit", static_cast<int>(error.code())},
                                          {"message", error.message()},
                                          {"place", error.place()},
                                          {"hint", hint},
                                          {"facts", *error_facts}}}}));
    }
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is nowhere left to say it
  }
}

void Session::declare_private_written(Verb& verb) {
  verb.folder_written("private", &private_folder,
                      "for the private manifest: what was read, and the figures about it, which "
                      "must not leave with the release")
      .unless_given(".pratique/private beside the input");
}

void Session::declare_private_read(Verb& verb) {
  verb.folder_read("private", &private_folder, "where the release's private manifest is")
      .unless_given("where protect puts it");
}

std::function<int()> Session::flow(std::function<Outcome(const Run&)> of) {
  return [this, of = std::move(of)] {
    const Outcome outcome = of({.engine = engine(),
                                .progress = progress,
                                .csv = csv_options(),
                                .command = arguments,
                                .options = parameters(),
                                .config = config,
                                .private_folder = private_folder,
                                .part = report_point});
    print(*outcome.result, *outcome.for_a_person);
    return outcome.passed ? 0 : 1;
  };
}

int Session::run(const Verb& verb) {
  chosen_ = &verb;
  let_go_ = what_was_let_go(verb);  // before anything is printed, and in the folder where it began
  require_replaceable(verb, force);
  const ThreadLimit limit(threads_);
  bar_ = std::make_unique<ProgressBar>(progress);
  const int code = verb.run();
  bar_.reset();
  return code;
}

Json Session::parameters() const {
  Json all = chosen_ == nullptr ? Json::object() : chosen_->parameters();
  for (const char* name : {"force", "private"}) all.erase(name);  // say nothing of what was made
  for (const char* name : {"delimiter", "encoding"}) all[name] = common.find(name)->value();
  return all;
}

}  // namespace pratique::app
