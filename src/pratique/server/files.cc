#include "pratique/server/files.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/guarded_file.h"
#include "pratique/crypto/hash.h"
#include "pratique/crypto/random.h"
#include "pratique/release/kinds.h"

namespace pratique::server {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostFiles = 10'000;
constexpr std::chrono::hours kSetAside{1};

// A hierarchy's lines end in one and the same root, and it has no header that says otherwise.
bool looks_like_hierarchy(std::string_view text) {
  std::size_t lines = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) break;  // cut off
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.ends_with(",*") && !line.ends_with(";*") && !line.ends_with("\"*\"")) return false;
    ++lines;
  }
  return lines > 0;
}

std::string content_type(const std::string& path) {
  struct Type {
    const char* ending;
    const char* type;
  };
  static constexpr std::array types{
      Type{".html", "text/html; charset=utf-8"},
      Type{".json", "application/json"},
      Type{".svg", "image/svg+xml"},
      Type{".csv", "text/plain; charset=utf-8"},
      Type{".md", "text/plain; charset=utf-8"},
      Type{".txt", "text/plain; charset=utf-8"},
      Type{".yaml", "text/plain; charset=utf-8"},
      Type{".pdf", "application/pdf"},
      Type{".png", "image/png"},
  };
  for (const auto& type : types) {
    if (lower(path).ends_with(type.ending)) return type.type;
  }
  return "application/octet-stream";
}

// RFC 8187, for any name.
std::string disposition(const std::string& path) {
  std::string encoded;
  for (const char c : fs::path(path).filename().string()) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
    encoded += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return "attachment; filename*=UTF-8''" + encoded;
}

// Files are replaced whole: another one is another inode, or at least of another moment.
std::string tag_of(const struct stat& status) {
  return fmt::format("\"{:x}-{:x}-{:x}-{:x}\"", status.st_ino, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, status.st_size);
}

// Parquet begins and ends with the same four bytes. A header may begin with them, too: PAR1,b.
bool is_broken_parquet(const std::string& name, const std::string& path, std::string_view start) {
  constexpr std::string_view magic = "PAR1";
  constexpr std::string_view after_a_name = ",;\t|\r\n";
  const bool called = lower(name).ends_with(".parquet");
  const bool begins = start.starts_with(magic);
  const bool header = begins && start.size() > magic.size() &&
                      after_a_name.find(start[magic.size()]) != std::string_view::npos;
  if (!called && (!begins || header)) return false;
  std::array<char, 4> end{};
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const off_t size = lseek(file, 0, SEEK_END);
  const bool whole = size >= 12 && pread(file, end.data(), end.size(), size - 4) == 4 &&
                     std::string_view(end.data(), end.size()) == magic;
  close(file);
  return !begins || !whole;
}

// What a client may not put into the folder.
void check_upload(const std::string& name, const std::string& path, std::string_view start) {
  if (begins_secret_key(start)) {
    throw net::Problem(422, "this is a secret key, which cannot be uploaded; nothing was kept")
        .at(name)
        .hint("Copy it into the data folder by hand.");
  }
  if (is_broken_parquet(name, path, start)) {
    throw net::Problem(422, "this is not a Parquet file, or only part of one; nothing was kept")
        .at(name)
        .hint("Copy it again from its source, or save the table as CSV.");
  }
}

}  // namespace

namespace {

// The kind of data that knows the file best.
std::string data_kind(std::string_view name, std::string_view beginning) {
  std::string_view best = "other";
  auto likeness = release::Likeness::none;
  for (const auto& kind : release::kinds()) {
    if (kind.recognise == nullptr) continue;
    const auto recognised = kind.recognise(name, beginning);
    if (recognised <= likeness) continue;
    likeness = recognised;
    best = kind.file_kind;
  }
  return std::string(best);
}

}  // namespace

bool is_ledger(const DataFolder& folder, const std::string& path) {
  try {
    const int file = folder.open_file(path);
    const std::string start = read_guarded_bytes(file);
    close(file);
    return file_kind(path, start) == "ledger";
  } catch (const net::Problem&) {
    return false;
  }
}

std::string file_kind(std::string_view path, std::string_view beginning) {
  const std::string name = lower(std::string(path.substr(path.rfind('/') + 1)));
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  if (ends(".manifest.json")) return "manifest";
  if (ends(".html") || ends(".pdf") || ends(".md")) return "report";
  if (ends(".yaml") || ends(".yml")) return "config";
  // By what it is, not by name: the key and saved heads of a ledger are called after it.
  if (ends(".ledger") || begins_ledger(beginning)) {
    return "ledger";
  }
  const bool text = ends(".csv") || ends(".tsv") || ends(".txt");
  const bool parquet = beginning.starts_with("PAR1");
  if (text && !parquet && (has("hierarch") || looks_like_hierarchy(beginning))) return "hierarchy";
  return data_kind(name, beginning);
}

