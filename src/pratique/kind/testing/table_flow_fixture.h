// What tests of flows of tables share: releases read back as plain cells, without the code that
// wrote them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "pratique/kind/run.h"
#include "pratique/kind/testing/folder_fixture.h"
#include "pratique/manifest/manifest.h"

namespace pratique {

// A CSV file without quotes.
struct CellsOfFile {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;

  // Rows in the order of their text: releases leave in an order that tells nothing.
  [[nodiscard]] std::vector<std::vector<std::string>> sorted() const {
    auto all = rows;
    std::sort(all.begin(), all.end());
    return all;
  }
  // How often each combination of cells of these columns is there.
  [[nodiscard]] std::map<std::vector<std::string>, int> count_by(
      const std::vector<std::string>& names) const {
    std::map<std::vector<std::string>, int> counts;
    for (const auto& row : rows) {
      std::vector<std::string> cells;
      for (const auto& name : names) {
        const auto place = std::find(columns.begin(), columns.end(), name);
        if (place == columns.end()) throw std::runtime_error("no column " + name);
        cells.push_back(row.at(static_cast<std::size_t>(place - columns.begin())));
      }
      ++counts[cells];
    }
    return counts;
  }
  // Rows of the smallest class; 0 without rows.
  [[nodiscard]] int smallest_class(const std::vector<std::string>& names) const {
    int smallest = 0;
    for (const auto& [cells, count] : count_by(names)) {
      if (smallest == 0 || count < smallest) smallest = count;
    }
    return smallest;
  }
};

class TableFlowFixture : public FolderFixture {
 protected:
  Progress progress;
  pratique::Run run{.engine = engine(), .progress = progress};

  [[nodiscard]] bool exists(const std::string& name) const {
    return std::filesystem::exists(path(name));
  }
  // Neither a release nor what lies beside one.
  [[nodiscard]] bool nothing_at(const std::string& name) const {
    return !exists(name) && !exists(name + ".manifest.json");
  }
  // A template, since headers do not include the JSON library.
  template <class Any = Json>
  [[nodiscard]] Any manifest_of(const std::string& name) const {
    return Any::parse(read_file(path(name) + ".manifest.json"));
  }
  [[nodiscard]] unsigned mode_of(const std::string& name) const {
    return static_cast<unsigned>(std::filesystem::status(path(name)).permissions());
  }

  [[nodiscard]] CellsOfFile cells(const std::string& name, char delimiter = ',') const {
    CellsOfFile read;
    std::ifstream stream(path(name));
    for (std::string line; std::getline(stream, line);) {
      std::vector<std::string> row;
      std::stringstream parts(line);
      for (std::string cell; std::getline(parts, cell, delimiter);) {
        row.push_back(cell == "\"\"" ? "" : cell);
      }
      if (!line.empty() && line.back() == delimiter) row.emplace_back();
      if (read.columns.empty()) {
        read.columns = row;
      } else {
        read.rows.push_back(row);
      }
    }
    return read;
  }
};

}  // namespace pratique
