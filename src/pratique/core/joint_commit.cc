#include "pratique/core/joint_commit.h"

#include <fmt/format.h>

#include <filesystem>

#include "pratique/core/error.h"
#include "pratique/core/guarded_file.h"
#include "pratique/core/internal/hidden_folders.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;

}  // namespace

JointCommit::JointCommit(const std::string& path) : lock_(path) {
  internal::tend_hidden_folders(internal::folder_of(path), internal::FolderLocking::held);
}

void JointCommit::commit(std::span<AtomicFile* const> files,
                         const std::vector<std::string>& leaving) {
  const std::string& deciding = files.front()->folder_;
  const fs::path parent = fs::absolute(internal::folder_of(deciding)).lexically_normal();
  internal::Intent intent;
  for (AtomicFile* file : files) {
    file->finish_writing();
    refuse_replacing_guarded(file->path_);  // hours may have passed
    const fs::path folder = fs::absolute(file->folder_).lexically_normal();
    intent.files.push_back(
        {folder.parent_path() == parent ? folder.filename().string() : folder.string(),
         fs::path(file->temporary_).filename().string(),
         fs::path(file->path_).filename().string()});
  }
  for (const auto& name : leaving) intent.leaving.push_back(fs::path(name).filename().string());
  if (!internal::prepare_decision(deciding, intent)) throw files.front()->write_error();
  // A process that is asked to stop removes what is unfinished, and this no longer is.
  for (AtomicFile* file : files) file->hand_over();
  if (!internal::decide(deciding) || !internal::carry_out(deciding))
    throw files.front()->write_error();
}

void finish_interrupted(const std::string& path) {
  internal::tend_hidden_folders(internal::folder_of(path), internal::FolderLocking::wait);
}

}  // namespace pratique
