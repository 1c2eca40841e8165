// Notes on their way out, in the order of their pseudonyms: without the key it tells nothing. They
// wait on disk, in a private folder, in parts by the first digits of the pseudonym, and only one
// part at a time is sorted in memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "pratique/core/file.h"
#include "pratique/kind/artefact.h"

namespace pratique::notes::flow {

class NotesArtefact final : public release::Artefact {
 public:
  // `line` ends with a line break. Ids are 32 hexadecimal digits, each once.
  void add(const std::string& id, std::string_view line);
  [[nodiscard]] std::uint64_t notes() const { return notes_; }

  [[nodiscard]] std::vector<release::ArtefactFile> files(const std::string& path) const override;
  void write(Engine& engine, std::size_t file, const std::string& path,
             Progress& progress) const override;
  [[nodiscard]] Source reopen(Engine& engine, const std::vector<std::string>& paths,
                              Progress& progress) const override;

 private:
  static constexpr std::size_t kParts = 256;
  void flush(std::size_t part);
  [[nodiscard]] std::string path_of(std::size_t part) const;

  PrivateFolder folder_;
  std::array<std::string, kParts> waiting_;
  std::array<bool, kParts> on_disk_{};
  std::size_t bytes_ = 0;
  std::uint64_t notes_ = 0;
};

}  // namespace pratique::notes::flow
