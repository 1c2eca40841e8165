#include "pratique/genomes/format/pedigree.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <set>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/genomes/format/internal/gedcom_text.h"

namespace pratique::genomes {
namespace {

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  const bool commas = line.find_first_of(" \t") == std::string_view::npos;
  std::string field;
  for (const char c : line) {
    const bool ends = c == '\t' || c == '\r' || (commas ? c == ',' : c == ' ');
    if (!ends) {
      field += c;
      continue;
    }
    if (!field.empty() || commas) fields.push_back(std::move(field));
    field.clear();
  }
  if (!field.empty()) fields.push_back(std::move(field));
  return fields;
}

Sex sex_from(const std::string& text) {
  const std::string word = lower(text);
  if (word == "1" || word == "m" || word == "male") return Sex::male;
  if (word == "2" || word == "f" || word == "female") return Sex::female;
  return Sex::unknown;
}

Affection affection_from(const std::string& text) {
  const std::string word = lower(text);
  if (word == "2" || word == "affected" || word == "case" || word == "yes" || word == "true")
    return Affection::affected;
  if (word == "1" || word == "unaffected" || word == "control" || word == "no" || word == "false")
    return Affection::unaffected;
  return Affection::unknown;
}

bool is_nobody(const std::string& name) { return name.empty() || name == "0" || name == "."; }

std::optional<std::int64_t> whole_number_in(const std::string& text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number)
                                                                         : std::nullopt;
}

struct PedLine {
  std::size_t line = 0;
  std::string father = {};
  std::string mother = {};
  Relative person = {};
  std::optional<std::int64_t> born = {};
};

std::string at_line(const std::string& file, std::size_t line) {
  return fmt::format("{}:{}", file, line);
}

// Nobody is their own ancestor. Returns a person who is.
std::optional<std::size_t> own_ancestor(const Pedigree& pedigree) {
  // 0: not seen, 1: among the ancestors being followed, 2: done.
  std::vector<int> state(pedigree.people.size(), 0);
  for (std::size_t start = 0; start < state.size(); ++start) {
    std::vector<std::pair<std::size_t, int>> path = {{start, 0}};
    if (state[start] != 0) continue;
    state[start] = 1;
    while (!path.empty()) {
      auto& [person, next] = path.back();
      if (next == 2) {
        state[person] = 2;
        path.pop_back();
        continue;
      }
      const Relative& relative = pedigree.people[person];
      const std::int32_t parent = next++ == 0 ? relative.father : relative.mother;
      if (parent == kNoParent) continue;
      const auto p = static_cast<std::size_t>(parent);
      if (state[p] == 1) return p;
      if (state[p] == 0) {
        state[p] = 1;
        path.emplace_back(p, 0);
      }
    }
  }
  return std::nullopt;
}

Pedigree pedigree_of(const std::string& file, const std::string& family,
                     std::vector<PedLine> lines) {
  if (std::all_of(lines.begin(), lines.end(), [](const auto& line) { return line.born; })) {
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return *a.born < *b.born; });
  }
  Pedigree pedigree{family, {}};
  std::map<std::string, std::int32_t> place;
  for (const auto& line : lines) {
    if (!place.emplace(line.person.name, static_cast<std::int32_t>(pedigree.people.size()))
             .second) {
      throw Error::input("a person stands there twice")
          .at(at_line(file, line.line))
          .hint("Within a family, each person has one line.");
    }
    pedigree.people.push_back(line.person);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto parent = [&](const std::string& name, Sex wanted) {
      if (is_nobody(name)) return kNoParent;
      const auto known = place.find(name);
      if (known == place.end()) {
        throw Error::input("a parent is not in the family")
            .at(at_line(file, lines[i].line))
            .hint("Add a line for the parent, or write 0 for one who is not known.");
      }
      Sex& sex = pedigree.people[static_cast<std::size_t>(known->second)].sex;
      if (sex == Sex::unknown) sex = wanted;
      if (sex != wanted) {
        throw Error::input("a father is female, or a mother male")
            .at(at_line(file, lines[i].line))
            .hint("The third field is the father, the fourth the mother; sex 1 is male, 2 female.");
      }
      return known->second;
    };
    pedigree.people[i].father = parent(lines[i].father, Sex::male);
    pedigree.people[i].mother = parent(lines[i].mother, Sex::female);
  }
  if (const auto person = own_ancestor(pedigree)) {
    throw Error::input("somebody is their own ancestor")
        .at(at_line(file, lines[*person].line))
        .hint("Look at the parents of this person and of their parents.");
  }
  return pedigree;
}

// Where a header names the columns; else the order of PED.
struct PedColumns {
  std::size_t family = 0;
  std::size_t person = 1;
  std::size_t father = 2;
  std::size_t mother = 3;
  std::size_t sex = 4;
  std::size_t status = 5;
  std::optional<std::size_t> born = {};
  std::optional<std::size_t> name = {};
};

