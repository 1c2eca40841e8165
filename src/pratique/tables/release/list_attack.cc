#include "pratique/tables/release/list_attack.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/builtin_hierarchies.h"
#include "pratique/engine/people.h"
#include "pratique/kind/document.h"
#include "pratique/kind/own_forms.h"
#include "pratique/kind/recorded_hierarchy.h"
#include "pratique/tables/attack/linkage_attack.h"

namespace pratique::release {
namespace {

bool has(const Source& source, const std::string& column) {
  return std::find(source.columns.begin(), source.columns.end(), column) != source.columns.end();
}

class ListAttack {
 public:
  ListAttack(PageContext& context, const Source& list)
      : context_(context),
        list_(list),
        name_(cleaned(without_home(list.name))),
        original_(*context.original),
        release_(*context.release),
        parameters_(*context.manifest.parameters) {
    for (const auto& column : names("quasi_identifiers")) {
      if (has(list, column) && has(original_, column) && has(release_, column))
        on_.push_back(column);
    }
    if (on_.empty()) {
      throw Error::input(
          "the list has none of the release's quasi-identifiers, so nobody can be looked up with "
          "it")
          .at(list.name)
          .hint(
              fmt::format("It needs one or more of these columns, written as in the original: {}.",
                          fmt::join(names("quasi_identifiers"), ", ")));
    }
    for (const auto& column : names("identifiers")) {
      if (key_.empty() && has(list, column) && has(original_, column)) key_ = column;
    }
    std::vector<std::string> wanted = on_;
    if (!key_.empty()) wanted.push_back(key_);
    people_ = load_list(wanted);
    write_days(people_, list);
    make_hierarchies();
  }

  void run() {
    const auto [before, after] = on_both({});
    const std::string known = fmt::format("{} ({} people, known by {})", name_,
                                          grouped_digits(static_cast<double>(before.targets)),
                                          cleaned(fmt::to_string(fmt::join(on_, ", "))));
    const std::string key = "adversary." + name_;
    add(key + ".linked_uniquely", known + ": exactly one record fits", before, after,
        before.linked_uniquely, after.linked_uniquely);
    if (before.correctly_linked && after.correctly_linked) {
      add(key + ".correctly_linked", name_ + ": that record is the person's own", before, after,
          *before.correctly_linked, *after.correctly_linked);
    }
    for (const auto& column : names("sensitive")) {
      if (!has(original_, column) || !has(release_, column)) continue;
      const auto [seen, left] = on_both(column);
      const std::string shown = cleaned(column);
      if (seen.sensitive_disclosed && left.sensitive_disclosed) {
        add(fmt::format("{}.{}.sensitive_disclosed", key, shown),
            fmt::format("{}: {} learned", name_, shown), seen, left, *seen.sensitive_disclosed,
            *left.sensitive_disclosed);
      }
      if (seen.correct && left.correct) {
        add(fmt::format("{}.{}.correct", key, shown),
            fmt::format("{}: {} learned, and right", name_, shown), seen, left, *seen.correct,
            *left.correct);
      }
    }
    say_where_nothing_was_tried(before, after);
    record_list();
  }

 private:
  // Whoever knows the list but for one person could try people until its plain hash fits.
  void record_list() {
    const auto kept = context_.file.find_private(context_.manifest.private_name);
    std::string commitment = "not recorded: there is no private manifest to commit under";
    if (kept) {
      const SourceIdentity identity = context_.engine.identify(list_);
      commitment =
          kept->commitment({.path = name_, .sha256 = identity.sha256, .bytes = identity.bytes});
    }
    context_.report.files.push_back({"adversary's list", name_, "", 0, std::move(commitment)});
  }

  [[nodiscard]] std::vector<std::string> names(const char* key) const {
    return parameters_.value(key, std::vector<std::string>());
  }

  // Dates are compared as days: in the form that they show, or that the manifest records.
  void write_days(Table& table, const Source& source) const {
    OwnForms forms({}, on_);
    forms.fall_back_on(parameters_);
    Schema recorded;
    for (const auto& column : on_) {
      if (records_hierarchy(context_.file, column) && !was_rewritten(parameters_, column))
        recorded.hierarchies[column] = parameters_.at("hierarchies").at(column).get<std::string>();
    }
    forms.leave_texts_of(recorded, on_);
    try {
      (void)forms.write(table, on_, source.name);
    } catch (Error& error) {
      throw error.hint("Write dates in the list as 1970-03-05, and numbers as 1234.5.");
    }
  }

