#include "parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <list>
#include <map>
#include <set>

#include "config_file.h"
#include "pratique/core/error.h"
#include "pratique/core/jaro_winkler.h"
#include "pratique/core/version.h"

namespace pratique::app {
namespace {

// What the words gave one option of a verb.
struct Given {
  const Option* option;
  CLI::Option* parsed;
  std::vector<std::string> values = {};
  bool on = false;
};

struct Chosen {
  const CLI::App* app;
  std::string words;  // "pratique tables assess"
};

// The library takes [a,b] for a list of its own. A column may be called so: with a mark at its end
// a word is nothing but itself.
constexpr char kMark = '\x1f';

std::string marked(const std::string& word) {
  return word.ends_with(']') || word.ends_with(kMark) ? word + kMark : word;
}
std::string unmarked(std::string word) {
  if (word.ends_with(kMark)) word.pop_back();
  return word;
}

class Program {
 public:
  Program(const CommandLine& program, const Verb& common)
      : program_(program),
        common_(common),
        app_("Pratique: attack, protect, verify and release health data", "pratique") {
    app_.set_version_flag("--version", std::string("pratique ") + kVersion);
    app_.require_subcommand(0, 1);
    std::map<std::string, CLI::App*> nouns;
    // In the order of help: a verb that stands alone comes where it was declared.
    for (const auto& verb : program.verbs) {
      CLI::App* above = &app_;
      if (!verb.noun.empty()) {
        const auto noun = std::find_if(program.nouns.begin(), program.nouns.end(),
                                       [&](const Noun& known) { return known.name == verb.noun; });
        CLI::App*& place = nouns[verb.noun];
        if (place == nullptr) {
          place = app_.add_subcommand(noun->name, noun->words);
          place->require_subcommand(1);
        }
        above = place;
      }
      add(*above, verb, common);
    }
  }

  // A verb of two words stands below its first: genomes attack family.
  static CLI::App& place_of(CLI::App& above, std::string& name) {
    const auto blank = name.find(' ');
    if (blank == std::string::npos) return above;
    const std::string first = name.substr(0, blank);
    name.erase(0, blank + 1);
    for (CLI::App* known : above.get_subcommands({})) {
      if (known->get_name() == first) return *known;
    }
    CLI::App* below = above.add_subcommand(first, "one of several, each explained by --help");
    below->require_subcommand(1);
    return *below;
  }

  Parsed parse(const std::vector<std::string>& words) {
    try {
      // The library takes them from the end.
      std::vector<std::string> backwards;
      std::transform(words.rbegin(), words.rend(), std::back_inserter(backwards), marked);
      app_.parse(std::move(backwards));
    } catch (const CLI::ParseError& error) {
      // Help on a command that there is none of would mislead.
      if (error.get_exit_code() != 0 || !app_.remaining(true).empty()) throw usage_error(error);
      return {nullptr, error.get_name() == "CallForVersion"
                           ? std::string("pratique ") + kVersion + "\n"
                           : help_of(chosen())};
    }
    const auto taken = chosen();
    const auto place = verbs_.find(taken.app);
    if (place == verbs_.end()) return {nullptr, help()};
    for (auto& given : place->second.given) {
      for (auto& value : given.values) value = unmarked(std::move(value));
    }
    take(place->second, taken.words);
    return {place->second.verb, {}};
  }

  // With the words that lead to it, as they are typed.
  static std::string help_of(const Chosen& chosen) {
    const auto last = chosen.words.rfind(' ');
    return chosen.app->help(last == std::string::npos ? std::string()
                                                      : chosen.words.substr(0, last));
  }

  [[nodiscard]] std::string help() const {
    // app_.help() would be that of the chosen command.
    return app_.get_formatter()->make_help(&app_, app_.get_name(), CLI::AppFormatMode::Normal);
  }

 private:
  struct Declared {
    const Verb* verb = nullptr;
    std::list<Given> given = {};
  };

  void add(CLI::App& above, const Verb& verb, const Verb& common) {
    std::string name = verb.name;
    CLI::App& place = place_of(above, name);
    CLI::App* app = place.add_subcommand(name, verb.words);
    Declared& declared = verbs_[app];
    declared.verb = &verb;
    for (const auto* options : {&verb.options, &common.options}) {
      for (const auto& option : *options) {
        declared.given.push_back({&option, nullptr});
        add(*app, option, declared.given.back());
      }
    }
  }

  static void add(CLI::App& app, const Option& option, Given& given) {
    if (option.type == ValueType::flag) {
      given.parsed = app.add_flag(option.shown(), given.on, option.description());
    } else {
      given.parsed =
          option.takes_several()
              ? app.add_option(option.shown(), given.values, option.description())
              : app.add_option(option.shown(), given.values.emplace_back(), option.description());
      given.parsed->type_name(option.is_input() ? "" : option.placeholder());
      // A repeated option takes one word each time, so that an input may follow it.
      if (option.takes_several() && !option.commas && !option.is_input()) {
        given.parsed->allow_extra_args(false);
      }
      // A --config file may say what else is required.
      if (option.is_input() && option.required) given.parsed->required();
    }
    if (!option.group.empty()) given.parsed->group(option.group);
  }