bool is_ped_header(const std::vector<std::string>& fields) {
  return std::any_of(fields.begin(), fields.end(), [](const auto& field) {
    const std::string word = lower(field);
    return word == "sex" || word == "gender" || word == "father" || word == "pat" ||
           word == "paternal_id" || word == "phenotype" || word == "fid";
  });
}

PedColumns columns_in(const std::vector<std::string>& header) {
  PedColumns columns;
  for (std::size_t c = 0; c < header.size(); ++c) {
    std::string word = lower(header[c]);
    if (word.starts_with('#')) word.erase(0, 1);
    if (word == "family" || word == "fid" || word == "family_id") columns.family = c;
    if (word == "person" || word == "iid" || word == "individual" || word == "id" ||
        word == "individual_id")
      columns.person = c;
    if (word == "father" || word == "pat" || word == "paternal_id" || word == "father_id")
      columns.father = c;
    if (word == "mother" || word == "mat" || word == "maternal_id" || word == "mother_id")
      columns.mother = c;
    if (word == "sex" || word == "gender") columns.sex = c;
    if (word == "phenotype" || word == "pheno" || word == "status" || word == "affected" ||
        word == "disease")
      columns.status = c;
    if (word == "birth_order" || word == "born" || word == "birth_year" || word == "year_of_birth")
      columns.born = c;
    if (word == "name") columns.name = c;
  }
  return columns;
}

// Lines of GEDCOM: level, a tag or a mark and a tag, a value.
struct GedcomLine {
  std::size_t line = 0;
  int level = 0;
  std::string mark = {};
  std::string tag = {};
  std::string value = {};
};

std::optional<GedcomLine> gedcom_line(std::string_view text, std::size_t number) {
  while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  GedcomLine line{.line = number};
  const auto word = [&]() {
    const auto end = std::min(text.find(' '), text.size());
    std::string taken(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return taken;
  };
  const auto level = whole_number_in(word());
  if (!level || *level < 0 || *level > 99) return std::nullopt;
  line.level = static_cast<int>(*level);
  line.tag = word();
  if (line.tag.starts_with('@')) {
    line.mark = line.tag;
    line.tag = word();
  }
  line.value = std::string(text);
  return line;
}

struct GedcomPerson {
  Relative relative = {};
  bool named = false;
  std::size_t line = 0;
  std::optional<std::int64_t> year = {};
};
struct GedcomFamily {
  std::string husband;
  std::string wife;
  std::vector<std::string> children;
  std::size_t line = 0;
};

struct Gedcom {
  std::vector<std::string> order;
  std::map<std::string, GedcomPerson> people;
  std::vector<GedcomFamily> families;
};

std::optional<std::int64_t> year_in(const std::string& date) {
  for (std::size_t i = 0; i + 4 <= date.size(); ++i) {
    const auto number = whole_number_in(date.substr(i, 4));
    const bool alone =
        (i == 0 || !is_digit(date[i - 1])) && (i + 4 == date.size() || !is_digit(date[i + 4]));
    if (number && alone && is_digit(date[i])) return number;
  }
  return std::nullopt;
}

Gedcom read_gedcom(const std::string& file, std::string_view text) {
  Gedcom read;
  GedcomPerson* person = nullptr;
  GedcomFamily* family = nullptr;
  std::string above;
  std::size_t number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = gedcom_line(text.substr(0, end), ++number);
    const bool blank = text.substr(0, end).find_first_not_of(" \t\r") == std::string_view::npos;
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line) {
      if (blank) continue;
      throw Error::input("a line is not GEDCOM")
          .at(at_line(file, number))
          .hint("Each line begins with its level, a number, and a tag.");
    }
    if (line->level == 0) {
      person = nullptr;
      family = nullptr;
      if (line->tag == "INDI") {
        if (!read.people.emplace(line->mark, GedcomPerson{.relative = {}, .line = number}).second)
          throw Error::input("a person stands there twice").at(at_line(file, number));
        read.order.push_back(line->mark);
        person = &read.people[line->mark];
        person->relative.name = line->mark;
      } else if (line->tag == "FAM") {
        read.families.push_back({.husband = {}, .wife = {}, .children = {}, .line = number});
        family = &read.families.back();
      }
    } else if (line->level == 1) {
      above = line->tag;
      if (family != nullptr) {
        if (line->tag == "HUSB") family->husband = line->value;
        if (line->tag == "WIFE") family->wife = line->value;
        if (line->tag == "CHIL") family->children.push_back(line->value);
      }
      if (person != nullptr) {
        // Further names are those of marriage, or spelt otherwise.
        if (line->tag == "NAME" && !person->named) person->relative.name = line->value;
        if (line->tag == "NAME") person->named = true;
        if (line->tag == "SEX") person->relative.sex = sex_from(line->value);
      }
    } else if (person != nullptr) {
      if (above == "BIRT" && line->tag == "DATE") person->year = year_in(line->value);
      if ((above == "EVEN" || above == "FACT") && line->tag == "TYPE" &&
          affection_from(line->value) != Affection::unknown)
        person->relative.affection = affection_from(line->value);
    }
  }
  return read;
}

}  // namespace

