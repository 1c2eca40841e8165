// Nothing leaves that nobody decided about. Every column of a file has a role, and a column that
// looks as if it named people leaves as it is only where it is allowed to by its name.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pratique/columns/column_content.h"
#include "pratique/core/error.h"
#include "pratique/data/schema.h"

namespace pratique::release {

struct AdvisedColumn {
  std::string name;
  Role role = Role::insensitive;
  std::string why;  // a sentence
};

// By name and values; insensitive where neither says anything.
[[nodiscard]] AdvisedColumn advised(const std::string& column,
                                    const columns::ColumnContent& content);

// Names as an option takes them: a comma in a name has a backslash before it.
[[nodiscard]] std::string comma_separated(const std::vector<std::string>& names);

// Says what was advised for each, and the words that decide about all of them: `option` names the
// option of a role. `otherwise` is a sentence that goes before, ended by a blank, or nothing.
[[nodiscard]] Error undecided(const std::vector<AdvisedColumn>& columns, const std::string& place,
                              const std::function<std::string_view(Role)>& option,
                              const std::string& otherwise);

// What leaves as it is and may not without being allowed to.
class LeavesAsItIs {
 public:
  explicit LeavesAsItIs(std::vector<std::string> allowed) : allowed_(std::move(allowed)) {}

  void look_at(const std::string& column, const columns::ColumnContent& content);
  // Throws where a column is not allowed to.
  void check(const std::string& place) const;
  // Those that needed it, in the order they were looked at.
  [[nodiscard]] const std::vector<std::string>& allowed() const { return used_; }

 private:
  std::vector<std::string> allowed_;
  std::vector<std::string> used_;
  std::vector<std::string> refused_;
  std::string reasons_;
};

}  // namespace pratique::release
