#include "pratique/release/publish.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/core/clock.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/version.h"
#include "pratique/crypto/hash.h"
#include "pratique/verify/release_verifier.h"

namespace pratique::release {
namespace {

Json describe_file(const std::string& name, const std::string& path) {
  return {{"path", name}, {"sha256", sha256_file(path)}, {"bytes", file_size(path)}};
}

}  // namespace

void refuse_overwriting_inputs(const std::string& out, const std::vector<Source>& inputs,
                               const std::vector<std::string>& other_files) {
  if (out == "-") {
    throw Error::input("a release cannot go to standard output: its manifest lies beside it")
        .hint("Name a file with --out.");
  }
  std::vector<std::string> read = other_files;
  for (const auto& input : inputs) read.push_back(input.path);
  read.emplace_back("/dev/stdin");
  for (const auto& written : {out, verify::manifest_path(out)}) {
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
  for (const auto& claim : claims) {
    found.push_back(verify::verify_claim(engine, written, claim, progress));
    const auto& result = found.back();
    if (!result.holds) {
      throw Error::check(
          fmt::format("the release does not satisfy {}: {}", result.model, result.explanation))
          .at(path)
          .hint("Nothing was written. Ask for less, or let more be generalised or left out.");
    }
    verification.push_back({{"model", result.model}, {"explanation", result.explanation}});
  }

  Json inputs = Json::array();
  for (const auto& input : origin.inputs) inputs.push_back(describe_file(input.name, input.path));
  for (const auto& file : origin.other_files) {
    inputs.push_back(describe_file(file, file));
    inputs.back()["role"] = "setting";
  }
  Json released = describe_file(path, pending.temporary_path());
  released["rows"] = output.row_count;
  if (written.format == FileFormat::csv) released["delimiter"] = std::string(1, output.delimiter);
  if (written.format == FileFormat::sets) released["format"] = "sets";
  AtomicFile manifest(verify::manifest_path(path));
  manifest.write(to_text(Json{{"tool", "pratique"},
                              {"version", kVersion},
                              {"created", utc_time()},
                              {"command", origin.command},
                              {"seed", origin.seed},
                              {"inputs", std::move(inputs)},
                              {"output", std::move(released)},
                              {"parameters", parameters},
                              {"claims", claims},
                              {"verification", std::move(verification)},
                              {"results", results}}));
  manifest.commit();
  pending.commit();
  return found;
}

}  // namespace pratique::release
