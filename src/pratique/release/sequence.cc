#include "pratique/release/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "pratique/core/error.h"
#include "pratique/fusion/composition.h"
#include "pratique/release/internal/recorded_hierarchy.h"
#include "pratique/tables/equivalence_classes.h"

namespace pratique::release {
namespace {

bool among(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<std::string> named(const ReleaseFile& file, const char* key) {
  const Json& parameters = file.manifest().at("parameters");
  return parameters.contains(key) ? parameters[key].get<std::vector<std::string>>()
                                  : std::vector<std::string>();
}

// One release as the attack sees it.
struct Member {
  std::string name;
  GroupedTable table;
  std::vector<std::string> columns;
  std::vector<std::string> quasi_identifiers;  // by which people are located
  std::map<std::string, std::shared_ptr<const Hierarchy>> trees = {};
  fusion::Locating locating = fusion::Locating::automatic;

  [[nodiscard]] tables::Hierarchies hierarchies() const {
    tables::Hierarchies all;
    for (const auto& [column, tree] : trees) all.emplace(column, tree.get());
    return all;
  }
};

class Sequence {
 public:
  Sequence(Engine& engine, const SequenceRequest& request, Progress& progress)
      : engine_(engine), request_(request), progress_(progress) {
    quasi_identifiers_ = named(request.added, "quasi_identifiers");
    sensitive_ = named(request.added, "sensitive");
    for (const auto& file : request.earlier) {
      for (const auto& name : named(file, "quasi_identifiers")) {
        if (!among(quasi_identifiers_, name) && !among(sensitive_, name))
          quasi_identifiers_.push_back(name);
      }
    }
    load_people();
    add(request.added);
    for (const auto& file : request.earlier) add(file);
    for (const auto& path : request.known) add_known(path);
  }

  SequenceRevealed attack() {
    SequenceRevealed revealed;
    revealed.attacked = true;
    revealed.people = people_.rows();
    revealed.releases = members_.size();
    for (const auto& sensitive : sensitive_) compose(sensitive, revealed);
    count_across(revealed);
    return revealed;
  }

 private:
  void load_people() {
    std::optional<Source> source;
    if (request_.people) {
      source = engine_.open(*request_.people, {}, progress_);
    } else {
      source = request_.added.open_original(engine_, progress_);
    }
    if (!source) {
      throw Error::input(
          "the people of this release are not at hand: its original is not at its "
          "recorded place with its recorded hash")
          .at(request_.added.path)
          .hint("Name a file with their quasi-identifiers with --people FILE.");
    }
    std::vector<std::string> columns;
    for (const auto& name : quasi_identifiers_) {
      if (among(source->columns, name)) columns.push_back(name);
    }
    if (columns.empty()) {
      throw Error::input("the people have none of the release's quasi-identifiers")
          .at(source->name);
    }
    people_ = engine_.load(*source, columns, progress_);
    if (people_.rows() == 0) throw Error::input("there is nobody in this file").at(source->name);
  }

  void take(Member& member, const Source& source) {
    for (const auto& column : people_.columns) {
      if (among(source.columns, column.name)) member.quasi_identifiers.push_back(column.name);
    }
    if (member.quasi_identifiers.empty()) {
      throw Error::input("this release has none of the columns by which people are known")
          .at(source.name)
          .hint("Its columns must be named as in the other releases.");
    }
    member.columns = member.quasi_identifiers;
    for (const auto& name : sensitive_) {
      if (among(source.columns, name)) member.columns.push_back(name);
    }
    member.table = engine_.group(source, member.columns, progress_);
  }

  void add(const ReleaseFile& file) {
    const auto source = file.open(engine_, progress_);
    if (!source) {
      throw Error::check("this is not the file that its manifest describes").at(file.path);
    }
    Member& member = members_.emplace_back();
    member.name = file.path;
    take(member, *source);
    const Json& parameters = file.manifest().at("parameters");
    if (parameters.value("method", "") == "microaggregate")
      member.locating = fusion::Locating::nearest;
    const auto specs = parameters.find("hierarchies");
    if (specs == parameters.end()) return;
    for (const auto& column : people_.columns) {
      if (!specs->contains(column.name)) continue;
      auto tree =
          recorded_hierarchy(specs->at(column.name).get<std::string>(), column, column.counts());
      if (tree)
        member.trees.emplace(column.name, std::make_shared<const Hierarchy>(std::move(*tree)));
    }
  }

  void add_known(const std::string& path) {
    Member& member = members_.emplace_back();
    member.name = path;
    take(member, engine_.open(path, {}, progress_));
    // Whoever publishes does not say how labels are to be read; ours may be theirs.
    member.trees = members_.front().trees;
  }

  void compose(const std::string& sensitive, SequenceRevealed& revealed) {
    std::vector<fusion::ComposedRelease> releases;
    for (const auto& member : members_) {
      if (!among(member.columns, sensitive)) continue;
      releases.push_back({member.name, member.table, member.locating, 1, member.hierarchies()});
    }
    if (releases.empty() || !among(members_.front().columns, sensitive)) return;
    std::vector<std::string> columns;
    for (const auto& column : people_.columns) {
      const bool somewhere =
          std::any_of(releases.begin(), releases.end(), [&](const auto& release) {
            const auto& all = release.table.table.columns;
            return std::any_of(all.begin(), all.end(),
                               [&](const auto& one) { return one.name == column.name; });
          });
      if (somewhere) columns.push_back(column.name);
    }
    const fusion::CompositionOptions options{
        .quasi_identifiers = columns, .sensitive = sensitive, .truth = {}};
    const auto found = fusion::compose(releases, people_, options, progress_);
    revealed.attributes.push_back({sensitive, releases.size(),
                                   found.releases.front().perfect_breach, found.perfect_breach,
                                   found.vulnerable, found.posterior});
  }

  void count_across(SequenceRevealed& revealed) {
    std::map<std::vector<std::uint32_t>, std::uint64_t> groups;
    std::vector<std::vector<std::uint32_t>> of(people_.rows());
    const auto smallest = [&] {
      groups.clear();
      for (const auto& one : of) ++groups[one];
      std::uint64_t least = people_.rows();
      for (const auto& [candidates, size] : groups) least = std::min(least, size);
      return least;
    };
    for (const auto& member : members_) {
      std::vector<std::size_t> places;
      for (const auto& name : member.quasi_identifiers) {
        places.push_back(column_index(member.columns, name));
      }
      const auto classes = tables::EquivalenceClasses::of(member.table.groups, places);
      const auto located = fusion::locate(member.table, classes, people_, member.quasi_identifiers,
                                          member.hierarchies(), member.locating, progress_);
      for (std::size_t p = 0; p < of.size(); ++p) of[p].push_back(located.set_of[p]);
      if (&member == &members_.front()) revealed.k_alone = smallest();
    }
    revealed.k_across = smallest();
    revealed.promised_k = request_.added.k();
    for (const auto& file : request_.earlier)
      revealed.promised_k = std::min(revealed.promised_k, file.k());
    std::uint64_t under = 0;
    for (const auto& [candidates, size] : groups) {
      if (size < revealed.promised_k) under += size;
    }
    revealed.under_k = static_cast<double>(under) / static_cast<double>(people_.rows());
    revealed.rows_link = share_pseudonyms();
  }

  [[nodiscard]] bool share_pseudonyms() const {
    const auto key_of = [](const ReleaseFile& file) {
      const Json& parameters = file.manifest().at("parameters");
      return parameters.value("identifier_treatment", "") == "pseudonym"
                 ? parameters.value("key_fingerprint", "")
                 : std::string();
    };
    const std::string key = key_of(request_.added);
    return !key.empty() && std::any_of(request_.earlier.begin(), request_.earlier.end(),
                                       [&](const auto& file) { return key_of(file) == key; });
  }

  Engine& engine_;
  const SequenceRequest& request_;
  Progress& progress_;
  std::vector<std::string> quasi_identifiers_;
  std::vector<std::string> sensitive_;
  Table people_;
  std::list<Member> members_;  // the added one first
};

}  // namespace

double SequenceRevealed::breach() const {
  double largest = rows_link ? under_k : 0;
  for (const auto& attribute : attributes) largest = std::max(largest, attribute.disclosed);
  return largest;
}

SequenceRevealed attack_sequence(Engine& engine, const SequenceRequest& request,
                                 Progress& progress) {
  SequenceRevealed none;
  if (request.added.kind() != "tables") {
    none.why_not = "releases of this kind are not attacked together yet";
    return none;
  }
  SequenceRequest tables = request;
  std::erase_if(tables.earlier, [](const ReleaseFile& file) { return file.kind() != "tables"; });
  if (named(request.added, "quasi_identifiers").empty()) {
    none.why_not = "the release has no quasi-identifiers";
    return none;
  }
  return Sequence(engine, tables, progress).attack();
}

Json to_json(const SequenceRevealed& revealed) {
  if (!revealed.attacked) return {{"attacked", false}, {"why_not", revealed.why_not}};
  Json attributes = Json::array();
  for (const auto& one : revealed.attributes) {
    attributes.push_back({{"sensitive", one.sensitive},
                          {"releases", one.releases},
                          {"disclosed_alone", one.disclosed_alone},
                          {"disclosed", one.disclosed},
                          {"vulnerable", one.vulnerable},
                          {"values_left", one.values_left}});
  }
  return {{"attacked", true},
          {"people", revealed.people},
          {"releases", revealed.releases},
          {"attributes", std::move(attributes)},
          {"k_alone", revealed.k_alone},
          {"k_across", revealed.k_across},
          {"promised_k", revealed.promised_k},
          {"under_k", revealed.under_k},
          {"rows_link", revealed.rows_link},
          {"breach", revealed.breach()}};
}

}  // namespace pratique::release
