// What leaves: a table, sets of codes, and later documents, variants, a histogram, a list of files.
// An artefact knows its files, how each is written, and how it is opened again from what was
// written; publish (publish.h) hashes them, verifies what was opened and gives them their names.
//
// The first file has the release's name; the names of the others are that name and an ending, so
// that they stand and travel together. What a format is called is recorded in the manifest, and
// open_output opens a file by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pratique/core/progress.h"
#include "pratique/engine/engine.h"
#include "pratique/kind/row_order.h"
#include "pratique/manifest/manifest.h"

namespace pratique::release {

struct ArtefactFile {
  std::string ending = {};  // of its name, after the release's; empty for the first
  std::string format;       // csv, parquet, sets
  std::optional<std::uint64_t> rows = {};
  std::optional<char> delimiter = {};  // of CSV
};

class Artefact {
 public:
  virtual ~Artefact() = default;

  // As they will lie at `path`, at least one.
  [[nodiscard]] virtual std::vector<ArtefactFile> files(const std::string& path) const = 0;
  // Writes one of its files, by its number, to `path`.
  virtual void write(Engine& engine, std::size_t file, const std::string& path,
                     Progress& progress) const = 0;
  // What the claims are about, from what was written: a path for each file.
  [[nodiscard]] virtual Source reopen(Engine& engine, const std::vector<std::string>& paths,
                                      Progress& progress) const = 0;
};

// Rows under a header, as CSV or Parquet by the name of the file.
class TableArtefact final : public Artefact {
 public:
  // Rows in the order of `output`; the caller sees to it that the order tells nothing.
  explicit TableArtefact(Output output) : output_(std::move(output)) {}
  // Rows in an order that tells nothing (row_order.h).
  TableArtefact(const Content& content, std::uint64_t seed, char delimiter);
  TableArtefact(const TableArtefact&) = delete;  // output_ may point at rows_
  TableArtefact& operator=(const TableArtefact&) = delete;

  [[nodiscard]] std::vector<ArtefactFile> files(const std::string& path) const override;
  void write(Engine& engine, std::size_t file, const std::string& path,
             Progress& progress) const override;
  [[nodiscard]] Source reopen(Engine& engine, const std::vector<std::string>& paths,
                              Progress& progress) const override;

 private:
  std::vector<std::uint32_t> rows_;
  Output output_;
};

// A set per line (data/code_sets.h), or what else is lines: the only column of `output`.
class SetsArtefact final : public Artefact {
 public:
  explicit SetsArtefact(Output output);

  [[nodiscard]] std::vector<ArtefactFile> files(const std::string& path) const override;
  void write(Engine& engine, std::size_t file, const std::string& path,
             Progress& progress) const override;
  [[nodiscard]] Source reopen(Engine& engine, const std::vector<std::string>& paths,
                              Progress& progress) const override;

 private:
  Output output_;
};

// A file of a release by the format that its manifest records. One without a format is of a
// manifest of format 1, and a table.
[[nodiscard]] Source open_output(Engine& engine, const std::string& path,
                                 const ManifestOutput& recorded, Progress& progress);
// Whether it is lines of sets rather than a table.
[[nodiscard]] bool is_sets(const ManifestOutput& recorded);

}  // namespace pratique::release
