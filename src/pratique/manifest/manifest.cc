#include "pratique/manifest/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/file.h"
#include "pratique/core/joint_commit.h"
#include "pratique/manifest/internal/manifest_reader.h"

namespace pratique {
namespace {

constexpr std::uint64_t kUsualK = 5;
constexpr std::array<std::pair<ClaimStanding, std::string_view>, 3> kStandings = {
    {{ClaimStanding::derived, "derived"},
     {ClaimStanding::tested, "tested"},
     {ClaimStanding::attested, "attested"}}};

std::vector<std::string> texts(const ManifestReader& reader, const char* key) {
  std::vector<std::string> all;
  for (const auto& element : reader.list(key)) {
    if (!element.is_string()) throw reader.wrong(key, "holds something other than texts");
    all.push_back(element.get<std::string>());
  }
  return all;
}

int format_of(const ManifestReader& reader, const std::string& place) {
  if (!reader.has("format")) return 1;
  const std::uint64_t format = reader.whole("format");
  if (format == 0) throw reader.wrong("format", "is 0");
  if (format > Manifest::kFormat) {
    throw Error::input(
        fmt::format("this manifest is of format {}, which this version does not know", format))
        .at(place)
        .hint(fmt::format(
            "Use the version of pratique that wrote it; this one reads formats 1 to {}.",
            Manifest::kFormat));
  }
  return static_cast<int>(format);
}

// A commitment, or the hash and size of manifests before format 3.
ManifestInput read_input(const ManifestReader& reader) {
  ManifestInput input{.path = reader.text("path"), .role = reader.text_or_none("role")};
  if (reader.has("commitment")) {
    input.commitment = reader.text("commitment");
  } else {
    input.sha256 = reader.text("sha256");
    input.bytes = reader.whole_or_none("bytes");
  }
  return input;
}

ManifestOutput read_output(const ManifestReader& reader) {
  ManifestOutput output{reader.text_or_none("path"), reader.text("sha256"),
                        reader.whole_or_none("bytes"), reader.text_or_none("format")};
  if (reader.has("rows")) output.rows = reader.whole("rows");
  if (const std::string delimiter = reader.text_or_none("delimiter"); delimiter.size() == 1)
    output.delimiter = delimiter.front();
  return output;
}

Json to_json(const ManifestInput& input) {
  Json json = {{"path", input.path}};
  if (input.commitment.empty()) {
    json["sha256"] = input.sha256;
    json["bytes"] = input.bytes;
  } else {
    json["commitment"] = input.commitment;
  }
  if (!input.role.empty()) json["role"] = input.role;
  return json;
}

Json to_json(const ManifestOutput& output) {
  Json json = {{"path", output.path}, {"sha256", output.sha256}, {"bytes", output.bytes}};
  if (output.rows) json["rows"] = *output.rows;
  if (!output.format.empty()) json["format"] = output.format;
  if (output.delimiter) json["delimiter"] = std::string(1, *output.delimiter);
  return json;
}

// What format 2 has and format 1 does not.
void read_rest(const ManifestReader& reader, Manifest& manifest) {
  manifest.kind = reader.text("kind");
  manifest.verb = reader.text("verb");
  manifest.options = reader.object("options");
  manifest.verification = reader.list("verification");
  for (const char* key : {"tool", "version", "created"}) (void)reader.text(key);
  (void)reader.whole("seed");
  reader.each("outputs", [&](const ManifestReader& output) {
    manifest.outputs.push_back(read_output(output));
  });
  if (reader.list("outputs").empty()) throw reader.wrong("outputs", "is empty");
  if (reader.list("outputs").front() != reader.object("output"))
    throw reader.wrong("output", "is not the first of outputs");
  reader.each("claims", [](const ManifestReader& claim) {
    if (!claim_standing(claim.text("standing")))
      throw claim.wrong("standing", "is not derived, tested or attested");
  });
  if (!reader.has("figures")) return;
  reader.each("figures", [&](const ManifestReader& figure) {
    manifest.figures.push_back(read_figure(figure));
  });
}

}  // namespace

std::string_view to_text(ClaimStanding standing) {
  return kStandings.at(static_cast<std::size_t>(standing)).second;
}

std::optional<ClaimStanding> claim_standing(std::string_view text) {
  for (const auto& [standing, word] : kStandings) {
    if (word == text) return standing;
  }
  return std::nullopt;
}

Error Manifest::malformed(const std::string& place, const std::string& what) {
  return Error::input("this manifest is not as pratique writes it" +
                      (what.empty() ? what : ": " + what))
      .at(place)
      .hint("It was changed by hand or comes from another version of pratique.");
}

Manifest Manifest::parse(std::string_view text, const std::string& place) {
  const Json json = parse_json(text, place);
  const ManifestReader reader(json, "", place);
  Manifest manifest;
  manifest.format = format_of(reader, place);
  manifest.tool = reader.text_or_none("tool");
  manifest.version = reader.text_or_none("version");
  manifest.created = reader.text_or_none("created");
  manifest.command = texts(reader, "command");
  manifest.seed = reader.whole_or_none("seed");
  manifest.private_name = reader.text_or_none("private");
  reader.each("inputs",
              [&](const ManifestReader& input) { manifest.inputs.push_back(read_input(input)); });
  // Calling itself older than it is, it would be asked for less.
  constexpr int kFirstWithCommitments = 3;
  const bool commits = std::any_of(manifest.inputs.begin(), manifest.inputs.end(),
                                   [](const auto& input) { return !input.commitment.empty(); });
  if (manifest.format < kFirstWithCommitments && (commits || !manifest.private_name.empty()))
    throw reader.wrong("format", "is less than what it has");
  manifest.parameters = reader.object("parameters");
  manifest.claims = reader.list("claims");
  reader.each("claims", [](const ManifestReader& claim) { (void)claim.text("model"); });
  manifest.results = reader.object("results");
  if (manifest.format > 1) {
    read_rest(reader, manifest);
    return manifest;
  }
  if (!manifest.command.empty()) manifest.kind = manifest.command[0];
  if (manifest.command.size() > 1) manifest.verb = manifest.command[1];
  manifest.verification =
      reader.has("verification") ? reader.list("verification") : Json(Json::array());
  manifest.outputs = {read_output(ManifestReader(reader.object("output"), "output", place))};
  return manifest;
}

Manifest Manifest::read(const std::string& path) { return parse(read_file(path), path); }

std::string Manifest::path_of(const std::string& release) { return release + ".manifest.json"; }

std::optional<Manifest> Manifest::beside(const std::string& release) {
  finish_interrupted(release);
  std::error_code ignored;
  if (!std::filesystem::exists(path_of(release), ignored)) return std::nullopt;
  return read(path_of(release));
}

std::string Manifest::to_text() const {
  Json files_read = Json::array();
  for (const auto& input : inputs) files_read.push_back(to_json(input));
  Json written = Json::array();
  for (const auto& output : outputs) written.push_back(to_json(output));
  Json json = {{"format", format},   {"tool", tool}, {"version", version},
               {"created", created}, {"kind", kind}, {"verb", verb},
               {"command", command}, {"seed", seed}, {"inputs", files_read}};
  if (!private_name.empty()) json["private"] = private_name;
  json["output"] = written.at(0);
  json["outputs"] = std::move(written);
  json["options"] = *options;
  json["parameters"] = *parameters;
  json["claims"] = *claims;
  json["verification"] = *verification;
  json["results"] = *results;
  json["figures"] = to_json(figures);
  return pratique::to_text(json);
}

std::vector<std::string> Manifest::data_hashes() const {
  std::vector<std::string> hashes;
  for (const auto& input : inputs) {
    if (input.role.empty() && !input.sha256.empty()) hashes.push_back(input.sha256);
  }
  return hashes;
}

std::optional<std::string> Manifest::option_text(const std::string& name) const {
  const auto option = options->find(name);
  if (option == options->end() || !option->is_string()) return std::nullopt;
  auto text = option->get<std::string>();
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::vector<std::string> Manifest::words() const {
  if (format == 1) return command;
  const bool only_seed = options->empty() || (options->size() == 1 && options->contains("seed"));
  if (only_seed) return {};
  std::vector<std::string> all = {kind, verb};
  std::vector<std::string> flags;
  const auto text_of = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  for (const auto& [name, value] : options->items()) {
    // Inputs stand by their place; their names are in capitals.
    const bool input = !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
    const Json given = name == "seed" && value.is_null() ? Json(seed) : value;
    if (given.is_null() || given == "" || given == false) continue;
    if (given == true) {
      flags.push_back("--" + name);
      continue;
    }
    for (const auto& item : given.is_array() ? given : Json::array({given})) {
      if (!input) flags.push_back("--" + name);
      (input ? all : flags).push_back(text_of(item));
    }
  }
  all.insert(all.end(), flags.begin(), flags.end());
  return all;
}

std::optional<std::uint64_t> Manifest::promised_k() const {
  std::uint64_t largest = 0;
  for (const auto& claim : *claims) {
    if (claim.contains("k") && claim["k"].is_number_unsigned())
      largest = std::max(largest, claim["k"].get<std::uint64_t>());
  }
  return largest == 0 ? std::nullopt : std::optional(largest);
}

std::uint64_t Manifest::k() const { return promised_k().value_or(kUsualK); }

}  // namespace pratique
