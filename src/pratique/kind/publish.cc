#include "pratique/kind/publish.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/clock.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/version.h"
#include "pratique/manifest/manifest.h"

namespace pratique::release {
namespace {

ManifestInput input_of(const std::string& name, const SourceIdentity& identity, std::string role) {
  return {name, identity.sha256, identity.bytes, std::move(role)};
}

std::string_view name_of(FileFormat format) {
  return format == FileFormat::csv ? "csv" : format == FileFormat::sets ? "sets" : "parquet";
}

}  // namespace

void refuse_overwriting_inputs(const std::string& out, const std::vector<Source>& inputs,
                               const std::vector<std::string>& other_files) {
  if (out == "-") {
    throw Error::input("a release cannot go to standard output: its manifest lies beside it")
        .hint("Name a file with --out.");
  }
  std::vector<std::string> read = other_files;
  for (const auto& input : inputs) read.insert(read.end(), input.files.begin(), input.files.end());
  read.emplace_back("/dev/stdin");
  for (const auto& written : {out, Manifest::path_of(out)}) {
    for (const auto& file : read) {
      if (same_file(written, file)) {
        throw Error::input("the output is the same file as an input")
            .at(written)
            .hint("Choose another name with --out; the original must stay as it is.");
      }
    }
  }
}

std::vector<verify::ClaimResult> publish(Engine& engine, const Content& content,
                                         const std::string& path, const Origin& origin,
                                         const Json& parameters, const Json& claims,
                                         const Json& results, Progress& progress) {
  const auto rows = order_by_content(content, origin.seed);
  const Output output{.columns = content.columns,
                      .rows = &rows,
                      .row_count = rows.size(),
                      .delimiter = origin.inputs.empty() ? ',' : origin.inputs.front().delimiter};
  return publish(engine, output, path, origin, parameters, claims, results, progress);
}

std::vector<verify::ClaimResult> publish(Engine& engine, const Output& output,
                                         const std::string& path, const Origin& origin,
                                         const Json& parameters, const Json& claims,
                                         const Json& results, Progress& progress) {
  refuse_overwriting_inputs(path, origin.inputs, origin.other_files);
  AtomicFile pending(path);
  try {
    engine.write(output, pending.temporary_path(), progress);
  } catch (Error& error) {
    throw error.at(path);  // the user knows this name, not the hidden one
  }
  const Source written = output.bare ? engine.open_sets(pending.temporary_path(), progress)
                                     : engine.open(pending.temporary_path(),
                                                   {.delimiter = output.delimiter}, progress);
  std::vector<verify::ClaimResult> found;
  Json verification = Json::array();
  Json standing = claims;
  for (const auto& claim : claims) {
    found.push_back(verify::verify_claim(engine, written, claim, progress));
    const auto& result = found.back();
    if (!result.holds) {
      throw Error::check(
          fmt::format("the release does not satisfy {}: {}", result.model, result.explanation))
          .at(path)
          .hint("Nothing was written. Ask for less, or let more be generalised or left out.");
    }
    standing[found.size() - 1]["standing"] = result.standing;
    verification.push_back({{"model", result.model}, {"explanation", result.explanation}});
  }

  Manifest manifest;
  manifest.version = kVersion;
  manifest.created = utc_time();
  manifest.kind = origin.kind;
  manifest.verb = origin.verb;
  manifest.command = origin.command;
  manifest.seed = origin.seed;
  for (const auto& input : origin.inputs)
    manifest.inputs.push_back(input_of(input.name, engine.identify(input), ""));
  for (const auto& file : origin.other_files)
    manifest.inputs.push_back(input_of(file, engine.identify(file), "setting"));
  const SourceIdentity identity = engine.identify(written);
  manifest.outputs = {{path, identity.sha256, identity.bytes, std::string(name_of(written.format)),
                       output.row_count}};
  if (written.format == FileFormat::csv) manifest.outputs[0].delimiter = output.delimiter;
  manifest.options = origin.options;
  manifest.parameters = parameters;
  manifest.claims = standing;
  manifest.verification = verification;
  manifest.results = results;
  AtomicFile beside(Manifest::path_of(path));
  beside.write(manifest.to_text());
  beside.commit();
  pending.commit();
  return found;
}

}  // namespace pratique::release