std::vector<std::string> visible_files(const DataFolder& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  fs::recursive_directory_iterator walk(folder.path(),
                                        fs::directory_options::skip_permission_denied, ignored);
  for (; walk != fs::recursive_directory_iterator() && files.size() < kMostFiles;
       walk.increment(ignored)) {
    const std::string name = walk->path().filename();
    if (name.starts_with('.')) {
      walk.disable_recursion_pending();
      continue;
    }
    if (walk->is_regular_file(ignored))
      files.push_back(walk->path().lexically_relative(folder.path()).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Files::Files(const DataFolder& folder, std::uint64_t upload_limit)
    : folder_(folder), upload_limit_(upload_limit) {
  std::error_code ignored;
  fs::remove_all(place_of(""), ignored);
}

std::vector<FileEntry> Files::list() const {
  const LedgerRecords records = ledger_records(folder_);
  std::map<std::string, LedgerRecord> recorded;  // by path
  std::vector<FileEntry> files;
  for (const auto& path : visible_files(folder_)) {
    try {
      files.push_back(describe(path));
      if (records.empty() || files.back().kind != "manifest") continue;
      // A small file that says what its release is: the release itself may be large.
      const auto record = records.find(sha256_file(folder_.confine(path)));
      if (record == records.end()) continue;
      recorded[path] = record->second;
      recorded[path.substr(0, path.size() - kManifestEnding.size())] = record->second;
    } catch (const net::Problem&) {
      continue;  // gone by now, or a link that leads out
    } catch (const Error&) {
      continue;
    }
  }
  for (auto& file : files) {
    const auto record = recorded.find(file.path);
    if (record != recorded.end()) file.ledger = record->second;
  }
  return files;
}

FileEntry Files::describe(const std::string& path) const {
  const int file = folder_.open_file(path);
  struct stat status {};
  fstat(file, &status);
  FileEntry entry;
  entry.path = path;
  entry.bytes = static_cast<std::uint64_t>(status.st_size);
  entry.modified = fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(status.st_mtime),
                               status.st_mtim.tv_nsec / 1'000'000);
  entry.tag = tag_of(status);
  entry.kind = file_kind(path, read_guarded_bytes(file));
  close(file);
  return entry;
}

FileEntry Files::take(const std::string& path, const net::Request& request, bool replace) {
  const auto too_large = [this] {
    return net::Problem(413,
                        fmt::format("the file is larger than the limit of {} bytes", upload_limit_))
        .hint("Copy it into the data folder, or raise --max-upload.");
  };
  const std::string target = folder_.confine(path);
  if (request.body_bytes && *request.body_bytes > upload_limit_) throw too_large();
  const auto check_free = [&] {
    std::error_code ignored;
    if (fs::is_directory(target, ignored))
      throw net::Problem(409, "a folder has that name").at(path);
    if (folder_.is_secret_key(path)) {
      throw net::Problem(409, "a secret key has that name, and is not replaced").at(path);
    }
    if (is_ledger(folder_, path)) {
      throw net::Problem(409, "a ledger has that name, and it can only grow")
          .at(path)
          .hint("Choose another name.");
    }
    if (!replace && fs::exists(target, ignored)) {
      throw net::Problem(409, "a file of that name already exists")
          .at(path)
          .hint("Choose another name, or use ?replace=1.");
    }
    refuse_recorded(folder_, path);
    const std::string read_as = request.header("if-match");
    if (read_as.empty()) return;
    struct stat status {};
    if (stat(target.c_str(), &status) != 0 || tag_of(status) != read_as) {
      throw net::Problem(412, "somebody else wrote this file since you read it")
          .at(path)
          .hint("Read it again, and change what you meant to change in what is there now.");
    }
  };
  check_free();
  const fs::path parent = fs::path(target).parent_path();
  for (fs::path above = parent; above != folder_.path(); above = above.parent_path()) {
    std::error_code ignored;
    if (fs::exists(above, ignored) && !fs::is_directory(above, ignored)) {
      throw net::Problem(409, "a part of the path is a file, not a folder").at(path);
    }
  }

  // It grows where nobody looks and the next start cleans up.
  const std::string growing =
      fmt::format("{}/.pratique/tmp/upload-{:016x}", folder_.path(), secure_u64());
  AtomicFile file(growing);
  file.set_mode(0600);
  std::uint64_t bytes = 0;
  std::string start;
  const bool complete = !request.read_body || request.read_body([&](std::string_view block) {
    bytes += block.size();
    if (bytes > upload_limit_) return false;
    if (start.size() < kGuardBytes) start += block.substr(0, kGuardBytes - start.size());
    file.write(block);
    return true;
  });
  if (bytes > upload_limit_) throw too_large();
  if (!complete) throw net::Problem(400, "the body ended early; nothing was kept");
  file.commit();
  const std::lock_guard lock(mutex_);
  try {
    check_upload(path, growing, start);
    check_free();
    std::error_code failed;
    fs::create_directories(parent, failed);
    if (failed || rename(growing.c_str(), target.c_str()) != 0) {
      throw net::Problem(500, "the file cannot be moved into place").at(path);
    }
  } catch (...) {
    unlink(growing.c_str());
    throw;
  }
  return describe(path);
}

net::Response Files::give(const std::string& path, bool inline_view) const {
  net::Response response;
  response.file = folder_.open_file(path);
  struct stat status {};
  fstat(response.file, &status);
  response.file_bytes = static_cast<std::uint64_t>(status.st_size);
  response.headers.emplace_back("ETag", tag_of(status));
  if (inline_view) {
    response.type = content_type(path);
    response.headers.emplace_back(
        "Content-Security-Policy",
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "frame-ancestors 'self'");
    response.headers.emplace_back("X-Frame-Options", "SAMEORIGIN");
  } else {
    response.type = "application/octet-stream";
    response.headers.emplace_back("Content-Disposition", disposition(path));
  }
  return response;
}

std::string Files::removable(const std::string& path) const {
  std::string target = folder_.confine(path);
  if (is_ledger(folder_, path)) {
    throw net::Problem(409, "a ledger can only grow, so it is not deleted here")
        .at(path)
        .hint("Whoever manages the data folder can remove the file by hand.");
  }
  std::error_code failed;
  if (folder_.is_secret_key(path) || !fs::is_regular_file(fs::symlink_status(target, failed))) {
    throw net::Problem(404, "there is no such file in the data folder").at(path);
  }
  refuse_recorded(folder_, path);
  return target;
}

void Files::remove(const std::string& path) {
  if (unlink(removable(path).c_str()) != 0)
    throw net::Problem(404, "there is no such file in the data folder").at(path);
}

std::string Files::place_of(const std::string& id) const {
  return folder_.path() + "/.pratique/deleted/" + id;
}

std::string Files::set_aside(const std::string& path) {
  const std::string target = removable(path);
  std::string id = fmt::format("{:016x}", secure_u64());
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  for (auto old = set_aside_.begin(); old != set_aside_.end();) {
    const bool over = now - old->second.since > kSetAside;
    if (over) unlink(place_of(old->first).c_str());
    old = over ? set_aside_.erase(old) : std::next(old);
  }
  std::error_code failed;
  fs::create_directories(place_of(""), failed);
  fs::permissions(place_of(""), fs::perms::owner_all, failed);
  if (rename(target.c_str(), place_of(id).c_str()) != 0)
    throw net::Problem(404, "there is no such file in the data folder").at(path);
  set_aside_[id] = {path, now};
  return id;
}

FileEntry Files::put_back(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto file = set_aside_.find(id);
  if (file == set_aside_.end()) throw net::Problem(404, "this file is gone for good");
  const std::string path = file->second.path;
  const std::string target = folder_.confine(path);
  std::error_code failed;
  fs::create_directories(fs::path(target).parent_path(), failed);
  if (renameat2(AT_FDCWD, place_of(id).c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE) != 0) {
    if (errno == EEXIST) throw net::Problem(409, "another file has that name by now").at(path);
    throw net::Problem(404, "this file is gone for good").at(path);
  }
  set_aside_.erase(file);
  return describe(path);
}

void Files::forget(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (set_aside_.erase(id) == 0) throw net::Problem(404, "this file is gone for good");
  unlink(place_of(id).c_str());
}

Json to_json(const FileEntry& entry) {
  Json json = {{"path", entry.path},
               {"bytes", entry.bytes},
               {"modified", entry.modified},
               {"kind", entry.kind}};
  if (entry.ledger)
    json["ledger"] = {{"path", entry.ledger->ledger}, {"entry", entry.ledger->entry}};
  return json;
}

}  // namespace pratique::server
