#include "pratique/kind/singled_out.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pratique/data/row_numbers.h"
#include "pratique/kind/among.h"

namespace pratique::release {
namespace {

// Every table satisfies it, or it is about one value of the column alone.
bool holds_little(const Json& claim) {
  const auto number = [&](const char* key, double otherwise) {
    const auto entry = claim.find(key);
    return entry != claim.end() && entry->is_number() ? entry->get<double>() : otherwise;
  };
  constexpr double kEnough = 2;
  const bool no_range = !claim.contains("m") && number("e", kEnough) <= 0;
  return number("l", kEnough) <= 1 || number("m", kEnough) <= 1 || no_range ||
         number("alpha", 0) >= 1 || number("t", 0) >= 1 || number("p", 0) >= 1 ||
         claim.contains("value");
}

}  // namespace

std::vector<std::string> held_secrets(const Json& claims) {
  std::vector<std::string> held;
  for (const auto& claim : claims) {
    if (!claim.is_object() || holds_little(claim)) continue;
    const auto column = claim.find("sensitive");
    if (column != claim.end() && column->is_string()) held.push_back(column->get<std::string>());
  }
  return held;
}

std::vector<std::string> secrets_singling_out(const PeopleAlike& people,
                                              const std::vector<std::string>& secrets,
                                              const Json& claims) {
  const auto telling = people.telling_most_apart(secrets);
  const auto held = held_secrets(claims);
  std::vector<std::string> counted;
  std::copy_if(secrets.begin(), secrets.end(), std::back_inserter(counted),
               [&](const auto& name) { return among(telling, name) || !among(held, name); });
  return counted;
}

std::vector<std::uint32_t> number_cells(const std::vector<const std::vector<Code>*>& columns,
                                        std::size_t rows) {
  RowNumbers numbers(rows);
  for (const auto* codes : columns) {
    const auto most = std::max_element(codes->begin(), codes->end());
    numbers.add(most == codes->end() ? 0 : std::size_t{*most} + 1,
                [&](std::size_t row) { return (*codes)[row]; });
  }
  return numbers.take();
}

std::uint64_t singled_out(const std::vector<const std::vector<Code>*>& columns,
                          std::span<const std::uint64_t> counts) {
  if (columns.empty()) return 0;
  const auto number = number_cells(columns, counts.size());
  std::vector<std::uint64_t> records(counts.size(), 0);
  for (std::size_t row = 0; row < number.size(); ++row) records[number[row]] += counts[row];
  return static_cast<std::uint64_t>(std::count(records.begin(), records.end(), 1U));
}

}  // namespace pratique::release
