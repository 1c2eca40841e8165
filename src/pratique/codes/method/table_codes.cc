#include "pratique/codes/method/table_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "pratique/codes/method/km_methods.h"
#include "pratique/core/error.h"

namespace pratique::codes {
namespace {

using Patients = std::vector<std::uint32_t>;

// The distinct sets of these patients, over the same numbers of codes, and which of `sets` each is.
CodeSets sets_of(const CodeSets& sets, const Patients& patients,
                 std::vector<std::uint32_t>& source) {
  CodeSets some;
  for (const auto value : sets.codes.values()) (void)some.codes.intern(value);
  std::map<std::uint32_t, std::uint32_t> number;
  for (const auto p : patients) {
    const std::uint32_t set = sets.set_of[p];
    const auto [entry, fresh] = number.try_emplace(set, static_cast<std::uint32_t>(number.size()));
    some.set_of.push_back(entry->second);
    if (!fresh) {
      ++some.counts[entry->second];
      continue;
    }
    source.push_back(set);
    some.counts.push_back(1);
    some.items.insert(some.items.end(), sets.set(set).begin(), sets.set(set).end());
    some.first.push_back(some.items.size());
  }
  return some;
}

struct Attribute {
  Column* column;
  Hierarchy hierarchy;
  std::vector<Hierarchy::Node> leaf_of;  // by value

  [[nodiscard]] Hierarchy::Node leaf(std::uint32_t patient) const {
    return leaf_of[column->codes[patient]];
  }
  [[nodiscard]] double ncp(Hierarchy::Node node) const {
    return hierarchy.is_leaf(node)
               ? 0
               : static_cast<double>(hierarchy.leaves_under(node)) / hierarchy.leaf_count();
  }
};

struct Class {
  Patients patients;
  std::vector<Hierarchy::Node> values;  // by attribute
};

// The codes of a class, k^m-anonymous by themselves.
struct ClassCodes {
  CodeSets sets;
  std::vector<std::uint32_t> source;
  Recoding recoding;
};

class ClassSearch {
 public:
  ClassSearch(const CodeSets& sets, const CodeTree& tree, std::vector<Attribute>& attributes,
              const Parameters& parameters, Progress& progress)
      : sets_(sets),
        tree_(tree),
        attributes_(attributes),
        parameters_(parameters),
        progress_(progress),
        codes_per_patient_(static_cast<double>(sets.occurrences()) /
                           static_cast<double>(sets.patients())) {}

  ClassCodes anonymise(const Patients& patients) const {
    ClassCodes anonymised;
    anonymised.sets = sets_of(sets_, patients, anonymised.source);
    anonymised.recoding =
        anonymise_locally({anonymised.sets, &tree_, parameters_}, Progress::silent());
    return anonymised;
  }

  std::vector<Class> run() {
    Class all;
    for (std::uint32_t p = 0; p < sets_.patients(); ++p) all.patients.push_back(p);
    for (const auto& attribute : attributes_) all.values.push_back(attribute.hierarchy.root());
    lower(all);
    progress_.begin("splitting classes", sets_.patients());
    const double loss = loss_of(all);
    split(std::move(all), loss);
    return std::move(done_);
  }

 private:
  // Values become as narrow as all patients of the class allow.
  void lower(Class& group) const {
    for (std::size_t a = 0; a < attributes_.size(); ++a) {
      const Hierarchy& hierarchy = attributes_[a].hierarchy;
      Hierarchy::Node node = attributes_[a].leaf(group.patients.front());
      for (const auto p : group.patients) {
        while (!hierarchy.is_under(attributes_[a].leaf(p), node)) node = hierarchy.parent(node);
      }
      group.values[a] = node;
    }
  }

  double loss_of(const Class& group) const {
    double values = 0;
    for (std::size_t a = 0; a < attributes_.size(); ++a)
      values += attributes_[a].ncp(group.values[a]);
    const ClassCodes anonymised = anonymise(group.patients);
    double codes = 0;
    for (std::size_t s = 0; s < anonymised.sets.size(); ++s) {
      for (const Code code : anonymised.sets.set(s)) {
        for (const auto item : anonymised.recoding.set(s)) {
          const Label& label = anonymised.recoding.labels[item];
          if (std::binary_search(label.covers.begin(), label.covers.end(), code)) {
            codes += label.ncp * anonymised.sets.counts[s];
          }
        }
      }
    }
    return values / static_cast<double>(attributes_.size()) *
               static_cast<double>(group.patients.size()) +
           codes / codes_per_patient_;
  }

