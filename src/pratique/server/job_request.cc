#include "pratique/server/job_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/net/problem.h"
#include "pratique/server/files.h"
#include "pratique/server/ledgered_files.h"

namespace pratique::server {
namespace {

constexpr std::size_t kMostWords = 10'000;
constexpr std::size_t kLongestWord = 100'000;  // the kernel takes 128 kB

net::Problem wrong_option(const std::string& name, const std::string& why) {
  return net::Problem(422, fmt::format("the option '{}' {}", name, why));
}

std::string text_of(const Json& value, const CommandOption& option) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer() || value.is_number_float()) return value.dump();
  throw wrong_option(option.name, "takes text or a number");
}

// As the command line reads a list (data/settings.h).
std::string with_escaped_commas(std::string_view item) {
  std::string text;
  for (const char c : item) {
    if (c == ',') text += '\\';
    text += c;
  }
  return text;
}

class Words {
 public:
  Words(const Command& command, const DataFolder& folder) : command_(command), folder_(folder) {
    shown_ = "pratique";
    if (!command.noun.empty()) plain(command.noun);
    std::istringstream verb(command.verb);
    for (std::string word; verb >> word;) plain(word);
  }

  void plain(const std::string& word) {
    words_.push_back(word);
    shown_ += " " + shell_word(word);
  }

  void input(const Json& value) {
    if (!value.is_string()) throw net::Problem(400, "an input is the path of a file, as text");
    const auto path = value.get<std::string>();
    if (path.starts_with('-')) {
      throw net::Problem(400, "an input may not begin with a dash")
          .hint("Give the file another name; standard input is not for jobs.");
    }
    check_relative_path(path);
    check_length(path);
    folder_.check_word(path);
    refuse_secret_key(path);
    plain(path);
  }

  void option(const CommandOption& option, const Json& value) {
    if (option.kind == OptionKind::flag) {
      if (!value.is_boolean()) throw wrong_option(option.name, "is true or false");
      if (value.get<bool>()) plain("--" + option.name);
    } else if (value.is_array()) {
      several(option, value);
    } else {
      single(option, text_of(value, option));
    }
  }

  [[nodiscard]] JobRequest finish() && {
    return {.noun = command_.noun,
            .verb = command_.verb,
            .arguments = std::move(words_),
            .command = std::move(shown_),
            .quick = command_.quick,
            .outputs = std::move(outputs_)};
  }

 private:
  void check_length(const std::string& word) const {
    if (words_.size() >= kMostWords || word.size() > kLongestWord) {
      throw net::Problem(400, "the request is too long for a command line")
          .hint("Put roles and hierarchies into a --config file.");
    }
    if (word.find('\0') != std::string::npos) throw net::Problem(400, "this contains a NUL byte");
  }

  // What can name a file. Free text names none, whatever it looks like.
  void check_path(const CommandOption& option, const std::string& text) const {
    // The data folder itself is a folder to read, though its name begins with a dot.
    const bool is_data_folder = option.kind == OptionKind::folder && text == ".";
    if (is_path(option.kind) && !is_data_folder) check_relative_path(text);
    folder_.check_word(text);
    if (option.kind != OptionKind::key) refuse_secret_key(text);
    if (option.kind == OptionKind::out && is_ledger(folder_, text)) {
      throw wrong_option(option.name, "would overwrite a ledger, which can only grow");
    }
    if (option.kind == OptionKind::out) {
      refuse_recorded(folder_, text);
      refuse_recorded(folder_, text + ".manifest.json");
    }
  }

  // Neither to read nor to write, whatever the option means by it: only --key takes one. A key that
  // is named in another way, as by a pattern, the job itself refuses (core/guarded_file.h).
  void refuse_secret_key(std::string_view word) const {
    const auto equals = word.find('=');
    const auto value = equals == std::string_view::npos ? word : word.substr(equals + 1);
    if (folder_.is_secret_key(word) || folder_.is_secret_key(value)) {
      throw net::Problem(422, "this file holds a secret key, which only --key takes");
    }
  }

  void several(const CommandOption& option, const Json& values) {
    if (!option.repeat) throw wrong_option(option.name, "takes one value, not a list");
    if (!option.commas) {
      for (const auto& value : values) single(option, text_of(value, option));
      return;
    }
    std::string joined;
    for (const auto& value : values) {
      const std::string text = text_of(value, option);
      if (text.ends_with('\\')) {
        throw wrong_option(option.name, "is comma-separated: no item may end with a backslash");
      }
      joined += (joined.empty() ? "" : ",") + with_escaped_commas(text);
    }
    if (!values.empty()) single(option, joined);
  }

