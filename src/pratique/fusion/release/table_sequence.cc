#include "pratique/fusion/release/table_sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "pratique/core/error.h"
#include "pratique/data/generalised.h"
#include "pratique/engine/people.h"
#include "pratique/fusion/composition.h"
#include "pratique/fusion/differencing.h"
#include "pratique/fusion/release/renamed_columns.h"
#include "pratique/fusion/whole_records.h"
#include "pratique/kind/among.h"
#include "pratique/kind/numbers.h"
#include "pratique/kind/recorded_hierarchy.h"
#include "pratique/kind/singled_out.h"
#include "pratique/tables/equivalence_classes.h"
#include "pratique/tables/method/anatomy.h"

namespace pratique::release {
namespace {

std::vector<std::string> named(const ReleaseFile& file, const char* key) {
  const Json& parameters = *file.manifest().parameters;
  return parameters.contains(key) ? parameters[key].get<std::vector<std::string>>()
                                  : std::vector<std::string>();
}

// The column that says whose each row is; empty where every row is somebody else's.
std::string person_of(const ReleaseFile& file) {
  return file.manifest().parameters->value("person", std::string());
}

constexpr std::string_view kWhyNotAnatomy =
    "it was made by anatomy: everybody in it can be found by quasi-identifiers, and of two such "
    "releases the values that a person's groups have in common are left. This attack does not "
    "join their tables";

bool is_anatomy(const ReleaseFile& file) {
  return file.manifest().parameters->value("method", "") == tables::kAnatomy;
}

// The share of the people of a release who stand alone by what leaves as it is. By the columns of
// the file itself: what the manifest says about them is not asked.
void count_singled_out(Engine& engine, const ReleaseFile& file, SequenceRevealed& revealed,
                       Progress& progress) {
  // Anatomy writes quasi-identifiers as they are, and the number of a group beside them.
  std::vector<std::string> held =
      is_anatomy(file)
          ? std::vector<std::string>{file.manifest().parameters->value("group", std::string())}
          : named(file, "quasi_identifiers");
  for (auto& name : named(file, "identifiers")) held.push_back(std::move(name));
  for (const auto& change : file.manifest().results->value("randomised", Json::array()))
    held.push_back(change.at("column").get<std::string>());
  const auto sensitive = named(file, "sensitive");
  const Source source = open_release(engine, file, progress);
  const auto person = person_of(file);
  std::vector<std::string> columns;
  std::vector<std::string> secrets;
  for (const auto& name : source.columns) {
    if (!among(held, name)) (among(sensitive, name) ? secrets : columns).push_back(name);
  }
  const auto classes = named(file, "quasi_identifiers");
  const bool let_go = !named(file, "allowed").empty();
  auto left = columns;
  left.insert(left.end(), secrets.begin(), secrets.end());
  if (let_go || !person.empty()) {
    for (const auto& name : classes)
      if (!among(left, name)) left.push_back(name);
  }
  const PeopleAlike alike(engine, source, left, person, progress);
  for (auto& name : secrets_singling_out(alike, secrets, *file.manifest().claims))
    columns.push_back(std::move(name));
  // A column that was let go by name is known to whoever knows the quasi-identifiers.
  if (!is_anatomy(file) && !columns.empty() && let_go)
    columns.insert(columns.end(), classes.begin(), classes.end());
  const std::uint64_t people = count_people(engine, source, person, progress);
  if (people == 0) return;
  // Their rows have the same cells as nobody else's, as often.
  if (!person.empty() && !classes.empty())
    revealed.alone_by_rows =
        static_cast<double>(alike.alone(classes)) / static_cast<double>(people);
  if (columns.empty()) return;
  revealed.singled_out = static_cast<double>(alike.alone(columns)) / static_cast<double>(people);
  if (revealed.singled_out > 0) revealed.singled_out_by = std::move(columns);
}

// One release as the attack sees it.
struct Member {
  std::string name;
  std::string sha256;
  const ReleaseFile* file = nullptr;  // null: of another organisation
  GroupedTable table = {};
  std::vector<std::string> columns = {};
  std::vector<std::string> quasi_identifiers = {};  // by which people are located
  std::map<std::string, std::shared_ptr<const Hierarchy>> trees = {};
  fusion::Locating locating = fusion::Locating::automatic;
  fusion::LocatedTargets located = {};      // by person: the candidates
  tables::EquivalenceClasses classes = {};  // by quasi_identifiers

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
    const auto collect = [&](const ReleaseFile& file, const char* key,
                             std::vector<std::string>& names) {
      for (const auto& other : named(file, key)) {
        if (const auto& name = called(other); !among(names, name)) names.push_back(name);
      }
    };
    collect(request.added, "sensitive", sensitive_);
    collect(request.added, "quasi_identifiers", quasi_identifiers_);
    for (const auto& file : request.earlier) {
      collect(file, "sensitive", sensitive_);
      collect(file, "quasi_identifiers", quasi_identifiers_);
    }
    std::erase_if(quasi_identifiers_, [&](const auto& name) { return among(sensitive_, name); });
    load_people();
    add(request.added);
    for (const auto& file : request.earlier) add(file);
    for (const auto& path : request.known) add_known(path);
  }

