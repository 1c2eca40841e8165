#include "pratique/release/determination.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/data/date.h"
#include "pratique/data/number.h"
#include "pratique/data/settings.h"
#include "pratique/data/table.h"
#include "pratique/kind/among.h"
#include "pratique/release/report_finding.h"

namespace pratique::release {
namespace {

// A key of the file, where its value goes, and what it asks for.
struct TextKey {
  const char* name;
  std::string Determination::*value;
  const char* asks;
};
constexpr TextKey kTexts[] = {
    {"recipient", &Determination::recipient, "who receives the release"},
    {"purpose", &Determination::purpose, "what for"},
    {"approved_by", &Determination::approved_by, "who answers for the release"},
    {"setting", &Determination::setting, "public, agreement or enclave"},
    {"threshold_source", &Determination::threshold_source,
     "where the threshold comes from: a guideline, a precedent, a policy"},
    {"remaining", &Determination::remaining, "what an adversary may still find out"},
    {"who_could_know", &Determination::who_could_know,
     "who could know enough to try, and how likely they are to"},
    {"expert", &Determination::expert, "name of the expert"},
    {"qualification", &Determination::qualification,
     "knowledge of and experience with statistical methods of de-identification"},
    {"method", &Determination::method, "how the expert came to the conclusion"},
    {"date", &Determination::date, "of the determination, as YYYY-MM-DD"},
    {"valid_until", &Determination::valid_until,
     "when it is to be made again, as technology and other sources change: YYYY-MM-DD"},
};

struct ColumnKey {
  const char* name;
  std::map<std::string, std::string> Determination::*words;
  const char* asks;
};
constexpr ColumnKey kColumnKeys[] = {
    {"replicable", &Determination::replicable,
     "does the value stay the same over time (a birth date) or not (a blood pressure)?"},
    {"available", &Determination::available,
     "which outside source has it together with names, and who can get at it?"},
    {"distinguishing", &Determination::distinguishing,
     "how far does it tell people apart, alone and together with others?"},
};

constexpr const char* kSettings[] = {"public", "agreement", "enclave"};

// Whether it has a letter, digit or sign of any script: blanks, dashes and points fill nothing in.
bool says_something(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      if (std::isalnum(byte) != 0) return true;
      continue;
    }
    const std::string_view rest = text.substr(i);
    // A no-break blank, blanks and dashes of every width, the blank of full width.
    if (rest.starts_with("\u00A0")) {
      i += 1;
    } else if (rest.starts_with("\xE2\x80") || rest.starts_with("\u3000")) {
      i += 2;
    } else {
      return true;
    }
  }
  return false;
}

// As it is shown, or empty where it says nothing.
std::string filled_in(std::string_view text) {
  return says_something(text) ? cleaned(text) : std::string();
}

std::string text_of(const Setting& setting) {
  if (setting.list) {
    throw Error::input(fmt::format("'{}' is a list or a map where one text is meant", setting.key))
        .at(setting.place)
        .hint(fmt::format("Write for example: {}: \"...\"", setting.key));
  }
  return setting.values.empty() ? std::string() : filled_in(setting.values.front());
}

// NAME=WORDS pairs of a map. Of names with = in them, the longest that is known is meant.
std::map<std::string, std::string> words_by_name(const Setting& setting,
                                                 const std::vector<std::string>& known,
                                                 const std::string& what) {
  std::map<std::string, std::string> words;
  for (const auto& pair : setting.values) {
    auto end = pair.find('=');
    for (auto next = end; next != std::string::npos; next = pair.find('=', next + 1)) {
      if (among(known, pair.substr(0, next))) end = next;
    }
    if (!setting.list || end == std::string::npos) {
      throw Error::input(fmt::format("'{}' has no {}s with a text for each", setting.key, what))
          .at(setting.place)
          .hint(fmt::format("Write for example: {}: {{{}: \"...\"}}", setting.key,
                            known.empty() ? "NAME" : known.front()));
    }
    const std::string name = pair.substr(0, end);
    if (!among(known, name)) {
      const auto near = nearest_names(known, name);
      throw Error::input(fmt::format("'{}' names {}, but there is no such {} here", setting.key,
                                     cleaned(fmt::format("'{}'", name)), what))
          .at(setting.place)
          .hint(near.empty() ? fmt::format("Known are: {}.", fmt::join(known, ", "))
                             : fmt::format("Did you mean {}?", fmt::join(near, " or ")));
    }
    words[name] = filled_in(pair.substr(end + 1));
  }
  return words;
}

void require_day(const std::string& text, const Setting& setting) {
  if (text.empty() || is_iso_day(text)) return;
  throw Error::input(fmt::format("'{}' is not a day", setting.key))
      .at(setting.place)
      .hint("Write it as 2026-11-17.");
}

