#include "pratique/tables/flow/people_release.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pratique::tables::flow {

PeopleRelease::PeopleRelease(const People& people, const std::vector<std::uint32_t>& entry_of,
                             const std::vector<PeopleReleaseColumn>& columns, std::uint64_t seed,
                             char delimiter) {
  struct Leaving {
    std::uint32_t person;
    std::size_t first;  // of its rows here
    std::size_t end;
  };
  std::vector<Leaving> leaving;
  std::vector<std::uint32_t> rows;  // of the file
  std::vector<std::uint32_t> entries;
  for (std::uint32_t p = 0; p < people.count(); ++p) {
    if (entry_of[p] == People::kSuppressed) continue;
    const auto own = people.rows_of(p);
    leaving.push_back({p, rows.size(), rows.size() + own.size()});
    rows.insert(rows.end(), own.begin(), own.end());
    entries.insert(entries.end(), own.size(), entry_of[p]);
  }
  people_ = leaving.size();
  columns_.resize(columns.size());
  OwnedColumn* numbers = nullptr;
  std::vector<std::string> texts(rows.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const auto& column = columns[c];
    OwnedColumn& owned = columns_[c];
    if (column.recoded == nullptr && column.as_it_is == nullptr) {
      numbers = &owned;
      continue;
    }
    if (column.recoded != nullptr) {
      owned.values = column.recoded->values;
    } else if (!column.replaced.empty()) {
      owned.values = column.replaced;
    } else {
      const auto& values = column.as_it_is->dictionary.values();
      owned.values.assign(values.begin(), values.end());
    }
    owned.codes.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      owned.codes.push_back(column.recoded != nullptr ? column.recoded->codes[entries[i]]
                                                      : column.as_it_is->codes[rows[i]]);
      const auto& cell = owned.values[owned.codes.back()];
      texts[i] += fmt::format("{}:{}", cell.size(), cell);
    }
  }
  std::vector<std::uint32_t> by_text(rows.size());
  std::iota(by_text.begin(), by_text.end(), 0U);
  std::vector<std::string> people_texts;
  for (const auto& person : leaving) {
    std::sort(by_text.begin() + static_cast<std::ptrdiff_t>(person.first),
              by_text.begin() + static_cast<std::ptrdiff_t>(person.end),
              [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
    people_texts.emplace_back();
    for (std::size_t i = person.first; i < person.end; ++i) {
      const auto& text = texts[by_text[i]];
      people_texts.back() += fmt::format("{}:{}", text.size(), text);
    }
  }
  std::vector<Code> each(leaving.size());
  std::iota(each.begin(), each.end(), 0U);
  const std::vector<std::uint64_t> once(leaving.size(), 1);
  const auto order = release::order_by_content(
      {.columns = {{"person", &each, &people_texts}}, .groups = each, .counts = &once}, seed);
  if (numbers != nullptr) numbers->codes.resize(rows.size());
  for (std::size_t place = 0; place < order.size(); ++place) {
    const auto& person = leaving[order[place]];
    for (std::size_t i = person.first; i < person.end; ++i) {
      order_.push_back(by_text[i]);
      if (numbers != nullptr) numbers->codes[by_text[i]] = static_cast<Code>(place);
    }
    if (numbers != nullptr) numbers->values.push_back(std::to_string(place + 1));
  }
  Output output{.rows = &order_, .row_count = order_.size(), .delimiter = delimiter};
  for (std::size_t c = 0; c < columns.size(); ++c)
    output.columns.push_back({columns[c].name, &columns_[c].codes, &columns_[c].values});
  artefact_ = std::make_unique<release::TableArtefact>(std::move(output));
}

}  // namespace pratique::tables::flow