  // By the children of the attribute's value; empty when no part has k patients.
  std::vector<Class> parts_of(const Class& group, std::size_t a) const {
    const Hierarchy& hierarchy = attributes_[a].hierarchy;
    const Hierarchy::Node node = group.values[a];
    if (hierarchy.is_leaf(node)) return {};
    std::map<Hierarchy::Node, Patients> by_child;
    for (const auto p : group.patients) {
      by_child[hierarchy.ancestor(attributes_[a].leaf(p), hierarchy.level(node) - 1)].push_back(p);
    }
    std::vector<std::pair<Hierarchy::Node, Patients>> children(by_child.begin(), by_child.end());
    std::stable_sort(children.begin(), children.end(), [](const auto& x, const auto& y) {
      return x.second.size() < y.second.size();
    });
    Class merged{{}, group.values};
    std::vector<Class> parts;
    for (auto& [child, patients] : children) {
      const bool small = patients.size() < parameters_.k;
      if (small || (!merged.patients.empty() && merged.patients.size() < parameters_.k)) {
        merged.patients.insert(merged.patients.end(), patients.begin(), patients.end());
        continue;
      }
      parts.push_back({std::move(patients), group.values});
      parts.back().values[a] = child;
    }
    if (parts.empty()) return {};
    if (!merged.patients.empty()) parts.push_back(std::move(merged));
    for (Class& part : parts) lower(part);
    return parts;
  }

  // The attribute that costs most is tried first.
  void split(Class group, double loss) {
    std::vector<std::size_t> order;
    for (std::size_t a = 0; a < attributes_.size(); ++a) order.push_back(a);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      return attributes_[x].ncp(group.values[x]) > attributes_[y].ncp(group.values[y]);
    });
    for (const std::size_t a : order) {
      auto parts = parts_of(group, a);
      if (parts.empty()) continue;
      std::vector<double> losses;
      double total = 0;
      for (const Class& part : parts) {
        losses.push_back(loss_of(part));
        total += losses.back();
        if (total >= loss) break;
      }
      if (total >= loss) continue;
      for (std::size_t i = 0; i < parts.size(); ++i) split(std::move(parts[i]), losses[i]);
      return;
    }
    progress_.advance(group.patients.size());
    done_.push_back(std::move(group));
  }

  const CodeSets& sets_;
  const CodeTree& tree_;
  std::vector<Attribute>& attributes_;
  const Parameters& parameters_;
  Progress& progress_;
  double codes_per_patient_;
  std::vector<Class> done_;
};

void add(Exposure& total, const Exposure& part) {
  total.targets += part.targets;
  total.matched_under_k += part.matched_under_k;
  total.reidentified += part.reidentified;
}

std::vector<Attribute> bind(CodeFile& file, const std::vector<QuasiIdentifier>& given) {
  std::vector<Attribute> attributes;
  std::vector<std::string> names;
  for (const auto& rider : file.riders.columns) names.push_back(rider.name);
  for (const auto& [name, spec] : given) {
    if (std::find(file.dropped.begin(), file.dropped.end(), name) != file.dropped.end()) {
      throw Error::input(
          fmt::format("the quasi-identifier '{}' has several values for one patient", name))
          .at(file.source.name)
          .hint("Give each patient one value in all rows.");
    }
    Column& column = file.riders.columns[column_index(names, name, file.source.name)];
    std::vector<std::uint64_t> counts(column.dictionary.size(), 0);
    for (const Code value : column.codes) ++counts[value];
    Hierarchy hierarchy = make_hierarchy(spec, column.dictionary, counts, name);
    auto leaf_of = hierarchy.bind(column.dictionary, counts, name);
    attributes.push_back({&column, std::move(hierarchy), std::move(leaf_of)});
  }
  return attributes;
}

}  // namespace

