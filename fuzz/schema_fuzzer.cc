// A schema's YAML is either read, with one role for each column, or is an Error with a place.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "pratique/core/error.h"
#include "pratique/data/schema.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  try {
    auto schema = pratique::Schema::parse_yaml(input, "input.yaml", {"k", "l", "diversity", "t"});
    std::set<std::string> columns;
    std::size_t named = 0;
    for (const auto* list :
         {&schema.identifiers, &schema.quasi_identifiers, &schema.sensitive, &schema.insensitive}) {
      columns.insert(list->begin(), list->end());
      named += list->size();
    }
    require(columns.size() == named && !columns.contains(""));
    for (const auto& [column, spec] : schema.hierarchies) {
      require(!column.empty() && !spec.empty());
      columns.insert(column);
    }
    schema.check_against({columns.begin(), columns.end()}, "input.csv");
    const auto same = schema;
    schema.override_with(same);
    require(schema.quasi_identifiers == same.quasi_identifiers &&
            schema.hierarchies == same.hierarchies);
  } catch (const pratique::Error& error) {
    require(error.code() == pratique::ErrorCode::bad_input);
    require(error.place().starts_with("input.yaml") && !error.message().empty());
  }
  return 0;
}