double threshold_of(const Setting& setting) {
  const std::string text = text_of(setting);
  const double threshold = is_number(text) ? to_double(text) : 0;
  if (threshold <= 0 || threshold >= 1) {
    throw Error::input("the threshold is not a share between 0 and 1")
        .at(setting.place)
        .hint(
            "Write 0.09 for one in eleven. There is no default: what is very small depends on "
            "who receives the release.");
  }
  return threshold;
}

}  // namespace

bool leaves(const ColumnFate& column) { return column.became != "left out"; }

std::string risk_in_words(double share) { return fmt::format("{:.3g} %", 100 * share); }

Determination read_determination(const std::string& path, const ReleaseReport& release) {
  std::vector<std::string> names = {"controls", "threshold", "set_aside"};
  for (const auto& key : kTexts) names.emplace_back(key.name);
  for (const auto& key : kColumnKeys) names.emplace_back(key.name);
  std::vector<std::string> columns;
  for (const auto& column : release.columns) columns.push_back(column.column);
  std::vector<std::string> adversaries;
  for (const auto& risk : release.risks) adversaries.push_back(risk.adversary);

  Determination determination;
  for (const auto& setting : parse_settings(read_file(path), path, names, {})) {
    for (const auto& key : kTexts) {
      if (setting.key == key.name) determination.*key.value = text_of(setting);
    }
    for (const auto& key : kColumnKeys) {
      if (setting.key == key.name)
        determination.*key.words = words_by_name(setting, columns, "column");
    }
    if (setting.key == "set_aside")
      determination.set_aside = words_by_name(setting, adversaries, "adversary");
    if (setting.key == "controls") {
      for (const auto& control : setting.values) {
        if (says_something(control)) determination.controls.push_back(cleaned(control));
      }
    }
    const bool empty = !setting.list && text_of(setting).empty();
    if (setting.key == "threshold" && !empty) determination.threshold = threshold_of(setting);
    if (setting.key == "date") require_day(determination.date, setting);
    if (setting.key == "valid_until") require_day(determination.valid_until, setting);
    if (setting.key == "setting" && !empty &&
        std::find(std::begin(kSettings), std::end(kSettings), determination.setting) ==
            std::end(kSettings)) {
      throw Error::input("'setting' is none of public, agreement and enclave")
          .at(setting.place)
          .hint(
              "public: anybody; agreement: a named recipient who signed; enclave: on machines of "
              "yours.");
    }
  }
  if (!determination.date.empty() && !determination.valid_until.empty() &&
      determination.valid_until < determination.date) {
    throw Error::input("'valid_until' is before 'date'")
        .at(path)
        .hint("A determination is valid from its date on: change one of the two.");
  }
  // A reason is what sets an adversary aside; a name alone does not.
  std::erase_if(determination.set_aside, [](const auto& entry) { return entry.second.empty(); });
  return determination;
}

std::string determination_to_fill_in(const ReleaseReport& release) {
  const auto quoted = [](const std::string& text) { return Json(text).dump(); };
  std::string text = fmt::format(
      "# Expert determination (45 CFR 164.514(b)(1)) of {}.\n"
      "# Fill in what is empty, then: pratique report {} --determination THIS_FILE --out "
      "report.html\n\n",
      release.release, release.release);
  for (const auto& key : kTexts) {
    text += fmt::format("# {}\n{}: \"\"\n", key.asks, key.name);
    if (key.value == &Determination::setting)
      text +=
          "# what binds the recipient: a contract, an access log, no joining with other data\n"
          "controls: []\n"
          "# the largest risk of identifying somebody that counts as very small, 0 to 1\n"
          "threshold: \"\"\n";
  }
  text +=
      "\n# Adversaries that nobody expects here, and why. The conclusion says so.\n"
      "# set_aside:\n";
  for (const auto& risk : release.risks)
    text += fmt::format("#   {}: \"\"  # {}\n", quoted(risk.adversary), risk.knows);
  for (const auto& key : kColumnKeys) {
    text += fmt::format("\n# {}\n{}:\n", key.asks, key.name);
    for (const auto& column : release.columns) {
      if (leaves(column))
        text += fmt::format("  {}: \"\"  # {}; {}\n", quoted(column.column), column.role,
                            column.became);
    }
  }
  return text;
}

Json determination_questions(const ReleaseReport& release) {
  Json questions = {{"texts", Json::array()},
                    {"settings", kSettings},
                    {"columns", Json::array()},
                    {"by_column", Json::array()},
                    {"adversaries", Json::array()}};
  for (const auto& key : kTexts)
    questions["texts"].push_back({{"key", key.name}, {"asks", key.asks}});
  for (const auto& key : kColumnKeys)
    questions["by_column"].push_back({{"key", key.name}, {"asks", key.asks}});
  for (const auto& column : release.columns) {
    if (leaves(column))
      questions["columns"].push_back(
          {{"column", column.column}, {"role", column.role}, {"became", column.became}});
  }
  for (const auto& risk : release.risks) {
    questions["adversaries"].push_back({{"adversary", risk.adversary},
                                        {"knows", risk.knows},
                                        {"highest", risk.highest ? Json(*risk.highest) : Json()}});
  }
  return questions;
}

