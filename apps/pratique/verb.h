// The command line, declared as data: nouns, their verbs, and what each option is. Parsing, checks,
// help, docs/cli.md, --config files, the API's catalogue, the workbench's forms and the parameters
// in a manifest all follow from these declarations; nothing else says what an option takes.
//
// A declaration binds each option to a field of the verb's request. What the field holds when it is
// declared is the option's default.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pratique/core/json.h"

namespace pratique::app {

// What a value is. The API confines what may name a file, which follows from the type alone.
enum class ValueType {
  flag,
  text,
  choice,
  column,
  columns,      // comma-separated
  column_spec,  // COLUMN=SPECIFICATION
  whole_number,
  number,  // with a decimal point where needed
  share,   // from 0 to 1
  size,    // of memory or of a file, such as 2GB
  seed,
  file_read,
  file_written,
  folder_read,
  folder_written,
  key_file,           // a secret
  file_or_word,       // one of a few words (Option::instead), or a file
  file_or_number,     // of a range, or a file
  column_hierarchy,   // COLUMN=SPEC, where SPEC may be a file
  release_hierarchy,  // N:COLUMN=SPEC: the same of one release
};
[[nodiscard]] std::string_view name_of(ValueType type);
// Whether its text is the path of something on disk, or may contain one.
[[nodiscard]] bool holds_path(ValueType type);

// Where a value goes. Vectors take several.
using Target =
    std::variant<bool*, int*, std::uint64_t*, double*, std::string*, std::optional<std::uint64_t>*,
                 std::optional<double>*, std::optional<std::string>*, std::vector<std::uint64_t>*,
                 std::vector<double>*, std::vector<std::string>*>;

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();
// Seeds that every reader of JSON keeps exactly.
inline constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 53U) - 1;

struct Option {
  std::string name;  // without dashes; in capitals (FILE) for an input, which is given by its place
  ValueType type = ValueType::text;
  Target target;
  std::string words;
  std::string group = {};
  bool required = false;
  bool commas = false;        // several values are separated by commas, else the option is repeated
  std::string fallback = {};  // the default as a user would type it; empty where there is none
  std::string otherwise = {};  // in words, what holds without it, where no value says it
  std::vector<std::string> choices = {};
  std::vector<std::string> instead = {};  // words that may stand for a file
  // Of numbers. An open range leaves its ends out.
  double low = -kNoLimit;
  double high = kNoLimit;
  bool open = false;
  bool per_column =
      false;           // VALUE@COLUMN says it of one column alone; whoever reads it checks that
  bool fresh = false;  // of a file that is written: it must not be there yet, whatever --force says
  bool once = false;   // takes one value, though its field holds several
  // Of a file that is written: texts near the beginning of what an earlier run wrote there.
  std::vector<std::string> signs = {};
  // Of a folder that is written: names in it, each with such a text of its own.
  std::vector<std::pair<std::string, std::string>> files = {};

  std::vector<std::string> needs = {};     // options without which it means nothing
  std::vector<std::string> excludes = {};  // options that it does not go with

  Option& require();
  Option& only_with(std::string other);
  Option& not_with(std::vector<std::string> others);
  Option& unless_given(std::string what);
  Option& by_default(std::string value);
  Option& separated_by_commas();
  Option& for_each_column();
  Option& only_once();
  Option& never_replaces();
  Option& replaces(std::vector<std::string> signs_of_earlier);
  Option& replaces_in_it(std::vector<std::pair<std::string, std::string>> signs_of_files);

  [[nodiscard]] bool is_input() const;
  [[nodiscard]] bool takes_several() const;
  // "--k", or "FILE" for an input.
  [[nodiscard]] std::string shown() const;
  // What stands for the value in help: N, FILE, COLUMN=SPEC; empty for a flag.
  [[nodiscard]] std::string placeholder() const;
  // "1 to 100"; empty where there is none.
  [[nodiscard]] std::string range() const;
  // Words, range, choices and default: all there is to say in one line.
  [[nodiscard]] std::string description() const;

  // Checks the texts and puts them into the field. Throws Error, naming the option.
  void set(const std::vector<std::string>& texts) const;
  // What the field holds now; null where it holds nothing.
  [[nodiscard]] Json value() const;
  // Puts back what value() gave. Throws Error where it is of another type.
  void restore(const Json& value) const;
};

class Verb {
 public:
  Verb(std::string noun, std::string name, std::string words, std::function<int()> run);

  std::string noun;  // empty: the verb stands alone
  std::string name;
  std::string words;
  std::function<int()> run;
  std::deque<Option> options;  // in the order of help; references stay valid

  // Options declared from now on are shown under this heading.
  void group(std::string heading) { group_ = std::move(heading); }

  Option& flag(std::string option, Target target, std::string meaning);
  Option& text(std::string option, Target target, std::string meaning);
  Option& choice(std::string option, Target target, std::vector<std::string> choices,
                 std::string meaning);
  Option& column(std::string option, Target target, std::string meaning);
  Option& columns(std::string option, Target target, std::string meaning);
  Option& column_spec(std::string option, Target target, std::string meaning);
  Option& whole_number(std::string option, Target target, std::uint64_t low, std::uint64_t high,
                       std::string meaning);
  Option& number(std::string option, Target target, double low, double high, std::string meaning);
  Option& positive_number(std::string option, Target target, std::string meaning);
  Option& share(std::string option, Target target, std::string meaning);
  Option& size(std::string option, Target target, std::string meaning);
  Option& seed(Target target, std::string meaning);
  Option& file_read(std::string option, Target target, std::string meaning);
  Option& file_written(std::string option, Target target, std::string meaning);
  Option& folder_read(std::string option, Target target, std::string meaning);
  Option& folder_written(std::string option, Target target, std::string meaning);
  Option& key_file(std::string option, Target target, std::string meaning);
  Option& file_or_word(std::string option, Target target, std::vector<std::string> instead,
                       std::string meaning);
  Option& file_or_number(std::string option, Target target, double low, double high,
                         std::string meaning);
  Option& column_hierarchy(std::string option, Target target, std::string meaning);
  Option& release_hierarchy(std::string option, Target target, std::string meaning);

  [[nodiscard]] const Option* find(std::string_view option) const;
  // Takes a declared option away again: of verbs that share a declaration and lack one of it.
  void remove(std::string_view option);
  // "tables protect"
  [[nodiscard]] std::string path() const;
  // Every option that was declared for this verb by its name, with the value it has now.
  [[nodiscard]] Json parameters() const;
  // Puts recorded parameters back; a name that is no option here is an Error.
  void restore(const Json& parameters) const;

  // Whether it writes a release with its manifest to --out, and nothing else of its own: such a run
  // may be repeated by what a manifest says, which anybody may have written.
  bool makes_release = false;
  // Whether it answers in seconds: the workbench runs it beside jobs that take long.
  bool quick = false;
  // Whether the API leaves it out: it runs until somebody stops it, or prints no result.
  bool not_a_job = false;
  // Whether its --config file also holds roles, hierarchies and models (data/schema.h).
  bool reads_schema = false;

 private:
  Option& add(Option option);
  std::string group_;
};

struct Noun {
  std::string name;
  std::string words;
};

class CommandLine {
 public:
  std::vector<Noun> nouns;
  std::deque<Verb> verbs;

  Verb& add(std::string noun, std::string name, std::string words, std::function<int()> run);
  [[nodiscard]] const Verb* find(std::string_view noun, std::string_view name) const;
};

}  // namespace pratique::app
