#include "pratique/notes/flow/internal/notes_artefact.h"

#include <algorithm>
#include <fstream>
#include <vector>

#include "pratique/core/error.h"

namespace pratique::notes::flow {
namespace {

constexpr std::size_t kMostWaiting = std::size_t{64} << 20U;

std::size_t hexadecimal(char c) {
  return static_cast<std::size_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

Error disk_failed() {
  return Error::machine("a file in the temporary folder cannot be written or read")
      .hint("Is the disk full? TMPDIR names another.");
}

}  // namespace

std::string NotesArtefact::path_of(std::size_t part) const {
  return folder_.path() + "/" + std::to_string(part);
}

void NotesArtefact::add(const std::string& id, std::string_view line) {
  const std::size_t part = hexadecimal(id[0]) * 16 + hexadecimal(id[1]);
  waiting_[part] += line;
  bytes_ += line.size();
  ++notes_;
  if (bytes_ < kMostWaiting) return;
  for (std::size_t i = 0; i < kParts; ++i) flush(i);
  bytes_ = 0;
}

void NotesArtefact::flush(std::size_t part) {
  if (waiting_[part].empty()) return;
  std::ofstream out(path_of(part), std::ios::binary | std::ios::app);
  out.write(waiting_[part].data(), static_cast<std::streamsize>(waiting_[part].size()));
  if (!out.flush()) throw disk_failed();
  on_disk_[part] = true;
  waiting_[part].clear();
}

std::vector<release::ArtefactFile> NotesArtefact::files(const std::string& /*path*/) const {
  return {{.format = "jsonl", .rows = notes_}};
}

void NotesArtefact::write(Engine& /*engine*/, std::size_t /*file*/, const std::string& path,
                          Progress& progress) const {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  for (std::size_t part = 0; part < kParts; ++part) {
    std::string text = on_disk_[part] ? read_file(path_of(part)) : std::string();
    text += waiting_[part];
    // Every line begins with {"id":"PSEUDONYM", so lines in order are pseudonyms in order.
    std::vector<std::string_view> lines;
    for (std::string_view rest = text; !rest.empty();) {
      const auto end = rest.find('\n') + 1;
      lines.push_back(rest.substr(0, end));
      rest.remove_prefix(end);
    }
    std::sort(lines.begin(), lines.end());
    for (const auto line : lines) out.write(line.data(), static_cast<std::streamsize>(line.size()));
    progress.check();
  }
  if (!out.flush()) throw disk_failed();
}

Source NotesArtefact::reopen(Engine& engine, const std::vector<std::string>& paths,
                             Progress& progress) const {
  return engine.open_sets(paths.front(), progress);
}

}  // namespace pratique::notes::flow
