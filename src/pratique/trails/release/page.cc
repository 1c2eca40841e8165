#include "pratique/trails/release/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pratique/kind/distributions.h"
#include "pratique/kind/document.h"
#include "pratique/kind/recorded_figures.h"
#include "pratique/trails/format/reader.h"

namespace pratique::release {
namespace {

// Which samples each place has.
using SamplesAt = std::map<std::string, std::set<std::string>>;

void add_samples(PageContext& context, const Source& source, const std::string& place,
                 const std::string& location, const std::vector<std::string>& element,
                 SamplesAt& into) {
  std::vector<std::string> columns = element;
  if (place.empty()) columns.push_back(location);
  for (const auto& column : columns) {
    if (std::find(source.columns.begin(), source.columns.end(), column) == source.columns.end())
      return;
  }
  const auto rows = context.engine.group(source, columns, context.progress);
  const auto& grouped = rows.groups.columns;
  for (std::size_t row = 0; row < rows.counts.size(); ++row) {
    std::string sample;
    for (std::size_t c = 0; c < element.size(); ++c) {
      if (c > 0) sample += '|';
      sample += grouped[c].dictionary.value(grouped[c].codes[row]);
    }
    const std::string at =
        place.empty() ? std::string(grouped.back().dictionary.value(grouped.back().codes[row]))
                      : place;
    into[at].insert(std::move(sample));
  }
}

// The lists as they were read, where all of them are still there with their recorded hashes.
std::optional<SamplesAt> samples_before(PageContext& context) {
  const Json& parameters = *context.manifest.parameters;
  if (!parameters.contains("deidentified")) return std::nullopt;
  const Json& lists = parameters["deidentified"];
  CsvOptions options;
  const std::string delimiter = lists.value("delimiter", "");
  if (delimiter.size() == 1) options.delimiter = delimiter.front();
  const auto hashes = context.manifest.data_hashes();
  const std::set<std::string> recorded(hashes.begin(), hashes.end());
  for (const auto& path : context.file.places_of(lists.at("path").get<std::string>())) {
    std::vector<trails::TrailFile> files;
    try {
      files = trails::trail_files(path);
    } catch (const Error&) {
      continue;
    }
    const bool same = files.size() == lists.at("files").size() &&
                      std::all_of(files.begin(), files.end(), [&](const trails::TrailFile& file) {
                        return recorded.count(context.engine.identify(file.path).sha256) > 0;
                      });
    if (!same) continue;
    SamplesAt samples;
    for (const auto& file : files) {
      add_samples(context, context.engine.open(file.path, options, context.progress), file.location,
                  lists.value("location", ""), lists.at("element").get<std::vector<std::string>>(),
                  samples);
    }
    return samples;
  }
  return std::nullopt;
}

ValueCounts counts_by_place(const SamplesAt& samples) {
  ValueCounts counts;
  for (const auto& [place, at] : samples) counts.push_back({place, at.size()});
  return counts;
}

ValueCounts counts_by_places(const SamplesAt& samples) {
  std::map<std::string, std::uint64_t> places_of;
  for (const auto& [place, at] : samples) {
    for (const auto& sample : at) ++places_of[sample];
  }
  std::map<std::uint64_t, std::uint64_t> counted;
  for (const auto& [sample, places] : places_of) ++counted[places];
  ValueCounts counts;
  for (const auto& [places, count] : counted) counts.push_back({std::to_string(places), count});
  return counts;
}

void show(PageContext& context, const std::string& title, const std::string& column,
          const std::optional<ValueCounts>& before, const ValueCounts& after) {
  ReleaseReport& report = context.report;
  auto distribution = compare_distributions(column, before ? &*before : nullptr, after, report.k);
  if (distribution.cells.empty()) {
    report.hidden.push_back(column);
    return;
  }
  for (auto& cell : distribution.cells) cell.label = cleaned(cell.label);
  BarChart chart = to_chart(distribution);
  chart.title = title;
  chart.value_name = "samples";
  report.with_original = report.with_original || before.has_value();
  report.distributions.push_back(std::move(chart));
}

}  // namespace

void describe_trails(PageContext& context) {
  add_facts(context, {"people", "samples_in", "samples_out", "locations_in", "locations_out",
                      "records_in", "records_out", "method", "secure"});
  ReleaseReport& report = context.report;
  const Json& results = *context.manifest.results;
  for (auto& attack : report.attacks) {
    if (attack.key.starts_with("reidentified")) attack.what = "samples whose person is certain";
    if (attack.key.starts_with("k_reidentified"))
      attack.what = fmt::format("samples with fewer than {} possible people", report.k);
  }
  if (const auto people = results.find("possible_people"); people != results.end()) {
    const auto before = people->at("before").get<std::vector<std::uint64_t>>();
    const auto after = people->at("after").get<std::vector<std::uint64_t>>();
    if (people->at("at_least") == Json(group_size_steps(report.k)) &&
        before.size() == after.size() && before.size() == people->at("at_least").size()) {
      BarChart chart = group_size_chart("Samples by how many people they may belong to",
                                        "possible people", &before, &after, report.k);
      chart.value_name = "samples";
      report.groups.push_back(std::move(chart));
    }
  }
  const auto lost = [&](const char* key, const char* in, const char* out, const char* name,
                        const char* meaning) {
    if (!results.contains(in) || !results.contains(out)) return;
    const double before = results[in].get<double>();
    if (before > 0) {
      report.metrics.push_back({key, name, results[out].get<double>() / before, meaning});
    }
  };
  lost("samples_kept", "samples_in", "samples_out", "samples disclosed",
       "share of the samples that some place discloses");
  lost("records_kept", "records_in", "records_out", "copies disclosed",
       "share of the copies of samples at places that are disclosed");
  if (results.contains("assumption") && results["assumption"].is_string()) {
    report.remarks.push_back(fmt::format("Assumed about blanks: {}.",
                                         cleaned(results["assumption"].get<std::string>())));
  }
  const Json& claims = *context.manifest.claims;
  if (claims.empty()) return;
  const std::string location = claims.front().value("location", "");
  report.columns.push_back(
      {cleaned(location), "place", "unchanged, where the sample is disclosed"});
  const auto element = claims.front().value("element", std::vector<std::string>());
  for (const auto& column : element) {
    report.columns.push_back(
        {cleaned(column), "sample", "unchanged, at the places chosen to disclose it"});
  }
  if (!context.release) return;
  SamplesAt after;
  add_samples(context, *context.release, "", location, element, after);
  const auto before = samples_before(context);
  const auto counted = [&](ValueCounts (*count)(const SamplesAt&)) {
    return before ? std::optional(count(*before)) : std::nullopt;
  };
  show(context, "Samples by place", cleaned(location), counted(counts_by_place),
       counts_by_place(after));
  show(context, "Samples by how many places have them", "places", counted(counts_by_places),
       counts_by_places(after));
}

void contradict_trails(const Evidence& evidence, std::vector<std::string>& contradictions) {
  const Json after = evidence.manifest.results->value("after", Json::object());
  const auto none = [](double said) { return said == 0; };
  if (evidence.claims_hold && after.is_object() &&
      (!recorded(after, "reidentified", none) || !recorded(after, "k_reidentified", none)))
    contradictions.emplace_back("its figures for after do not match the released file");
}

}  // namespace pratique::release
