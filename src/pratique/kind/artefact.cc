#include "pratique/kind/artefact.h"

namespace pratique::release {
namespace {

constexpr const char* kSets = "sets";
constexpr const char* kFasta = "fasta";
constexpr const char* kVcf = "vcf";
constexpr const char* kJsonLines = "jsonl";

}  // namespace

TableArtefact::TableArtefact(const Content& content, std::uint64_t seed, char delimiter)
    : rows_(order_by_content(content, seed)),
      output_{.columns = content.columns,
              .rows = &rows_,
              .row_count = rows_.size(),
              .delimiter = delimiter} {}

std::vector<ArtefactFile> TableArtefact::files(const std::string& path) const {
  ArtefactFile file{.format = "csv", .rows = output_.row_count, .delimiter = output_.delimiter};
  if (path.ends_with(".parquet")) {
    file.format = "parquet";
    file.delimiter.reset();
  }
  return {file};
}

void TableArtefact::write(Engine& engine, std::size_t /*file*/, const std::string& path,
                          Progress& progress) const {
  engine.write(output_, path, progress);
}

Source TableArtefact::reopen(Engine& engine, const std::vector<std::string>& paths,
                             Progress& progress) const {
  return engine.open(paths.front(), {.delimiter = output_.delimiter}, progress);
}

SetsArtefact::SetsArtefact(Output output) : output_(std::move(output)) { output_.bare = true; }

std::vector<ArtefactFile> SetsArtefact::files(const std::string& /*path*/) const {
  return {{.format = kSets, .rows = output_.row_count}};
}

void SetsArtefact::write(Engine& engine, std::size_t /*file*/, const std::string& path,
                         Progress& progress) const {
  engine.write(output_, path, progress);
}

Source SetsArtefact::reopen(Engine& engine, const std::vector<std::string>& paths,
                            Progress& progress) const {
  return engine.open_sets(paths.front(), progress);
}

bool is_sets(const ManifestOutput& recorded) {
  return recorded.format == kSets || recorded.format == kFasta || recorded.format == kVcf ||
         recorded.format == kJsonLines;
}

Source open_output(Engine& engine, const std::string& path, const ManifestOutput& recorded,
                   Progress& progress) {
  if (is_sets(recorded)) return engine.open_sets(path, progress);
  return engine.open(path, {.delimiter = recorded.delimiter}, progress);
}

}  // namespace pratique::release