std::vector<Pedigree> parse_ped(const std::string& name, std::string_view text) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<PedLine>> families;
  PedColumns columns;
  std::size_t number = 0;
  bool first = true;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto fields = fields_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (fields.empty() || (fields.front().starts_with('#') && !(first && is_ped_header(fields))))
      continue;
    if (first && is_ped_header(fields)) {
      columns = columns_in(fields);
      first = false;
      continue;
    }
    first = false;
    const std::size_t needed =
        std::max({columns.family, columns.person, columns.father, columns.mother, columns.sex}) + 1;
    if (fields.size() < needed) {
      throw Error::input("a line has too few fields")
          .at(at_line(name, number))
          .hint("A line of PED is: family person father mother sex phenotype.");
    }
    PedLine line{.line = number,
                 .father = fields[columns.father],
                 .mother = fields[columns.mother],
                 .person = {}};
    line.person.name = fields[columns.person];
    line.person.sex = sex_from(fields[columns.sex]);
    if (columns.status < fields.size())
      line.person.affection = affection_from(fields[columns.status]);
    if (columns.born && *columns.born < fields.size())
      line.born = whole_number_in(fields[*columns.born]);
    const std::string& family = fields[columns.family];
    if (!families.contains(family)) order.push_back(family);
    families[family].push_back(std::move(line));
  }
  std::vector<Pedigree> pedigrees;
  for (const auto& family : order)
    pedigrees.push_back(pedigree_of(name, family, std::move(families[family])));
  return pedigrees;
}

std::vector<Pedigree> parse_gedcom(const std::string& name, std::string_view text) {
  Gedcom read = read_gedcom(name, text);
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < read.order.size(); ++i) place[read.order[i]] = i;
  std::vector<std::size_t> component(read.order.size());
  std::iota(component.begin(), component.end(), 0U);
  const auto root = [&](std::size_t i) {
    while (component[i] != i) i = component[i] = component[component[i]];
    return i;
  };
  std::vector<PedLine> lines(read.order.size());
  std::vector<std::int64_t> rank(read.order.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto& person = read.people[read.order[i]];
    lines[i].line = person.line;
    lines[i].person = person.relative;
    lines[i].person.name = read.order[i];
    rank[i] = static_cast<std::int64_t>(i);
  }
  for (const auto& family : read.families) {
    const auto member = [&](const std::string& mark) {
      const auto known = place.find(mark);
      if (known == place.end()) {
        throw Error::input("a family names somebody who is not in the file")
            .at(at_line(name, family.line))
            .hint("Every HUSB, WIFE and CHIL needs an INDI record.");
      }
      return known->second;
    };
    std::vector<std::size_t> together;
    for (const auto& mark : {family.husband, family.wife}) {
      if (!mark.empty()) together.push_back(member(mark));
    }
    std::vector<std::size_t> children;
    for (const auto& mark : family.children) children.push_back(member(mark));
    const bool dated = std::all_of(children.begin(), children.end(), [&](std::size_t child) {
      return read.people[read.order[child]].year.has_value();
    });
    if (dated) {
      std::stable_sort(children.begin(), children.end(), [&](std::size_t a, std::size_t b) {
        return *read.people[read.order[a]].year < *read.people[read.order[b]].year;
      });
    }
    // Children take the places that their family has in the file, in their birth order.
    std::vector<std::int64_t> places;
    for (const std::size_t child : children) places.push_back(rank[child]);
    std::sort(places.begin(), places.end());
    for (std::size_t c = 0; c < children.size(); ++c) {
      rank[children[c]] = places[c];
      lines[children[c]].father = family.husband;
      lines[children[c]].mother = family.wife;
      together.push_back(children[c]);
    }
    for (const std::size_t person : together) component[root(person)] = root(together.front());
  }
  std::map<std::size_t, std::vector<std::size_t>> families;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!families.contains(root(i))) order.push_back(root(i));
    families[root(i)].push_back(i);
  }
  std::vector<Pedigree> pedigrees;
  for (const std::size_t family : order) {
    auto& members = families[family];
    std::sort(members.begin(), members.end(),
              [&](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
    std::vector<PedLine> own;
    for (const std::size_t person : members) own.push_back(lines[person]);
    Pedigree pedigree = pedigree_of(name, read.order[family], std::move(own));
    for (auto& relative : pedigree.people) relative.name = read.people[relative.name].relative.name;
    pedigrees.push_back(std::move(pedigree));
  }
  return pedigrees;
}

std::vector<Pedigree> parse_pedigrees(const std::string& name, std::string_view bytes) {
  const std::string text = gedcom_as_utf8(name, bytes);
  auto pedigrees = text.starts_with("0 HEAD") || text.starts_with("0 @") ? parse_gedcom(name, text)
                                                                         : parse_ped(name, text);
  if (pedigrees.empty()) {
    throw Error::input("the file has no family")
        .at(name)
        .hint("It is PED (family person father mother sex phenotype) or GEDCOM.");
  }
  return pedigrees;
}

}  // namespace pratique::genomes