  SequenceRevealed attack() {
    locate_people();
    revealed_.attacked = true;
    revealed_.people = people_.rows();
    revealed_.releases = members_.size();
    for (const auto& sensitive : sensitive_) compose(sensitive);
    subtract_what_is_beside();
    count_across();
    count_singled_out(engine_, request_.added, revealed_, progress_);
    return std::move(revealed_);
  }

 private:
  [[nodiscard]] const std::string& called(const std::string& column) const {
    const auto entry = request_.same_columns.find(column);
    return entry == request_.same_columns.end() ? column : entry->second;
  }

  // Under the names used here, those of `wanted` that the source has, and as it calls them.
  struct Columns {
    std::vector<std::string> names = {};
    std::vector<std::string> there = {};

    // The columns of a table that was read by `there`.
    void rename(std::vector<Column>& columns) const {
      for (std::size_t c = 0; c < columns.size(); ++c) columns[c].name = names[c];
    }
  };
  [[nodiscard]] Columns find_columns(const Source& source,
                                     const std::vector<std::string>& wanted) const {
    Columns columns;
    for (const auto& name : wanted) {
      const auto there = std::find_if(source.columns.begin(), source.columns.end(),
                                      [&](const auto& column) { return called(column) == name; });
      if (there == source.columns.end()) continue;
      columns.names.push_back(name);
      columns.there.push_back(*there);
    }
    return columns;
  }

  void load_people() {
    const Source source =
        open_people(engine_, request_, "people", "quasi-identifiers", false, progress_);
    const Columns columns = find_columns(source, quasi_identifiers_);
    if (columns.names.empty()) {
      throw Error::input("the people have none of the release's quasi-identifiers")
          .at(source.name)
          .hint("A column that is sensitive in any of the releases does not count as one.");
    }
    const auto person = person_of(request_.added);
    people_ = pratique::load_people(engine_, source, columns.there,
                                    among(source.columns, person) ? person : "", progress_);
    columns.rename(people_.columns);
    write_as_recorded(people_, *request_.added.manifest().parameters);
    known_by_ = columns.names;
    if (people_.rows() == 0) throw Error::input("there is nobody in this file").at(source.name);
  }

  // False when it has no column by which people are known.
  bool take(Member& member, const Source& source, const std::string& person) {
    member.quasi_identifiers = find_columns(source, known_by_).names;
    if (member.quasi_identifiers.empty()) {
      leave_out(revealed_, member.sha256, "it has none of the columns by which people are known");
      return false;
    }
    std::vector<std::string> wanted = member.quasi_identifiers;
    wanted.insert(wanted.end(), sensitive_.begin(), sensitive_.end());
    const Columns columns = find_columns(source, wanted);
    member.columns = columns.names;
    member.table = group_people(engine_, source, columns.there, person, progress_);
    columns.rename(member.table.groups.columns);
    return true;
  }

  // What an adversary may know besides, and the people at hand are not known by, was not tried.
  void say_unknown(const Member& member, const std::vector<std::string>& unknown) {
    if (unknown.empty()) return;
    leave_out(
        revealed_, member.sha256,
        fmt::format("people were looked up in it by {} alone: its {} {} no column of the people "
                    "(--people names a file that has it, --same-column its name there)",
                    fmt::join(member.quasi_identifiers, ", "), fmt::join(unknown, ", "),
                    unknown.size() == 1 ? "is" : "are"));
  }