  [[nodiscard]] Chosen chosen() const {
    Chosen taken{&app_, app_.get_name()};
    for (auto below = app_.get_subcommands(); !below.empty();
         below = taken.app->get_subcommands()) {
      taken.app = below.back();
      taken.words += " " + taken.app->get_name();
    }
    return taken;
  }

  void take(const Declared& declared, const std::string& words) const {
    const std::string help = words + " --help explains the options.";
    std::set<std::string> set;
    std::string config;
    for (const auto& given : declared.given) {
      if (given.parsed->count() == 0) continue;
      set.insert(given.option->name);
      try {
        given.option->set(given.option->type == ValueType::flag
                              ? std::vector<std::string>{"true"}
                              : in_parts(*given.option, given.values));
      } catch (const Error& error) {
        throw Error(error).hint(help);
      }
      if (given.option->name == "config") config = given.values.front();
    }
    if (!config.empty()) {
      const auto more = apply_config(program_, *declared.verb, common_, config, set);
      set.insert(more.begin(), more.end());
    }
    check_company(*declared.verb, set, help);
    for (const auto& option : declared.verb->options) {
      if (option.required && !set.contains(option.name)) {
        throw Error::input(option.shown() + " is required").hint(help);
      }
    }
  }

  static void check_company(const Verb& verb, const std::set<std::string>& set,
                            const std::string& help) {
    for (const auto& option : verb.options) {
      if (!set.contains(option.name)) continue;
      for (const auto& other : option.needs) {
        if (set.contains(other)) continue;
        throw Error::input(fmt::format("{} goes with --{}", option.shown(), other)).hint(help);
      }
      for (const auto& other : option.excludes) {
        if (!set.contains(other)) continue;
        throw Error::input(fmt::format("{} does not go with --{}", option.shown(), other))
            .hint(help);
      }
    }
  }

  [[nodiscard]] Error usage_error(const CLI::ParseError& error) const {
    const auto [command, words] = chosen();
    const std::string help = words + " --help explains ";
    const auto commands = commands_of(*command);
    const auto left = app_.remaining(true);
    if (!left.empty() && !left.front().empty()) {
      std::string word = unmarked(left.front());
      if (word.front() == '-') {
        word.resize(std::min(word.find('='), word.size()));
        return Error::input(fmt::format("{} has no option {}", words, word))
            .hint(nearest(word, options_of(*command)) + help + "the options.");
      }
      if (!commands.empty()) {
        return Error::input(fmt::format("{} has no command '{}'", words, word))
            .hint(nearest(word, commands) + help + "the commands.");
      }
      return Error::input(fmt::format("too many arguments for {}: '{}'", words, word))
          .hint("Quote a name that contains a space. " + help + "the options.");
    }
    if (!commands.empty() && error.get_name() == "RequiredError") {
      return Error::input(fmt::format("{} does one of: {}", words, fmt::join(commands, ", ")))
          .hint(help + "them.");
    }
    std::string said = error.what();
    std::erase(said, kMark);
    if (error.get_name() == "ArgumentMismatch" && said.ends_with(" missing")) {
      said = said.substr(0, said.find(':')) + " needs a value";
    } else if (error.get_name() == "ArgumentMismatch") {
      said = said.substr(0, said.find(':')) + " takes one value";
    }
    return Error::input(said).hint(help + "the options.");
  }

  static std::vector<std::string> commands_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const auto* below : command.get_subcommands({})) names.push_back(below->get_name());
    return names;
  }

  static std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const auto* option : command.get_options()) {
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
  }

  // "Did you mean --port? ", or nothing where no name is like it.
  static std::string nearest(const std::string& word, const std::vector<std::string>& names) {
    constexpr double kAlike = 0.8;
    double best = kAlike;
    const std::string* likely = nullptr;
    for (const auto& name : names) {
      const auto bare = [](std::string_view text) {
        return text.substr(std::min(text.find_first_not_of('-'), text.size()));
      };
      if (const double alike = jaro_winkler(bare(word), bare(name)); alike > best) {
        best = alike;
        likely = &name;
      }
    }
    return likely == nullptr ? "" : fmt::format("Did you mean {}? ", *likely);
  }

  const CommandLine& program_;
  const Verb& common_;
  CLI::App app_;
  std::map<const CLI::App*, Declared> verbs_;
};

}  // namespace

Parsed parse(const CommandLine& program, const Verb& common,
             const std::vector<std::string>& words) {
  return Program(program, common).parse(words);
}

std::string program_help(const CommandLine& program, const Verb& common) {
  return Program(program, common).help();
}

}  // namespace pratique::app
