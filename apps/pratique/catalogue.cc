#include "catalogue.h"

namespace pratique::app {
namespace {

using server::OptionKind;

OptionKind kind_of(const Option& option) {
  switch (option.type) {
    case ValueType::flag:
      return OptionKind::flag;
    case ValueType::columns:
      return OptionKind::list;
    case ValueType::column_spec:
      return OptionKind::pairs;
    case ValueType::whole_number:
    case ValueType::number:
    case ValueType::share:
    case ValueType::seed:
      // 3@diagnosis is no number.
      return option.commas       ? OptionKind::list
             : option.per_column ? OptionKind::text
                                 : OptionKind::number;
    case ValueType::column_hierarchy:
    case ValueType::release_hierarchy:
      return OptionKind::file_pairs;
    case ValueType::file_read:
    case ValueType::file_or_word:
    case ValueType::file_or_number:
      return OptionKind::file;
    case ValueType::file_written:
    case ValueType::folder_written:
      return OptionKind::out;
    case ValueType::folder_read:
      return OptionKind::folder;
    case ValueType::key_file:
      return OptionKind::key;
    case ValueType::text:
    case ValueType::choice:
    case ValueType::column:
    case ValueType::size:
      break;
  }
  return option.commas ? OptionKind::list : OptionKind::text;
}

server::CommandOption entry_of(const Option& option) {
  server::CommandOption entry;
  entry.name = option.name;
  entry.kind = kind_of(option);
  entry.type = name_of(option.type);
  entry.group = option.group;
  entry.description = option.description();
  entry.required = option.required;
  entry.fallback = option.fallback;
  entry.otherwise = option.otherwise;
  entry.repeat = option.takes_several();
  entry.commas = option.commas;
  entry.choices = option.choices;
  entry.instead = option.instead;
  entry.low = option.low;
  entry.high = option.high;
  entry.open = option.open;
  entry.per_column = option.per_column;
  return entry;
}

}  // namespace

server::Catalogue catalogue_of(const CommandLine& program, const Verb& common) {
  std::vector<server::Command> commands;
  for (const auto& verb : program.verbs) {
    if (verb.not_a_job) continue;
    server::Command command{verb.noun, verb.name, verb.words, {}, {}, verb.quick};
    for (const auto* options : {&verb.options, &common.options}) {
      for (const auto& option : *options) {
        // A job always prints JSON, and no values.
        if (option.name == "json" || option.name == "show-values") continue;
        if (option.is_input()) {
          command.inputs.push_back({option.name, kind_of(option), option.words, option.required,
                                    option.takes_several()});
        } else {
          command.options.push_back(entry_of(option));
        }
      }
    }
    commands.push_back(std::move(command));
  }
  return server::Catalogue(std::move(commands));
}

}  // namespace pratique::app