  void add(const ReleaseFile& file) {
    if (is_anatomy(file)) return leave_out(revealed_, file.sha256(), std::string(kWhyNotAnatomy));
    const Source source = open_release(engine_, file, progress_);
    Member member{.name = file.path, .sha256 = file.sha256(), .file = &file};
    if (!take(member, source, person_of(file))) return;
    std::vector<std::string> unknown;
    for (const auto& name : named(file, "quasi_identifiers")) {
      if (!among(known_by_, called(name)) && !among(sensitive_, called(name)))
        unknown.push_back(name);
    }
    say_unknown(member, unknown);
    if (file.manifest().parameters->value("method", "") == "microaggregate")
      member.locating = fusion::Locating::nearest;
    read_hierarchies(member, file, find_columns(source, member.quasi_identifiers));
    members_.push_back(std::move(member));
  }

  void read_hierarchies(Member& member, const ReleaseFile& file, const Columns& columns) {
    for (std::size_t c = 0; c < columns.names.size(); ++c) {
      const Column& of_people = people_.columns[column_index(known_by_, columns.names[c])];
      auto tree = recorded_hierarchy(file, columns.there[c], of_people, of_people.counts());
      if (tree) {
        member.trees.emplace(of_people.name, std::make_shared<const Hierarchy>(std::move(*tree)));
      } else if (records_hierarchy(file, columns.there[c]) &&
                 has_labels(member.table.groups.columns[c], of_people)) {
        leave_out(revealed_, member.sha256,
                  fmt::format("what the labels of {} stand for could not be read: its hierarchy is "
                              "not at its recorded place with its recorded hash, or does not fit",
                              columns.there[c]));
      }
    }
  }

  // Whether cells are neither people's values nor say by themselves what they stand for.
  static bool has_labels(const Column& cells, const Column& of_people) {
    const auto& values = cells.dictionary;
    for (std::uint32_t code = 0; code < values.size(); ++code) {
      const auto meant = GeneralisedValue::parse_foreign(values.value(code));
      if (meant.kind() == GeneralisedValue::Kind::text &&
          !of_people.dictionary.find(values.value(code)))
        return true;
    }
    return false;
  }

  void add_known(const std::string& path) {
    Member member{.name = path, .sha256 = engine_.identify(path).sha256};
    const Source source = engine_.open(path, {}, progress_);
    if (!take(member, source, "")) return;
    // Nobody says what its other columns are. Where one of ours is not among them, they may be it.
    std::vector<std::string> unknown;
    for (const auto& name : source.columns) {
      if (!among(member.columns, called(name))) unknown.push_back(name);
    }
    if (member.quasi_identifiers.size() < known_by_.size()) say_unknown(member, unknown);
    // Whoever publishes does not say how labels are to be read; ours may be theirs.
    if (!members_.empty()) member.trees = members_.front().trees;
    members_.push_back(std::move(member));
  }

  // Releases in which nobody is found are left out.
  void locate_people() {
    for (auto& member : members_) {
      std::vector<std::size_t> places;
      for (const auto& name : member.quasi_identifiers) {
        places.push_back(column_index(member.columns, name));
      }
      member.classes = tables::EquivalenceClasses::of(member.table.groups, places);
      auto located = fusion::locate(member.table, member.classes, people_, member.quasi_identifiers,
                                    member.hierarchies(), member.locating, progress_);
      member.locating = located.by;
      member.located = std::move(located);
    }
    members_.remove_if([&](const Member& member) {
      const bool nowhere =
          std::all_of(member.located.set_of.begin(), member.located.set_of.end(),
                      [](std::uint32_t set) { return set == fusion::LocatedTargets::kNowhere; });
      if (nowhere) leave_out(revealed_, member.sha256, "none of the people were found in it");
      return nowhere;
    });
    std::uint64_t everywhere = 0;
    for (std::size_t p = 0; p < people_.rows(); ++p) {
      everywhere += std::all_of(members_.begin(), members_.end(),
                                [&](const Member& member) { return has(member, p); })
                        ? 1
                        : 0;
    }
    revealed_.located = share(everywhere);
  }

