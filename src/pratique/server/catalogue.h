// What the program can do, as plain data: the app makes it from its command line, so that every
// verb is a path of the API and nothing is said twice.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/core/json.h"

namespace pratique::server {

// flag: on or off. pairs: COLUMN=VALUE, may be repeated. file and folder are read, out is written,
// key is a file that holds a secret; all four are paths under the data folder. file_pairs: pairs
// whose value may be a file. Only the last five are confined: nothing else names a file.
enum class OptionKind { flag, text, number, list, pairs, file, folder, out, key, file_pairs };
[[nodiscard]] constexpr bool holds_path(OptionKind kind) { return kind >= OptionKind::file; }
[[nodiscard]] constexpr bool is_path(OptionKind kind) {
  return holds_path(kind) && kind != OptionKind::file_pairs;
}
[[nodiscard]] std::string_view name_of(OptionKind kind);

struct CommandOption {
  std::string name;  // without the dashes
  OptionKind kind = OptionKind::text;
  std::string type = {};   // finer than its kind: share, column, seed
  std::string group = {};  // the heading it is shown under
  std::string description = {};
  bool required = false;
  std::string fallback = {};   // the value that it has when it is not given; empty: none
  std::string otherwise = {};  // in words, what holds then, where no value says it
  bool repeat = false;         // may be given several times
  bool commas = false;         // a list is joined by commas, else the option is repeated
  std::vector<std::string> choices = {};
  std::vector<std::string> instead = {};  // words that may stand for a file
  // Of numbers.
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open = false;        // the ends are left out
  bool per_column = false;  // VALUE@COLUMN is for one column alone
};

struct CommandInput {
  std::string name;  // FILE, RELEASE
  OptionKind kind = OptionKind::file;
  std::string description = {};
  bool required = false;
  bool repeat = false;
};

// tables/protect, genomes/attack/family
[[nodiscard]] std::string path_of(const std::string& noun, const std::string& verb);

struct Command {
  std::string noun;  // empty: the verb stands alone
  std::string verb;
  std::string description;
  std::vector<CommandInput> inputs;
  std::vector<CommandOption> options;
  bool quick = false;  // answers in seconds, and need not wait for those that do not

  [[nodiscard]] const CommandOption* option(std::string_view name) const;
  [[nodiscard]] std::string path() const { return path_of(noun, verb); }
};

class Catalogue {
 public:
  explicit Catalogue(std::vector<Command> commands) : commands_(std::move(commands)) {}
  [[nodiscard]] const std::vector<Command>& commands() const { return commands_; }
  // By "tables/protect" or "verify"; null when there is none.
  [[nodiscard]] const Command* find(std::string_view path) const;

 private:
  std::vector<Command> commands_;
};

// [{noun, verb, description, inputs[], options[]}]
[[nodiscard]] Json to_json(const Catalogue& catalogue);

}  // namespace pratique::server
