// An engine that reads a file once for all who ask for groups of some of its columns.
//
// Who checks a release asks for its classes again and again, with other columns beside them. The
// first to ask has the file grouped by all columns that were announced; what others ask for is made
// of that. Everything else is passed on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pratique/engine/engine.h"

namespace pratique {

class OneReading final : public Engine {
 public:
  // Both must outlive it. Without columns everything is passed on.
  OneReading(Engine& engine, const Source& source, std::vector<std::string> columns)
      : engine_(engine), source_(source), columns_(std::move(columns)) {}

  [[nodiscard]] GroupedTable group(const Source& source, const std::vector<std::string>& columns,
                                   Progress& progress) override;

  [[nodiscard]] Source open(const std::string& path, const CsvOptions& options,
                            Progress& progress) override {
    return engine_.open(path, options, progress);
  }
  [[nodiscard]] Source open_sets(const std::string& path, Progress& progress) override {
    return engine_.open_sets(path, progress);
  }
  [[nodiscard]] std::string read_text(const Source& sets, Progress& progress) override {
    return engine_.read_text(sets, progress);
  }
  [[nodiscard]] SourceIdentity identify(const Source& source) override {
    return engine_.identify(source);
  }
  [[nodiscard]] SourceIdentity identify(const std::string& name) override {
    return engine_.identify(name);
  }
  [[nodiscard]] std::uint64_t count_rows(const Source& source, Progress& progress) override {
    return engine_.count_rows(source, progress);
  }
  [[nodiscard]] Table load(const Source& source, const std::vector<std::string>& columns,
                           Progress& progress) override {
    return engine_.load(source, columns, progress);
  }
  [[nodiscard]] Table page(const Source& source, std::uint64_t offset, std::uint64_t limit,
                           Progress& progress) override {
    return engine_.page(source, offset, limit, progress);
  }
  [[nodiscard]] SpooledTable group_with_aside(
      const Source& source, const std::vector<std::string>& columns,
      const std::vector<std::string>& aside, Progress& progress,
      const std::function<void(ValueCounts)>& take) override {
    return engine_.group_with_aside(source, columns, aside, progress, take);
  }
  void count_values(const Source& source, const std::vector<std::string>& columns,
                    Progress& progress, const std::function<void(ValueCounts)>& take) override {
    engine_.count_values(source, columns, progress, take);
  }
  void write(const Output& output, const std::string& path, Progress& progress) override {
    engine_.write(output, path, progress);
  }

 private:
  Engine& engine_;
  const Source& source_;
  std::vector<std::string> columns_;
  std::optional<GroupedTable> read_;
};

}  // namespace pratique