  static bool has(const Member& member, std::size_t person) {
    return member.located.set_of[person] != fusion::LocatedTargets::kNowhere;
  }
  [[nodiscard]] double share(std::uint64_t people) const {
    return static_cast<double>(people) / static_cast<double>(people_.rows());
  }
  // The release that is added, unless nobody was found in it.
  [[nodiscard]] const Member* added() const {
    const bool there = !members_.empty() && members_.front().sha256 == request_.added.sha256();
    return there ? &members_.front() : nullptr;
  }

  [[nodiscard]] Table people_in(const std::vector<std::size_t>& rows) const {
    Table some;
    for (const auto& column : people_.columns) {
      Column& part = some.columns.emplace_back();
      part.name = column.name;
      for (const auto row : rows) part.codes.push_back(part.dictionary.intern(column.text(row)));
    }
    return some;
  }

  [[nodiscard]] fusion::Composition compose_for(const std::vector<const Member*>& members,
                                                const Table& people, const std::string& sensitive) {
    std::vector<fusion::ComposedRelease> releases;
    std::vector<std::string> columns;
    for (const auto* member : members) {
      // As these people were located among all; a part of them must not decide it anew.
      releases.push_back({member->name, member->table, member->locating, 1, member->hierarchies(),
                          randomised(*member, sensitive)});
      for (const auto& name : member->quasi_identifiers) {
        if (!among(columns, name)) columns.push_back(name);
      }
    }
    const fusion::CompositionOptions options{
        .quasi_identifiers = columns, .sensitive = sensitive, .truth = {}};
    return fusion::compose(releases, people, options, progress_);
  }

  // People who are in the same releases are composed together.
  void compose(const std::string& sensitive) {
    if (added() == nullptr || !among(added()->columns, sensitive)) return;
    std::vector<const Member*> with;
    for (const auto& member : members_) {
      if (among(member.columns, sensitive)) with.push_back(&member);
    }
    std::map<std::vector<const Member*>, std::vector<std::size_t>> groups;
    for (std::size_t p = 0; p < people_.rows(); ++p) {
      std::vector<const Member*> in;
      std::copy_if(with.begin(), with.end(), std::back_inserter(in),
                   [&](const Member* member) { return has(*member, p); });
      if (!in.empty()) groups[std::move(in)].push_back(p);
    }
    const auto narrowed = narrow_records(sensitive, with);
    std::uint64_t alone = 0;
    std::uint64_t contradicted = 0;
    std::map<const Member*, std::uint64_t> agreeing;  // of those who are in another, too
    std::uint64_t together = 0;
    std::uint64_t vulnerable = 0;
    std::uint64_t measured = 0;
    std::uint64_t left = 0;
    for (const auto& [in, rows] : groups) {
      const Table people = people_in(rows);
      const auto all = compose_for(in, people, sensitive);
      std::optional<fusion::Composition> first;
      if (in.front() == added()) first = compose_for({added()}, people, sensitive);
      for (std::size_t p = 0; p < rows.size(); ++p) {
        const bool by_one = first && first->of(p).only != fusion::kNoValue;
        const auto& finding = all.of(p);
        alone += by_one ? 1 : 0;
        const bool by_record = narrowed && narrowed->is_certain(rows[p]);
        together += by_one || by_record || finding.only != fusion::kNoValue ? 1 : 0;
        if (in.size() > 1) {
          contradicted += finding.left == 0 ? 1 : 0;
          for (const auto* member : in) agreeing[member] += finding.left > 0 ? 1 : 0;
        }
        if (finding.left == 0) continue;
        ++measured;
        left += finding.left;
        vulnerable += finding.left < finding.prior ? 1 : 0;
      }
    }
    revealed_.attributes.push_back(
        {.sensitive = sensitive,
         .releases = with.size(),
         .disclosed_alone = share(alone),
         .disclosed = share(together),
         .vulnerable = share(vulnerable),
         .values_left =
             measured == 0 ? 0 : static_cast<double>(left) / static_cast<double>(measured),
         .differenced_people = subtract_earlier(sensitive, with),
         .contradicted = share(contradicted)});
    for (const auto& [member, people] : agreeing) {
      if (member == added() || people > 0) continue;
      leave_out(revealed_, member->sha256,
                fmt::format("no value of {} is left to anybody who is in both: it is written "
                            "otherwise there, or the people are others",
                            sensitive));
    }
  }