  void single(const CommandOption& option, const std::string& text) {
    if (option.kind == OptionKind::number && !option.commas) check_number(option, text);
    if (!option.choices.empty()) check_choice(option, text);
    check_length(text);
    if (holds_path(option.kind)) check_path(option, text);
    if (option.kind == OptionKind::out) outputs_.push_back(text);
    words_.push_back(fmt::format("--{}={}", option.name, text));
    const char* between = text.starts_with('-') || text.empty() ? "=" : " ";
    shown_ += fmt::format(" --{}{}{}", option.name, between, shell_word(text));
  }

  static void check_number(const CommandOption& option, const std::string& text) {
    // An exponent is fine here: a client's JSON may write 1e-05.
    std::string_view mantissa = text;
    if (const auto e = mantissa.find_first_of("eE"); e != std::string_view::npos) {
      if (!is_number(mantissa.substr(e + 1))) throw wrong_option(option.name, "takes a number");
      mantissa = mantissa.substr(0, e);
    }
    if (!is_number(mantissa)) throw wrong_option(option.name, "takes a number");
  }

  static void check_choice(const CommandOption& option, const std::string& text) {
    std::string_view rest = text;
    if (option.per_column) rest = rest.substr(0, rest.find('@'));
    while (true) {
      const auto comma = option.commas ? rest.find(',') : std::string_view::npos;
      if (std::find(option.choices.begin(), option.choices.end(), rest.substr(0, comma)) ==
          option.choices.end()) {
        throw wrong_option(option.name,
                           fmt::format("is one of {}", fmt::join(option.choices, ", ")));
      }
      if (comma == std::string_view::npos) return;
      rest.remove_prefix(comma + 1);
    }
  }

  const Command& command_;
  const DataFolder& folder_;
  std::vector<std::string> words_;
  std::vector<std::string> outputs_;
  std::string shown_;
};

Json parse_body(std::string_view body) {
  try {
    Json request = parse_json(body.empty() ? "{}" : body, "request");
    if (!request.is_object()) throw net::Problem(400, "the request is a JSON object");
    return request;
  } catch (const Error& error) {
    throw net::Problem(400, error.message()).at(error.place()).hint(error.hint());
  }
}

void check_inputs(const Command& command, std::size_t given) {
  const auto required = static_cast<std::size_t>(
      std::count_if(command.inputs.begin(), command.inputs.end(),
                    [](const CommandInput& input) { return input.required; }));
  const bool open_ended = !command.inputs.empty() && command.inputs.back().repeat;
  if (given < required) {
    throw net::Problem(422, fmt::format("the input {} is missing", command.inputs[given].name));
  }
  if (!open_ended && given > command.inputs.size()) {
    throw net::Problem(422, fmt::format("{} takes {} inputs, not {}", command.path(),
                                        command.inputs.size(), given));
  }
}

}  // namespace

JobRequest parse_job_request(const Command& command, std::string_view body,
                             const DataFolder& folder) {
  const Json request = parse_body(body);
  for (const auto& [key, value] : request.items()) {
    if (key != "inputs" && key != "options") {
      throw net::Problem(422, "a request has inputs and options, and nothing else");
    }
  }
  const Json inputs = request.value("inputs", Json::array());
  const Json options = request.value("options", Json::object());
  if (!inputs.is_array()) throw net::Problem(400, "inputs is a list of paths");
  if (!options.is_object()) throw net::Problem(400, "options is an object");

  check_inputs(command, inputs.size());
  Words words(command, folder);
  for (const auto& input : inputs) words.input(input);
  for (const auto& [name, value] : options.items()) {
    const CommandOption* option = command.option(name);
    if (option == nullptr) {
      throw net::Problem(422, "the request has an option that this command does not know")
          .hint(fmt::format("GET /api/v1/commands lists those of {}.", command.path()));
    }
    if (!value.is_null()) words.option(*option, value);
  }
  for (const auto& option : command.options) {
    if (option.required && (!options.contains(option.name) || options.at(option.name).is_null())) {
      throw wrong_option(option.name, "is required");
    }
  }
  JobRequest job = std::move(words).finish();
  job.request = Json{{"inputs", inputs}, {"options", options}}.dump();
  return job;
}

std::string shell_word(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,@%+";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace pratique::server
