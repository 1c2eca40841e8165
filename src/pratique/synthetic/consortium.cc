#include "pratique/synthetic/consortium.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/json.h"
#include "pratique/synthetic/internal/world.h"

namespace pratique {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostHospitals = 999;
constexpr std::uint64_t kMostPatients = 20'000'000;

void check(const ConsortiumOptions& options) {
  if (options.hospitals < 1 || options.hospitals > kMostHospitals) {
    throw Error::input("a consortium has 1 to 999 hospitals").hint("Change --hospitals.");
  }
  if (options.patients < 1 || options.patients > kMostPatients) {
    throw Error::input("a consortium has 1 to 20000000 patients").hint("Change --patients.");
  }
  if (options.folder.empty()) throw Error::input("the name of the output folder is empty");
}

// Where the folder is to be, without links and a slash at the end.
fs::path target_folder(const std::string& folder) {
  std::error_code ignored;
  fs::path target = fs::absolute(folder).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  if (fs::exists(target, ignored)) {
    target = fs::canonical(target);
    if (!fs::is_directory(target)) {
      throw Error::input("a file of that name exists").at(folder).hint("Choose another folder.");
    }
    if (!fs::is_empty(target)) {
      throw Error::input("the folder is not empty")
          .at(folder)
          .hint("Name a new folder, or remove what is in it; nothing was overwritten.");
    }
  } else if (!fs::is_directory(target.parent_path(), ignored)) {
    throw Error::input("the folder that should hold it does not exist")
        .at(folder)
        .hint("Make " + target.parent_path().string() + " first.");
  }
  return target;
}

ConsortiumSummary summarise(const synthetic::World& world,
                            std::vector<ConsortiumSummary::File> files) {
  ConsortiumSummary summary;
  summary.hospitals = world.hospitals.all().size();
  summary.patients = world.patients.size();
  summary.population = world.people.size();
  summary.registered = world.registered.size();
  summary.insured = world.members.size();
  summary.web_pages = world.pages.size();
  for (const synthetic::Patient& patient : world.patients) {
    summary.visits += patient.stays.size();
    summary.dna_samples += patient.dna_at.size();
    summary.dna_patients += patient.dna_at.empty() ? 0 : 1;
    summary.codes += patient.diagnoses.size();
  }
  summary.files = std::move(files);
  return summary;
}

Json describe(const ConsortiumOptions& options, const ConsortiumSummary& summary) {
  Json files = Json::array();
  for (const auto& file : summary.files) {
    files.push_back(
        {{"path", file.path}, {"what", file.what}, {"columns", file.columns}, {"rows", file.rows}});
  }
  return {{"world", "synthetic hospital consortium; nobody in it exists"},
          {"seed", options.seed},
          {"hospitals", summary.hospitals},
          {"patients", summary.patients},
          {"population", summary.population},
          {"registered", summary.registered},
          {"visits", summary.visits},
          {"dna_samples", summary.dna_samples},
          {"dna_patients", summary.dna_patients},
          {"codes", summary.codes},
          {"insured", summary.insured},
          {"web_pages", summary.web_pages},
          {"first_day", synthetic::date_text(synthetic::first_day())},
          {"last_day", synthetic::date_text(synthetic::last_day())},
          {"files", std::move(files)}};
}

}  // namespace

ConsortiumSummary generate_consortium(const ConsortiumOptions& options, Progress& progress) {
  check(options);
  const fs::path target = target_folder(options.folder);
  const PrivateFolder staging(target.parent_path());
  const std::string unfinished = staging.path() + "/world";
  try {
    fs::create_directory(unfinished);
    const synthetic::World world(options, progress);
    ConsortiumSummary summary =
        summarise(world, synthetic::write_world(world, unfinished, progress));
    write_file_atomically(unfinished + "/world.json", to_text(describe(options, summary)));
    progress.check();
    fs::rename(unfinished, target);
    return summary;
  } catch (Error& error) {
    // Names the place that the user asked for, not the private one.
    if (error.place().starts_with(unfinished)) {
      error.at(options.folder + error.place().substr(unfinished.size()));
    }
    throw;
  } catch (const fs::filesystem_error& error) {
    throw Error::machine("cannot write this folder: " + error.code().message())
        .at(options.folder)
        .hint("Check that you may write there and that there is space; nothing was left behind.");
  }
}

}  // namespace pratique