  // Who is there twice is one person, where a number says who it is; names are others' too.
  [[nodiscard]] Table load_list(const std::vector<std::string>& wanted) const {
    const bool numbered = !key_.empty() && lower(key_).find("name") == std::string::npos;
    return numbered ? load_people(context_.engine, list_, wanted, key_, context_.progress)
                    : context_.engine.load(list_, wanted, context_.progress);
  }

  // Over the people's values, as tables attack makes them.
  void make_hierarchies() {
    const CountedTable counted(people_);
    for (const auto& column : on_) {
      if (!records_hierarchy(context_.file, column)) continue;
      const auto spec = parameters_.at("hierarchies").at(column).get<std::string>();
      const Column& values = people_.column(column);
      auto hierarchy = recorded_hierarchy(context_.file, column, values, counted.counts_of(values));
      if (!hierarchy) {
        throw Error::input(
            fmt::format("the hierarchy '{}' of the column '{}' cannot be used on this "
                        "list",
                        without_home(spec), column))
            .at(list_.name)
            .hint(is_builtin_hierarchy(spec)
                      ? "The list's values must be written as in the original table."
                      : "Run this where the release was made, with the hierarchy in its place.");
      }
      hierarchies_.emplace(column, std::move(*hierarchy));
    }
  }

  [[nodiscard]] tables::LinkageAttack on(const Source& table,
                                         const std::optional<std::string>& sensitive) {
    std::vector<std::string> grouped = on_;
    if (sensitive && std::find(on_.begin(), on_.end(), *sensitive) == on_.end())
      grouped.push_back(*sensitive);
    GroupedTable groups = context_.engine.group(table, grouped, context_.progress);
    write_days(groups.groups, table);
    Table truth;
    std::optional<tables::Truth> judged;
    if (!key_.empty()) {
      std::vector<std::string> wanted = grouped;
      wanted.push_back(key_);
      truth = context_.engine.load(original_, wanted, context_.progress);
      write_days(truth, original_);
      judged = tables::Truth{&truth, key_};
    }
    tables::Hierarchies pointers;
    for (const auto& [column, hierarchy] : hierarchies_) pointers[column] = &hierarchy;
    return tables::attack_by_linkage(groups, people_, on_, sensitive, judged, pointers,
                                     context_.progress);
  }

  [[nodiscard]] std::pair<tables::LinkageAttack, tables::LinkageAttack> on_both(
      const std::optional<std::string>& sensitive) {
    auto before = on(original_, sensitive);
    return {before, on(release_, sensitive)};
  }

  // A count and its share, under the keys of tables attack.
  void add(const std::string& key, const std::string& what, const tables::LinkageAttack& before,
           const tables::LinkageAttack& after, std::uint64_t count_before,
           std::uint64_t count_after) {
    auto& all = context_.report.attacks;
    all.push_back({key, what, static_cast<double>(count_before), static_cast<double>(count_after)});
    all.push_back({key + "_share", what + " (share)", before.share(count_before),
                   after.share(count_after), true});
  }

  void say_where_nothing_was_tried(const tables::LinkageAttack& before,
                                   const tables::LinkageAttack& after) {
    for (const auto& [attack, which] :
         {std::pair{&before, "the original"}, std::pair{&after, "the release"}}) {
      if (attack->targets > 0 && attack->linked == 0) {
        context_.report.notes.push_back(fmt::format(
            "No record of {} fits anybody in {}: either none of these people are in it, or the "
            "list writes its values differently, and the attack means nothing.",
            which, name_));
      }
    }
  }

  PageContext& context_;
  const Source& list_;
  std::string name_;
  const Source& original_;
  const Source& release_;
  const Json& parameters_;
  std::vector<std::string> on_;
  std::string key_;
  Table people_;
  std::map<std::string, Hierarchy> hierarchies_;
};

}  // namespace

void attack_with_list(PageContext& context, const Source& list) {
  if (!context.release || !context.original) {
    context.report.notes.push_back(fmt::format(
        "Not attacked with {}: {} is not at its recorded place with its recorded hash.",
        cleaned(without_home(list.name)), context.release ? "the original" : "the release"));
    return;
  }
  ListAttack(context, list).run();
}

}  // namespace pratique::release
