// An expert determination (45 CFR 164.514(b)(1)): somebody with knowledge of statistics finds that
// the risk of identifying a person is very small, and documents methods and results. The files tell
// the risk; the rest is judgement, in words that only people can give. They stand in a YAML file:
//
//   recipient, purpose, approved_by   who receives it, what for, who answers for it
//   setting                           public, agreement or enclave
//   controls                          a list: what binds the recipient
//   threshold, threshold_source       the largest risk that is very small, from 0 to 1, and where
//   it
//                                     comes from
//   set_aside                         ADVERSARY: why nobody of the kind is expected
//   replicable, available, distinguishing
//                                     COLUMN: does the value stay the same, who could know it, how
//                                     far does it tell people apart (the guidance's three
//                                     principles)
//   remaining, who_could_know         what is left to find out, and who could
//   expert, qualification, method, date, valid_until
//
// Nothing is filled in for anybody. What is needed and empty is named, and the determination is a
// draft until nothing is. The conclusion follows from the figures and the threshold alone: the
// words cannot turn it, but for an adversary that is set aside, which the conclusion then says.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/json.h"
#include "pratique/kind/document.h"
#include "pratique/kind/release_report.h"

namespace pratique::release {

struct Determination {
  std::string recipient = {};
  std::string purpose = {};
  std::string approved_by = {};
  std::string setting = {};
  std::vector<std::string> controls = {};
  std::optional<double> threshold = {};
  std::string threshold_source = {};
  std::map<std::string, std::string> set_aside = {};
  // By column.
  std::map<std::string, std::string> replicable = {};
  std::map<std::string, std::string> available = {};
  std::map<std::string, std::string> distinguishing = {};
  std::string remaining = {};
  std::string who_could_know = {};
  std::string expert = {};
  std::string qualification = {};
  std::string method = {};
  std::string date = {};
  std::string valid_until = {};
};

// Throws Error::input, placed, for what is no key, no share, no day, or neither a column nor an
// adversary of the release.
[[nodiscard]] Determination read_determination(const std::string& path,
                                               const ReleaseReport& release);
// One to fill in, of a release: every key with a word on what it asks for.
[[nodiscard]] std::string determination_to_fill_in(const ReleaseReport& release);

// The same for a form: texts[] and by_column[] (key, asks), settings[], columns[] (column, role,
// became), adversaries[] (adversary, knows, highest).
[[nodiscard]] Json determination_questions(const ReleaseReport& release);

// The keys that are needed and empty: "threshold", "available: age".
[[nodiscard]] std::vector<std::string> empty_fields(const Determination& determination,
                                                    const ReleaseReport& release);

struct Conclusion {
  Standing standing = Standing::unchecked;
  std::string sentence;
  std::optional<double> highest = {};  // risk, of the adversaries that were not set aside
};
// `today` as 2026-11-17: a determination that has run out holds no longer.
[[nodiscard]] Conclusion conclude(const Determination& determination, const ReleaseReport& release,
                                  const std::string& today);

[[nodiscard]] bool leaves(const ColumnFate& column);
// 9.09 %
[[nodiscard]] std::string risk_in_words(double share);

[[nodiscard]] Block conclusion_block(const Conclusion& conclusion, bool draft);
// The chapter of the report that comes first.
[[nodiscard]] Chapter to_chapter(const Determination& determination, const ReleaseReport& release,
                                 const Conclusion& conclusion);
// draft, missing[], standing, conclusion, highest_risk, threshold
[[nodiscard]] Json to_json(const Determination& determination, const ReleaseReport& release,
                           const Conclusion& conclusion);

}  // namespace pratique::release
