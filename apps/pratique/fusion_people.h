// What the fusion commands share that find named people in other files: the options, reading the
// files, and the sample that an adversary learns from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "pratique/fusion/name_matching.h"
#include "pratique/fusion/web_attack.h"

namespace pratique::app {

struct NameOptions {
  std::string key;
  std::string auxiliary_key;  // empty: as key
  fusion::NameMatching matching;

  void add(Verb& verb);
  [[nodiscard]] const std::string& key_in_auxiliary() const {
    return auxiliary_key.empty() ? key : auxiliary_key;
  }
};

struct LoadedTable {
  Source source;
  Table table;

  [[nodiscard]] const Column& column(const std::string& name) const;  // the error names the file
};
[[nodiscard]] LoadedTable load_table(Session& session, const std::string& path);

// The rules and which of their outputs the target is. Throws Error::input when there is none.
struct RulesFor {
  fusion::FuzzySystem system;
  std::size_t output = 0;
};
[[nodiscard]] RulesFor read_rules(const std::string& path, const std::string& target);
// Throws Error::input for an input of the rules that is a column of none of the tables.
void require_inputs(const fusion::FuzzySystem& system, const std::vector<const Table*>& tables,
                    const std::string& rules);

// By row; not a number where the cell is empty. A cell that is no number is an Error::input.
[[nodiscard]] std::vector<double> target_numbers(const Column& column, const std::string& file);

// People whose target the adversary knows (--learn), as they look beside a release.
class LearningSample {
 public:
  LearningSample(Session& session, const std::string& path, const NameOptions& names,
                 const std::string& target);

  // Finds its people in the release, whose key does not change afterwards.
  void find_in(Session& session, const Table& release, const NameOptions& names);
  // What the release shows of them, and what `auxiliary` says about them.
  [[nodiscard]] fusion::Sample beside(const Table& release, const Table& auxiliary,
                                      const fusion::NameMatches& found);
  [[nodiscard]] fusion::NameMatches find_facts(Session& session, const LoadedTable& auxiliary,
                                               const NameOptions& names) const;

  [[nodiscard]] const LoadedTable& loaded() const { return sample_; }
  [[nodiscard]] const std::vector<std::uint32_t>& rows_in_release() const { return in_release_; }
  [[nodiscard]] std::size_t known() const;

 private:
  LoadedTable sample_;
  std::string key_;
  std::vector<double> targets_;
  std::vector<std::uint32_t> in_release_;  // by row of the sample
  Table joined_;                           // what beside() points at
};

// dissimilarity_before, dissimilarity_after, information_gain, ..., of the strongest; null without
// truth.
void add_figures(Json& result, const fusion::WebAttack& attack, bool scored);

}  // namespace pratique::app
