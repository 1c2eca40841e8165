#include "pratique/kind/ru_map_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/kind/publish.h"
#include "pratique/manifest/private_manifest.h"

namespace pratique::release {
namespace {

void write_for_owner(const std::string& path, const std::string& text) {
  AtomicFile file(path, 0600);
  file.write(text);
  file.commit();
}

}  // namespace

void refuse_name_of_file(const std::string& folder) {
  // Not .csv: the workbench calls the map of people.csv maps/people.csv.
  constexpr std::array<std::string_view, 5> kEndings = {".html", ".htm", ".svg", ".png", ".pdf"};
  const std::string ending = lower(std::filesystem::path(folder).extension().string());
  std::error_code none;
  if (std::find(kEndings.begin(), kEndings.end(), ending) == kEndings.end() ||
      std::filesystem::is_directory(folder, none))
    return;
  throw Error::input(
      fmt::format("--out names a folder, and this is the name of a file ({})", ending))
      .at(folder)
      .hint("Name a folder: ru-map.csv, ru-map.json and ru-map.svg go into it.");
}

void write_ru_map(const std::string& folder, const std::string& csv, const Chart& chart,
                  const Json& points, const Source& original, const Run& run) {
  const auto path = [&](const char* name) {
    return (std::filesystem::path(folder) / name).string();
  };
  const SourceIdentity identity = run.engine.identify(original);
  PrivateManifest kept = PrivateManifest::draw();
  kept.inputs = {{.path = original.name, .sha256 = identity.sha256, .bytes = identity.bytes}};
  (void)keep_private(kept, {original}, run.private_folder, path("ru-map.json"));
  write_for_owner(path("ru-map.csv"), csv);
  write_for_owner(path("ru-map.svg"), to_svg(chart));
  write_for_owner(path("ru-map.json"), to_text({{"chart", to_json(chart)},
                                                {"points", points},
                                                {"settings", *run.options},
                                                {"private", kept.name()},
                                                {"input", kept.commitment(kept.inputs.front())}}));
}

}  // namespace pratique::release
