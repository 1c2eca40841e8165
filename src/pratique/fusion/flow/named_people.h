// What the flows on lists with names share: tables, rules, and people whose value is known.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/fusion/name_matching.h"
#include "pratique/fusion/web_attack.h"
#include "pratique/kind/run.h"

namespace pratique::fusion::flow {

struct NameRequest {
  std::string key;
  std::string auxiliary_key;  // empty: as key
  fusion::NameMatching matching;

  [[nodiscard]] const std::string& key_in_auxiliary() const {
    return auxiliary_key.empty() ? key : auxiliary_key;
  }
};

struct LoadedTable {
  Source source;
  Table table;

  [[nodiscard]] const Column& column(const std::string& name) const;  // the error names the file
};
[[nodiscard]] LoadedTable load_table(const Run& run, const std::string& path);

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
  LearningSample(LoadedTable sample, const NameRequest& names, const std::string& target);

  // Finds its people in the release, whose key does not change afterwards.
  void find_in(const Run& run, const Table& release, const NameRequest& names);
  // What the release shows of them, and what `auxiliary` says about them.
  [[nodiscard]] fusion::Sample beside(const Table& release, const Table& auxiliary,
                                      const fusion::NameMatches& matches);
  [[nodiscard]] fusion::NameMatches find_facts(const Run& run, const LoadedTable& auxiliary,
                                               const NameRequest& names) const;

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

}  // namespace pratique::fusion::flow
