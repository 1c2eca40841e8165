#include "pratique/core/file_bounds.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "pratique/core/error.h"
#include "pratique/core/internal/unique_suffix.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;
constexpr std::string_view kNotePrefix = "unfinished-";

struct Bounds {
  fs::path folder;  // both canonical; empty: there are no bounds
  fs::path scratch;
};
Bounds& bounds() {
  static Bounds the;
  return the;
}

// Links followed; empty where that is not possible, as for a link that leads nowhere yet.
fs::path real_path(const std::string& path) {
  std::error_code failed;
  fs::path real = fs::weakly_canonical(fs::absolute(path, failed), failed);
  if (failed || fs::is_symlink(fs::symlink_status(real, failed))) return {};
  return real;
}

bool is_inside(const fs::path& root, const fs::path& path) {
  if (root.empty() || path.empty()) return false;
  const auto [end, ignored] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return end == root.end();
}

// Private manifests, hidden beside what they are of, are for whoever may see that. So is the
// registry of privacy budgets beside its data: without it nothing may be asked.
bool has_hidden_part(const fs::path& relative) {
  for (auto part = relative.begin(); part != relative.end(); ++part) {
    if (*part == "." || !part->string().starts_with('.')) continue;
    const auto next = std::next(part);
    if (*part == ".pratique-dp.json" && next == relative.end()) return false;
    if (*part != ".pratique" || next == relative.end() || *next != "private") return true;
  }
  return false;
}

// What AtomicFile and PrivateFolder give out, and nothing else: a note is no licence to remove.
bool is_unfinished_name(std::string_view name) {
  for (const std::string_view prefix : {".pratique-", "pratique-", "."}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    const auto digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
    return digits == 16 && (name.size() == 16 || name[16] == '.');
  }
  return false;
}

bool is_gone(std::string_view note) {
  pid_t process = 0;
  note.remove_prefix(kNotePrefix.size());
  const auto parsed = std::from_chars(note.data(), note.data() + note.size(), process);
  return parsed.ec == std::errc() && process > 0 && kill(process, 0) != 0 && errno == ESRCH;
}

}  // namespace

void set_file_bounds(const std::string& folder, const std::string& scratch) {
  bounds() = folder.empty() ? Bounds() : Bounds{real_path(folder), real_path(scratch)};
}

void require_within_bounds(const std::string& path, const std::set<std::string>& own) {
  const auto& [folder, scratch] = bounds();
  if (folder.empty() || path == "-") return;
  const fs::path real = real_path(path);
  const bool allowed =
      is_inside(scratch, real) ||
      (is_inside(folder, real) && !has_hidden_part(real.lexically_relative(folder))) ||
      std::any_of(own.begin(), own.end(), [&](const std::string& owned) {
        return !real.empty() && real_path(owned) == real;
      });
  if (!allowed) {
    throw Error::input("this is outside the data folder, or hidden")
        .at(path)
        .hint("A job of the workbench can use only visible files in its data folder.");
  }
}

std::string note_unfinished(const std::string& path) {
  const auto& [folder, scratch] = bounds();
  if (folder.empty()) return {};
  const fs::path real = real_path(path);
  if (is_inside(scratch, real)) return {};
  std::string note =
      (scratch / fmt::format("{}{}-{}", kNotePrefix, getpid(), unique_suffix())).string();
  std::ofstream file(note, std::ios::binary);
  file << real.string();
  if (!file.flush())
    throw Error::machine("cannot write to the folder for temporary files").at(note);
  return note;
}

void remove_left_over_files(const std::string& folder, const std::string& scratch, LeftOver which) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(scratch, ignored)) {
    const std::string name = entry.path().filename();
    if (!name.starts_with(kNotePrefix)) continue;
    if (which == LeftOver::of_dead_processes && !is_gone(name)) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const fs::path left = text.str();
    const bool ours = is_unfinished_name(left.filename().string()) &&
                      is_inside(real_path(folder), real_path(left.parent_path()));
    if (ours) fs::remove_all(left, ignored);
    fs::remove(entry.path(), ignored);
  }
}

}  // namespace pratique