std::vector<std::string> empty_fields(const Determination& determination,
                                      const ReleaseReport& release) {
  std::vector<std::string> empty;
  for (const auto& key : kTexts) {
    if ((determination.*key.value).empty()) empty.emplace_back(key.name);
  }
  if (!determination.threshold) empty.emplace_back("threshold");
  if (determination.controls.empty() && determination.setting != "public")
    empty.emplace_back("controls");
  for (const auto& key : kColumnKeys) {
    const auto& words = determination.*key.words;
    for (const auto& column : release.columns) {
      const auto said = words.find(column.column);
      if (leaves(column) && (said == words.end() || said->second.empty()))
        empty.push_back(fmt::format("{}: {}", key.name, column.column));
    }
  }
  return empty;
}

Conclusion conclude(const Determination& determination, const ReleaseReport& release,
                    const std::string& today) {
  std::string aside;
  std::vector<std::string> unmeasured;
  Conclusion conclusion;
  std::string strongest;
  for (const auto& risk : release.risks) {
    if (determination.set_aside.count(risk.adversary) > 0) {
      aside += (aside.empty() ? "" : ", ") + risk.adversary;
      continue;
    }
    if (!risk.highest) {
      unmeasured.push_back(risk.adversary);
    } else if (!conclusion.highest || *risk.highest > *conclusion.highest) {
      conclusion.highest = risk.highest;
      strongest = risk.adversary;
    }
  }
  if (!aside.empty()) aside = fmt::format(" Set aside: {}.", aside);
  const auto is = [&](Standing standing, std::string sentence) {
    conclusion.standing = standing;
    conclusion.sentence = std::move(sentence) + aside;
    return conclusion;
  };
  if (release.standing == Standing::fails) {
    return is(Standing::fails,
              "The risk cannot be called very small: the release does not pass verification.");
  }
  if (determination.date > today) {
    return is(Standing::fails, fmt::format("This determination is dated {}, which is yet to come.",
                                           determination.date));
  }
  if (!determination.valid_until.empty() && determination.valid_until < today) {
    return is(Standing::fails, fmt::format("This determination ran out on {} and is to be made "
                                           "again.",
                                           determination.valid_until));
  }
  if (conclusion.highest && determination.threshold &&
      *conclusion.highest > *determination.threshold) {
    std::vector<std::string> others;
    for (const auto& risk : release.risks) {
      if (determination.set_aside.count(risk.adversary) == 0 && risk.adversary != strongest &&
          risk.highest && *risk.highest > *determination.threshold)
        others.push_back(risk.adversary);
    }
    return is(Standing::fails,
              fmt::format("The risk is not very small: {} for the {}, above the threshold of {}{}.",
                          risk_in_words(*conclusion.highest), strongest,
                          risk_in_words(*determination.threshold),
                          others.empty() ? ""
                                         : fmt::format(", and above it for the {}, too",
                                                       fmt::join(others, ", "))));
  }
  if (!determination.threshold)
    return is(Standing::unchecked, "No conclusion: the threshold for very small is not said.");
  if (!unmeasured.empty()) {
    return is(Standing::unchecked, fmt::format("No conclusion: the risk was not measured for {}.",
                                               fmt::join(unmeasured, ", ")));
  }
  if (!conclusion.highest)
    return is(Standing::unchecked,
              "No conclusion: every adversary was set aside, or none is known.");
  if (release.standing == Standing::unchecked)
    return is(Standing::unchecked, "No conclusion: the release was not verified again.");
  return is(Standing::holds,
            fmt::format("The risk is very small: at most {} ({}), against a threshold of {}.",
                        risk_in_words(*conclusion.highest), strongest,
                        risk_in_words(*determination.threshold)));
}

Json to_json(const Determination& determination, const ReleaseReport& release,
             const Conclusion& conclusion) {
  const auto empty = empty_fields(determination, release);
  return {{"draft", !empty.empty()},
          {"missing", empty},
          {"standing", to_text(conclusion.standing)},
          {"conclusion", conclusion.sentence},
          {"highest_risk", conclusion.highest ? Json(*conclusion.highest) : Json()},
          {"threshold", determination.threshold ? Json(*determination.threshold) : Json()},
          {"set_aside", determination.set_aside},
          {"setting", determination.setting},
          {"expert", determination.expert},
          {"date", determination.date},
          {"valid_until", determination.valid_until}};
}

}  // namespace pratique::release
