// Numbers of the files that an adversary of named lists uses, each file in its own form
// (kind/own_forms.h). What looks like numbers and cannot be read is refused: who reads nothing
// estimates badly, and a release would seem to resist.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pratique/fusion/flow/named_people.h"
#include "pratique/kind/own_forms.h"

namespace pratique::fusion::flow {

class NumberReading {
 public:
  // `said` as --number-form has it. Inputs and outputs of the rules are read, and where somebody
  // learns from a sample every column but those that name people.
  NumberReading(const std::vector<std::string>& said, const fusion::FuzzySystem* rules,
                const std::string& target, const NameRequest& names, bool learns);

  // Throws Error::input where a column's numbers have two meanings, or none.
  [[nodiscard]] LoadedTable load(const Run& run, const std::string& path);
  // The same of a table that is there, and of these columns.
  release::NumberForms read(LoadedTable& loaded, const std::vector<std::string>& more = {});
  // Throws Error::input where what was said is the form of no file.
  void refuse_unheard() const { forms_.refuse_unheard(); }

  // Cells that mean nothing, as results have them: by file and column.
  void add_to(Json& result) const;

 private:
  [[nodiscard]] bool is_read(const std::string& column) const;
  void refuse_unread(const LoadedTable& loaded);

  release::OwnForms forms_;
  const fusion::FuzzySystem* rules_;
  std::string target_;
  std::vector<std::string> keys_;
  bool learns_;
  std::map<std::string, std::map<std::string, std::uint64_t>> unread_;  // by file and column
};

}  // namespace pratique::fusion::flow
