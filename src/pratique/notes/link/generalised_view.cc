#include "pratique/notes/link/generalised_view.h"

#include <map>

#include "pratique/core/error.h"
#include "pratique/data/hierarchy.h"
#include "pratique/tables/method/mondrian.h"
#include "pratique/tables/model/k_anonymity.h"
#include "pratique/tables/model/l_diversity.h"

namespace pratique::notes {
namespace {

Column column_of(const std::string& name, const std::vector<std::string>& cells) {
  Column column;
  column.name = name;
  for (const auto& cell : cells) column.codes.push_back(column.dictionary.intern(cell));
  return column;
}

std::string year_of(const PersonRow& row) {
  return row.dates.empty() ? std::string() : row.dates.front().substr(0, 4);
}

void generalise_alike(const PersonView& view, const std::vector<std::size_t>& members,
                      std::uint64_t k, std::uint64_t l,
                      std::vector<std::optional<GeneralisedPerson>>& result, Progress& progress) {
  std::vector<std::string> ages;
  std::vector<std::string> zips;
  std::vector<std::string> years;
  std::vector<std::string> diagnoses;
  for (const std::size_t p : members) {
    const PersonRow& row = view.persons[p];
    ages.push_back(row.age ? std::to_string(*row.age) : "");
    zips.push_back(row.zip);
    years.push_back(year_of(row));
    diagnoses.push_back(row.diagnoses.empty() ? "" : *row.diagnoses.begin());
  }
  std::vector<Column> columns;
  columns.push_back(column_of("age", ages));
  columns.push_back(column_of("zip", zips));
  columns.push_back(column_of("year", years));
  const Column sensitive = column_of("diagnosis", diagnoses);
  const std::vector<std::string> specs = {"interval:5,10,20,40", "prefix", "interval:5,10,20"};
  std::vector<Hierarchy> hierarchies;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    hierarchies.push_back(
        make_hierarchy(specs[c], columns[c].dictionary, columns[c].counts(), columns[c].name));
  }
  const std::vector<std::uint64_t> counts(members.size(), 1);
  tables::ProtectionInput input;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    input.attributes.push_back(
        tables::make_attribute(columns[c], hierarchies[c], columns[c].counts()));
  }
  input.sensitive = {&sensitive};
  input.counts = &counts;
  tables::Models models;
  models.push_back(tables::k_anonymity(k));
  if (l > 1) models.push_back(tables::distinct_l_diversity(l, {.index = 0, .column = "diagnosis"}));
  tables::MondrianOptions options;
  options.style = tables::CellStyle::labels;
  tables::Recoding recoding;
  try {
    recoding = tables::mondrian(input, models, options, progress);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::check_failed) throw;
    return;  // not even all together satisfy the models: they are withheld
  }
  for (std::size_t entry = 0; entry < recoding.groups.size(); ++entry) {
    if (recoding.counts[entry] == 0) continue;
    const std::size_t member = recoding.groups[entry];
    const auto cell = [&](std::size_t c) {
      return recoding.columns[c].values[recoding.columns[c].codes[entry]];
    };
    // Where all of a group are of one age, the text would tell it: an interval stands there
    // instead.
    std::string age = cell(0);
    if (const auto exact = hierarchies[0].leaf(age); exact && !age.empty())
      age = hierarchies[0].label(hierarchies[0].parent(*exact));
    result[members[member]] = {std::move(age), view.persons[members[member]].sex, cell(1), cell(2),
                               diagnoses[member]};
  }
}

}  // namespace

std::vector<std::optional<GeneralisedPerson>> generalise_view(const PersonView& view,
                                                              std::uint64_t k, std::uint64_t l,
                                                              Progress& progress) {
  std::vector<std::optional<GeneralisedPerson>> result(view.persons.size());
  std::map<std::string, std::vector<std::size_t>> by_sex;
  for (std::size_t p = 0; p < view.persons.size(); ++p) by_sex[view.persons[p].sex].push_back(p);
  for (const auto& [sex, members] : by_sex) {
    if (members.size() >= k) generalise_alike(view, members, k, l, result, progress);
  }
  return result;
}

}  // namespace pratique::notes
