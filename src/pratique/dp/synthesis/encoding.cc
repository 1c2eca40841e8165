#include "pratique/dp/synthesis/encoding.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pratique::dp {
namespace {

using CellOf = std::function<std::size_t(std::string_view text)>;

// Every value is looked up once.
std::vector<std::uint32_t> cells_by(const Column& column, const CellOf& cell_of) {
  std::vector<std::uint32_t> of_code;
  for (const auto& value : column.dictionary.values()) {
    of_code.push_back(static_cast<std::uint32_t>(cell_of(value)));
  }
  std::vector<std::uint32_t> cells;
  cells.reserve(column.codes.size());
  for (const auto code : column.codes) cells.push_back(of_code[code]);
  return cells;
}

}  // namespace

EncodedRows encoded(const std::vector<Attribute>& attributes, const Table& table,
                    std::vector<std::uint64_t> counts) {
  EncodedRows rows{.cells = {}, .counts = std::move(counts)};
  for (std::size_t c = 0; c < attributes.size(); ++c) {
    rows.cells.push_back(cells_by(
        table.columns[c], [&](std::string_view text) { return attributes[c].cell_of(text); }));
  }
  return rows;
}

EncodedRows encoded_labels(const std::vector<Attribute>& attributes, const Table& table,
                           std::vector<std::uint64_t> counts) {
  EncodedRows rows{.cells = {}, .counts = std::move(counts)};
  for (std::size_t c = 0; c < attributes.size(); ++c) {
    const auto& labels = attributes[c].labels();
    std::unordered_map<std::string_view, std::size_t> known;
    for (std::size_t cell = 0; cell < labels.size(); ++cell) known.emplace(labels[cell], cell);
    rows.cells.push_back(cells_by(table.columns[c], [&](std::string_view text) {
      const auto at = known.find(text);
      return at == known.end() ? attributes[c].stray() : at->second;
    }));
  }
  return rows;
}

}  // namespace pratique::dp