  // The fewest values of the column that a model of the release lets a class have; 2 where none
  // does.
  [[nodiscard]] std::uint64_t promised_values(const ReleaseFile& file,
                                              const std::string& sensitive) const {
    std::uint64_t promised = 2;
    for (const auto& claim : *file.manifest().claims) {
      if (!claim.contains("l") || called(claim.value("sensitive", "")) != sensitive) continue;
      promised = std::max(promised, static_cast<std::uint64_t>(claim["l"].get<double>()));
    }
    return promised;
  }

  // Where chance was at work in the column.
  [[nodiscard]] std::optional<fusion::RandomisedColumn> randomised(
      const Member& member, const std::string& sensitive) const {
    if (member.file == nullptr) return std::nullopt;
    const auto own = std::find_if(request_.same_columns.begin(), request_.same_columns.end(),
                                  [&](const auto& names) { return names.second == sensitive; });
    auto here = fusion::randomised_column(member.file->manifest(), sensitive);
    if (here || own == request_.same_columns.end()) return here;
    return fusion::randomised_column(member.file->manifest(), own->first);
  }

  // Other organisations' releases are of other people, who do not cancel.
  [[nodiscard]] std::uint64_t subtract_earlier(const std::string& sensitive,
                                               const std::vector<const Member*>& members) {
    const auto composed = [&](const Member& member) {
      return fusion::ComposedRelease{.name = member.name,
                                     .table = member.table,
                                     .locating = member.locating,
                                     .hierarchies = member.hierarchies(),
                                     .randomised = randomised(member, sensitive)};
    };
    std::uint64_t most = 0;
    for (const auto* earlier : members) {
      if (earlier == added() || earlier->file == nullptr) continue;
      const fusion::CompositionOptions options{
          .quasi_identifiers = known_by_, .sensitive = sensitive, .truth = {}};
      const fusion::DifferencingLimits limits{
          .k = std::min(request_.added.k(), earlier->file->k()),
          .l = std::min(promised_values(request_.added, sensitive),
                        promised_values(*earlier->file, sensitive))};
      most = std::max(most, fusion::subtract(composed(*earlier), composed(*added()), people_,
                                             options, limits, progress_)
                                .exposed());
      if (randomised(*earlier, sensitive) || randomised(*added(), sensitive)) continue;
      most = std::max(most, fusion::subtract_records(released_rows(*earlier),
                                                     released_rows(*added()), sensitive, limits)
                                .exposed());
    }
    return most;
  }

  // Releases without a sensitive column in common may still differ by one record: what left as it
  // was is subtracted by itself. Its steward called it harmless, so how many values are among those
  // who joined is not asked, but whose record it is may not be known.
  void subtract_what_is_beside() {
    if (added() == nullptr) return;
    std::string column;
    std::uint64_t releases = 1;
    std::uint64_t most = 0;
    for (const auto& earlier : members_) {
      if (&earlier == added() || earlier.file == nullptr || is_subtracted(earlier)) continue;
      const auto& before = released_rows(earlier);
      const auto& after = released_rows(*added());
      const auto& there = before.rows.groups.columns;
      const auto& here = after.rows.groups.columns;
      const auto shared = std::find_if(here.begin(), here.end(), [&](const Column& cells) {
        return std::any_of(there.begin(), there.end(),
                           [&](const Column& other) { return other.name == cells.name; });
      });
      if (shared == here.end()) continue;
      const std::string name = shared->name;
      const fusion::DifferencingLimits limits{.k = std::min(request_.added.k(), earlier.file->k()),
                                              .l = 1};
      const auto exposed = fusion::subtract_records(before, after, name, limits).exposed();
      ++releases;
      if (exposed <= most) continue;
      most = exposed;
      column = name;
    }
    if (most == 0) return;
    revealed_.attributes.push_back(
        {.sensitive = column, .releases = releases, .differenced_people = most});
  }

  // Whether a sensitive column was.
  [[nodiscard]] bool is_subtracted(const Member& earlier) const {
    return std::any_of(sensitive_.begin(), sensitive_.end(), [&](const std::string& name) {
      return among(earlier.columns, name) && among(added()->columns, name) &&
             !randomised(earlier, name) && !randomised(*added(), name);
    });
  }

