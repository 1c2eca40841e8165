#include "pratique/trails/flow/resolve.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/crypto/random.h"
#include "pratique/kind/publish.h"
#include "pratique/trails/attack/resolution.h"
#include "pratique/trails/format/reader.h"

namespace pratique::trails::flow {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The column of this name; headers may have spaces around names.
std::string column_named(const Source& source, const std::string& name) {
  for (const auto& column : source.columns) {
    if (trimmed(column) == name) return column;
  }
  return source.columns[column_index(source.columns, name, source.name)];
}

bool has_column(const Source& source, const std::string& name) {
  return std::any_of(source.columns.begin(), source.columns.end(),
                     [&](const std::string& column) { return trimmed(column) == name; });
}

struct Records {
  Table fields;
  std::vector<std::string> locations;  // per record
  std::vector<Code> truth;             // per record, when it is known
};

Records read_records(const Run& run, const ResolveRequest& options, std::vector<Source>& sources) {
  Records records;
  for (const auto& field : options.fields) records.fields.columns.push_back({field, {}, {}});
  Dictionary truth;
  for (const auto& given : options.files) {
    for (const auto& file : trails::trail_files(given)) {
      sources.push_back(run.open(file.path));
      const Source& source = sources.back();
      std::vector<std::string> columns;
      for (const auto& field : options.fields) columns.push_back(column_named(source, field));
      const bool named_location = file.location.empty() && has_column(source, options.location);
      const std::string location =
          !file.location.empty() ? file.location : std::filesystem::path(file.path).stem().string();
      if (named_location) columns.push_back(column_named(source, options.location));
      if (!options.truth.empty()) columns.push_back(column_named(source, options.truth));
      const Table table = run.engine.load(source, columns, run.progress);
      for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t f = 0; f < options.fields.size(); ++f) {
          Column& column = records.fields.columns[f];
          column.codes.push_back(column.dictionary.intern(table.columns[f].text(row)));
        }
        records.locations.push_back(
            named_location ? std::string(trimmed(table.columns[options.fields.size()].text(row)))
                           : location);
        if (records.locations.back().empty()) {
          throw Error::input(fmt::format("row {} has no location", row + 1))
              .at(source.name)
              .hint("Every record needs the location it comes from.");
        }
        if (!options.truth.empty()) {
          records.truth.push_back(truth.intern(trimmed(table.columns.back().text(row))));
        }
      }
    }
  }
  return records;
}

void write_sightings(const Run& run, const std::string& path, const Records& records,
                     const trails::Resolution& resolution) {
  std::vector<std::string> persons;
  for (std::uint32_t p = 0; p < resolution.persons; ++p)
    persons.push_back(fmt::format("{}", p + 1));
  std::vector<Code> rows;
  for (std::size_t row = 0; row < records.locations.size(); ++row) {
    rows.push_back(static_cast<Code>(row));
  }
  Output output;
  output.columns = {{"location", &rows, &records.locations},
                    {"element", &resolution.person, &persons}};
  output.row_count = rows.size();
  output.is_private = true;
  run.engine.write(output, path, run.progress);
}

Json weights(const trails::Resolution& resolution) {
  Json list = Json::array();
  for (const auto& field : resolution.fields) {
    const auto weight = [&](trails::Agreement agreement) {
      const auto a = static_cast<std::size_t>(agreement);
      return std::log2(field.m[a] / field.u[a]);
    };
    list.push_back({{"field", field.field},
                    {"exact", weight(trails::Agreement::exact)},
                    {"near", weight(trails::Agreement::near)},
                    {"some", weight(trails::Agreement::some)},
                    {"none", weight(trails::Agreement::none)}});
  }
  return list;
}

}  // namespace

Outcome resolve(const ResolveRequest& options, const Run& run) {
  std::vector<Source> sources;
  const Records records = read_records(run, options, sources);
  if (!options.out.empty()) release::refuse_overwriting_inputs(options.out, sources);
  const std::uint64_t seed = options.seed ? *options.seed : draw_seed();
  const auto resolution =
      trails::resolve(records.fields, {.threshold = options.threshold, .seed = seed}, run.progress);
  Json result = {{"records", records.locations.size()},
                 {"elements", resolution.persons},
                 {"compared_pairs", resolution.compared},
                 {"threshold", options.threshold},
                 {"seed", seed},
                 {"weights", weights(resolution)}};
  if (!options.truth.empty()) {
    const auto score = trails::score_pairs(resolution.person, records.truth);
    result["true_pairs"] = score.true_pairs;
    result["joined_pairs"] = score.joined;
    result["correct_pairs"] = score.correct;
    result["precision"] = score.precision();
    result["recall"] = score.recall();
    result["f1"] = score.f1();
  }
  if (!options.out.empty()) {
    write_sightings(run, options.out, records, resolution);
    result["out"] = options.out;
  }
  return {result};
}

}  // namespace pratique::trails::flow