TableAndCodes anonymise_table_and_codes(CodeFile& file, const CodeTree& tree,
                                        const std::vector<QuasiIdentifier>& quasi_identifiers,
                                        const Parameters& parameters, Progress& progress) {
  auto attributes = bind(file, quasi_identifiers);
  ClassSearch search(file.sets, tree, attributes, parameters, progress);

  // Classes are what a reader tells apart: those with the same labels are one.
  std::map<std::vector<std::string>, Class> classes;
  for (auto& group : search.run()) {
    std::vector<std::string> texts;
    for (std::size_t a = 0; a < attributes.size(); ++a) {
      texts.emplace_back(attributes[a].hierarchy.label(group.values[a]));
    }
    Class& into = classes[texts];
    into.values = group.values;
    into.patients.insert(into.patients.end(), group.patients.begin(), group.patients.end());
  }

  TableAndCodes result;
  result.classes = classes.size();
  result.recoding.domain = tree.leaf_count();
  const auto m = static_cast<std::size_t>(parameters.m);
  constexpr auto kAll = ~std::size_t{0};
  std::map<std::vector<Code>, Patients> alike;
  for (std::uint32_t p = 0; p < file.sets.patients(); ++p) {
    std::vector<Code> values;
    for (const auto& attribute : attributes) values.push_back(attribute.column->codes[p]);
    alike[values].push_back(p);
  }
  for (const auto& [values, patients] : alike) {
    std::vector<std::uint32_t> source;
    const CodeSets sets = sets_of(file.sets, patients, source);
    const SearchableRelease original(sets, unchanged(sets, &tree));
    add(result.before, expose(original, sets, parameters.k, m, Progress::silent()));
    add(result.before_all, expose(original, sets, parameters.k, kAll, Progress::silent()));
  }

  CodeSets split;
  split.set_of.resize(file.sets.patients());
  std::map<std::string, std::uint32_t> label_of;
  std::vector<Dictionary> values(attributes.size());
  std::vector<std::vector<Code>> recoded(attributes.size(),
                                         std::vector<Code>(file.sets.patients()));
  for (const auto& [texts, group] : classes) {
    const ClassCodes anonymised = search.anonymise(group.patients);
    const SearchableRelease released(anonymised.sets, anonymised.recoding);
    add(result.after, expose(released, anonymised.sets, parameters.k, m, Progress::silent()));
    add(result.after_all,
        expose(released, anonymised.sets, parameters.k, kAll, Progress::silent()));
    const auto first_set = static_cast<std::uint32_t>(split.counts.size());
    for (std::size_t s = 0; s < anonymised.sets.size(); ++s) {
      const auto set = anonymised.sets.set(s);
      split.items.insert(split.items.end(), set.begin(), set.end());
      split.first.push_back(split.items.size());
      split.counts.push_back(anonymised.sets.counts[s]);
      const auto begin = static_cast<std::ptrdiff_t>(result.recoding.items.size());
      for (const auto item : anonymised.recoding.set(s)) {
        const Label& label = anonymised.recoding.labels[item];
        const auto [entry, fresh] = label_of.try_emplace(
            label.text, static_cast<std::uint32_t>(result.recoding.labels.size()));
        if (fresh) result.recoding.labels.push_back(label);
        result.recoding.items.push_back(entry->second);
      }
      std::sort(result.recoding.items.begin() + begin, result.recoding.items.end());
      result.recoding.first.push_back(result.recoding.items.size());
    }
    for (std::size_t i = 0; i < group.patients.size(); ++i) {
      split.set_of[group.patients[i]] = first_set + anonymised.sets.set_of[i];
      for (std::size_t a = 0; a < attributes.size(); ++a) {
        recoded[a][group.patients[i]] = values[a].intern(texts[a]);
        result.demographics_ncp += attributes[a].ncp(group.values[a]);
      }
    }
  }
  result.demographics_ncp /=
      static_cast<double>(attributes.size()) * static_cast<double>(file.sets.patients());
  split.codes = std::move(file.sets.codes);
  file.sets = std::move(split);
  for (std::size_t a = 0; a < attributes.size(); ++a) {
    attributes[a].column->codes = std::move(recoded[a]);
    attributes[a].column->dictionary = std::move(values[a]);
  }
  return result;
}

}  // namespace pratique::codes