  // Whose value follows from what left as it was beside it.
  [[nodiscard]] std::optional<fusion::NarrowedRecords> narrow_records(
      const std::string& sensitive, const std::vector<const Member*>& members) {
    if (randomised(*added(), sensitive)) return std::nullopt;
    fusion::NarrowedRecords narrowed(released_rows(*added()), sensitive);
    for (const auto* member : members) {
      if (member == added() || member->file == nullptr || randomised(*member, sensitive)) continue;
      narrowed.narrow(released_rows(*member));
    }
    return narrowed;
  }

  // By the columns of the file itself, with whose each row is.
  const fusion::ReleasedRows& released_rows(const Member& member) {
    const auto [entry, is_new] = rows_.try_emplace(&member);
    fusion::ReleasedRows& released = entry->second;
    if (!is_new) return released;
    const Source source = open_release(engine_, *member.file, progress_);
    const std::string person = person_of(*member.file);
    std::vector<std::string> wanted = member.quasi_identifiers;
    std::copy_if(sensitive_.begin(), sensitive_.end(), std::back_inserter(wanted),
                 [&](const std::string& name) { return !randomised(member, name); });
    for (const auto& name : columns_as_they_are(source, *member.file)) {
      if (!among(wanted, called(name))) wanted.push_back(called(name));
    }
    const Columns columns = find_columns(source, wanted);
    std::vector<std::string> read = columns.there;
    const bool of_people = !person.empty() && among(source.columns, person);
    if (of_people) read.push_back(person);
    released.rows = engine_.group(source, read, progress_);
    auto& cells = released.rows.groups.columns;
    if (of_people) {
      released.whose = std::move(cells.back().codes);
      cells.pop_back();
    }
    columns.rename(cells);
    const std::size_t keys = member.quasi_identifiers.size();
    std::map<std::vector<std::string_view>, tables::ClassId> class_of;
    const auto cells_of = [&](const std::vector<Column>& table, std::size_t row) {
      std::vector<std::string_view> texts;
      for (std::size_t c = 0; c < keys; ++c) texts.push_back(table[c].text(row));
      return texts;
    };
    for (std::size_t row = 0; row < member.classes.rows(); ++row)
      class_of.emplace(cells_of(member.table.groups.columns, row), member.classes.class_of(row));
    for (std::size_t row = 0; row < released.rows.counts.size(); ++row)
      released.class_of.push_back(class_of.at(cells_of(cells, row)));
    cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(keys));
    released.located = &member.located;
    return released;
  }

  // Neither generalised, nor drawn, nor a number in the place of an identifier.
  [[nodiscard]] std::vector<std::string> columns_as_they_are(const Source& source,
                                                             const ReleaseFile& file) const {
    std::vector<std::string> changed = named(file, "quasi_identifiers");
    for (auto& name : named(file, "identifiers")) changed.push_back(std::move(name));
    for (const auto& change : file.manifest().results->value("randomised", Json::array()))
      changed.push_back(change.at("column").get<std::string>());
    changed.push_back(person_of(file));
    std::vector<std::string> columns;
    std::copy_if(source.columns.begin(), source.columns.end(), std::back_inserter(columns),
                 [&](const auto& name) { return !among(changed, name); });
    return columns;
  }

  void count_across() {
    std::map<std::vector<std::uint32_t>, std::uint64_t> groups;
    std::vector<std::vector<std::uint32_t>> of(people_.rows());
    const auto smallest = [&] {
      groups.clear();
      for (const auto& candidates : of) ++groups[candidates];
      std::uint64_t least = people_.rows();
      for (const auto& [candidates, size] : groups) least = std::min(least, size);
      return least;
    };
    for (const auto& member : members_) {
      for (std::size_t p = 0; p < of.size(); ++p) of[p].push_back(member.located.set_of[p]);
      if (&member == added()) revealed_.k_alone = smallest();
    }
    revealed_.k_across = smallest();
    revealed_.promised_k = least_promised_k();
    // Where nothing is promised, fewer than the usual k are few.
    const std::uint64_t enough =
        revealed_.promised_k == 0 ? request_.added.k() : revealed_.promised_k;
    std::uint64_t under = 0;
    for (const auto& [candidates, size] : groups) {
      if (size < enough) under += size;
    }
    revealed_.under_k = share(under);
    revealed_.rows_linked = share_pseudonyms() ? 1 : joined_by_unchanged();
    revealed_.rows_link = revealed_.rows_linked > 0;
    revealed_.k_counts = revealed_.rows_link;
  }

