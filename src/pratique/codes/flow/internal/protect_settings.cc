#include "pratique/codes/flow/internal/protect_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>
#include <variant>

#include "pratique/columns/default_hierarchy.h"
#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/data/settings.h"

namespace pratique::codes::flow {
namespace {

using Names = std::vector<std::string>;

std::string file_of(const Setting& setting, const ProtectRequest& request) {
  const auto path = request.model_files.find(setting.key);
  return path == request.model_files.end() ? std::string() : path->second;
}

bool is_given(const Setting& setting, const ProtectRequest& request) {
  const auto changed = [&](auto field) { return request.parameters.*field != Parameters{}.*field; };
  return std::visit(
      [&](const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, Setting::FromFile>) {
          return !file_of(setting, request).empty();
        } else if constexpr (std::is_same_v<Value, Setting::Columns>) {
          return changed(value.names);
        } else if constexpr (std::is_same_v<Value, Setting::Hierarchies>) {
          return changed(value.specs);
        } else {
          return changed(value);
        }
      },
      setting.value);
}

// The methods of km that may remove codes instead of generalising more.
bool generalises(const Method& method) {
  return method.needs_tree && listens_to(find_model(method.model), "suppression");
}

}  // namespace

bool listens_to(const Model& model, std::string_view key) {
  return std::ranges::find(model.settings, key, &Setting::key) != model.settings.end();
}

void refuse_unused(const ProtectRequest& request, const Method& method) {
  for (const Setting& setting : model_settings()) {
    if (!is_given(setting, request) || listens_to(find_model(method.model), setting.key)) continue;
    Names hearing;
    for (const Model* model : models()) {
      if (listens_to(*model, setting.key)) hearing.emplace_back(model->key);
    }
    throw Error::input(fmt::format("--{} has no effect with --model {}", setting.key, method.model))
        .hint(fmt::format("Leave it out; it goes with --model {}.", fmt::join(hearing, ", ")));
  }
  if (request.parameters.suppression > 0 && !generalises(method)) {
    throw Error::input(fmt::format("--suppression has no effect with --method {}", method.name))
        .hint("Leave it out; it goes with --method local and apriori.");
  }
  if (method.name != kDisassociation) return;
  const char* codes_stay = "Leave it out: every code stays as it is.";
  const char* nothing_rides = "Leave it out: no other column leaves with the codes.";
  const std::tuple<const char*, bool, const char*> others[] = {
      {"hierarchy", !request.codes.hierarchy.empty(), codes_stay},
      {"weights", !request.weights.empty(), codes_stay},
      {"insensitive", !request.insensitive.empty(), nothing_rides},
      {"allow", !request.allowed.empty(), nothing_rides}};
  for (const auto& [option, given, hint] : others) {
    if (!given) continue;
    throw Error::input(fmt::format("--{} has no effect with --method {}", option, method.name))
        .hint(hint);
  }
}

std::vector<std::string> other_files(const ProtectRequest& request) {
  auto files = request.codes.other_files();
  for (const Setting& setting : model_settings()) {
    const auto path = file_of(setting, request);
    if (!path.empty() && path != setting.instead) files.push_back(path);
  }
  if (!request.weights.empty()) files.push_back(request.weights);
  if (!request.queries.empty()) files.push_back(request.queries);
  for (const auto& [column, spec] :
       column_values(request.parameters.value_hierarchies, "--qi-hierarchy",
                     request.parameters.quasi_identifiers)) {
    if (!is_builtin_hierarchy(spec)) files.push_back(spec);
  }
  return files;
}

Parameters read_parameters(Parameters read, const ProtectRequest& request, const CodeSets& sets) {
  for (const auto& setting : model_settings()) {
    const auto* from_file = std::get_if<Setting::FromFile>(&setting.value);
    const auto path = file_of(setting, request);
    if (from_file != nullptr && !path.empty()) (*from_file)(path, sets, read);
  }
  return read;
}

std::vector<QuasiIdentifier> quasi_identifiers_of(const Parameters& options, const Names& columns,
                                                  const CodeFile& file) {
  auto hierarchies = column_values(options.value_hierarchies, "--qi-hierarchy", columns);
  std::vector<QuasiIdentifier> result;
  for (const auto& column : columns) {
    const auto spec = hierarchies.extract(column);
    const auto rider =
        std::ranges::find(file.riders.columns, column, [](const Column& c) { return c.name; });
    // Which of the columns cannot be one is told where they are bound.
    if (!spec.empty() || rider == file.riders.columns.end()) {
      result.push_back({column, spec.empty() ? "flat" : spec.mapped()});
    } else {
      result.push_back({column, columns::default_hierarchy(column, rider->dictionary)});
    }
  }
  if (!hierarchies.empty()) {
    throw Error::input(fmt::format("--qi-hierarchy names '{}', which is not a quasi-identifier",
                                   hierarchies.begin()->first));
  }
  return result;
}

std::vector<double> read_weights(const std::string& path, const CodeSets& sets,
                                 const std::optional<Spelling>& spelling, const Run& run) {
  if (path.empty()) return {};
  const Table table = run.engine.load(run.open(path), {"code", "weight"}, run.progress);
  std::vector<double> weights(sets.codes.size(), 1);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto text = table.columns[1].text(row);
    double weight = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), weight);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() ||
        !std::isfinite(weight) || weight < 0) {
      throw Error::input("a weight is not a number of 0 or more")
          .at(fmt::format("{}, row {}", path, row + 1));
    }
    for (const Code code : codes_named(table.columns[0].text(row), sets.codes, spelling,
                                       fmt::format("{}, row {}", path, row + 1))) {
      weights[code] = weight;
    }
  }
  return weights;
}

}  // namespace pratique::codes::flow