  [[nodiscard]] std::uint64_t least_promised_k() const {
    std::uint64_t least = request_.added.manifest().promised_k().value_or(0);
    for (const auto& file : request_.earlier) {
      const auto promised = file.manifest().promised_k();
      if (promised) least = least == 0 ? *promised : std::min(least, *promised);
    }
    return least;
  }

  // By the columns that left as they were in both, the share of the added rows that stand alone in
  // both releases, for the earlier one with the most.
  [[nodiscard]] double joined_by_unchanged() {
    const Source added = open_release(engine_, request_.added, progress_);
    const std::uint64_t rows = engine_.count_rows(added, progress_);
    double most = 0;
    for (const auto& file : request_.earlier) {
      const Source earlier = open_release(engine_, file, progress_);
      std::vector<std::string> shared;
      for (const auto& column : unchanged_in(file)) {
        if (among(unchanged_in(request_.added), column)) shared.push_back(column);
      }
      const Columns here = find_columns(added, shared);
      const Columns there = find_columns(earlier, shared);
      if (shared.empty() || here.names != there.names) continue;
      const auto once = rows_alone(added, here.there);
      std::uint64_t joined = 0;
      for (const auto& row : rows_alone(earlier, there.there)) joined += once.count(row);
      if (rows > 0) most = std::max(most, static_cast<double>(joined) / static_cast<double>(rows));
    }
    return most;
  }

  // Columns that left as they were and are no quasi-identifiers, under the names used here.
  [[nodiscard]] std::vector<std::string> unchanged_in(const ReleaseFile& file) const {
    const Json& results = *file.manifest().results;
    std::vector<std::string> names;
    if (!results.contains("unchanged")) return names;
    for (const auto& column : results["unchanged"].get<std::vector<std::string>>()) {
      if (!among(quasi_identifiers_, called(column))) names.push_back(called(column));
    }
    return names;
  }

  // The rows whose values of these columns no other row has.
  std::unordered_set<std::string> rows_alone(const Source& source,
                                             const std::vector<std::string>& columns) {
    const auto table = engine_.group(source, columns, progress_);
    std::unordered_set<std::string> alone;
    for (std::size_t g = 0; g < table.counts.size(); ++g) {
      if (table.counts[g] > 1) continue;
      std::string values;
      for (const auto& column : table.groups.columns) {
        const auto value = column.text(g);
        values += fmt::format("{}:", value.size());
        values += value;
      }
      alone.insert(std::move(values));
    }
    return alone;
  }

  [[nodiscard]] bool share_pseudonyms() const {
    const auto key_of = [](const ReleaseFile& file) {
      const Json& parameters = *file.manifest().parameters;
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
  std::vector<std::string> known_by_;                   // the columns of people_
  std::list<Member> members_;                           // the added one first
  std::map<const Member*, fusion::ReleasedRows> rows_;  // what left as it was
  SequenceRevealed revealed_;
};

}  // namespace

SequenceRevealed attack_tables(Engine& engine, const SequenceRequest& request, Progress& progress) {
  const bool without_quasi_identifiers = named(request.added, "quasi_identifiers").empty();
  if (without_quasi_identifiers || is_anatomy(request.added)) {
    SequenceRevealed none;
    none.why_not = without_quasi_identifiers ? "the release has no quasi-identifiers"
                                             : std::string(kWhyNotAnatomy);
    count_singled_out(engine, request.added, none, progress);
    return none;
  }
  // What was said goes before what values tell.
  auto renamed = find_renamed(engine, request, progress);
  SequenceRequest matched = request;
  matched.same_columns.insert(renamed.same.begin(), renamed.same.end());
  auto revealed = Sequence(engine, matched, progress).attack();
  revealed.same_columns = std::move(renamed.same);
  for (auto& unmatched : renamed.unmatched)
    leave_out(revealed, unmatched.sha256, std::move(unmatched.why));
  return revealed;
}

}  // namespace pratique::release
