#include "pratique/genomes/susceptibility/kindred.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "pratique/crypto/random.h"

namespace pratique::genomes {
namespace {

constexpr std::array<std::string_view, 24> kGivenOfMen = {
    "Adam", "Bruno",  "Carl", "David", "Emil",  "Felix",  "Georg", "Hugo",
    "Ivan", "Jonas",  "Karl", "Leon",  "Max",   "Noah",   "Oskar", "Paul",
    "Ralf", "Samuel", "Tom",  "Udo",   "Vitus", "Walter", "Xaver", "Yann"};
constexpr std::array<std::string_view, 24> kGivenOfWomen = {
    "Ada",  "Berta", "Clara", "Dora", "Emma", "Frieda", "Greta", "Hanna",
    "Ida",  "Julia", "Klara", "Lena", "Mia",  "Nora",   "Olga",  "Paula",
    "Rosa", "Sara",  "Tina",  "Ulla", "Vera", "Wilma",  "Xenia", "Yara"};
constexpr std::array<std::string_view, 16> kSurnameBegins = {
    "Al", "Ber", "Cor", "Dan", "El",  "Far", "Gol", "Hal",
    "Is", "Kor", "Lan", "Mor", "Nor", "Ols", "Per", "Win"};
constexpr std::array<std::string_view, 12> kSurnameEnds = {"berg", "dahl",  "feld", "gaard",
                                                           "holm", "land",  "mann", "quist",
                                                           "sen",  "stein", "thal", "wald"};

class KindredMaker {
 public:
  explicit KindredMaker(const KindredOptions& options) : options_(options), random_(options.seed) {
    kindred_.hospitals = options.hospitals;
    std::vector<double> weights;
    for (std::size_t d = 0; d < table_b1().size(); ++d)
      weights.push_back(1.0 / static_cast<double>(d + 1));
    diseases_.emplace(weights);
  }

  Kindred make() {
    while (kindred_.people.size() < options_.people) add_family();
    for (auto& person : kindred_.people) send_to_hospitals(person);
    return std::move(kindred_);
  }

 private:
  // Within the family that is being made.
  std::int32_t add(Sex sex, std::int32_t born, const std::string& surname, std::int32_t father,
                   std::int32_t mother) {
    const auto& given = sex == Sex::male ? kGivenOfMen : kGivenOfWomen;
    Kinsman person;
    person.name = fmt::format("{} {}", given[random_.below(given.size())], surname);
    do {
      person.ssn = fmt::format("{:03}-{:02}-{:04}", random_.between(1, 899), random_.between(1, 99),
                               random_.between(1, 9999));
    } while (!ssns_.insert(person.ssn).second);
    person.zip = fmt::format("60{}{:02}", region_, random_.between(0, 19));
    person.birth_year = born;
    person.family = static_cast<std::uint32_t>(kindred_.pedigrees.size());
    const auto place = static_cast<std::int32_t>(pedigree_.people.size());
    pedigree_.people.push_back({.name = std::to_string(kindred_.people.size()),
                                .father = father,
                                .mother = mother,
                                .sex = sex});
    kindred_.people.push_back(std::move(person));
    return place;
  }
  Kinsman& kinsman(std::int32_t place) {
    return kindred_.people[first_ + static_cast<std::size_t>(place)];
  }

  void add_children(std::int32_t father, std::int32_t mother, const std::string& surname,
                    bool grandchildren) {
    const std::int64_t count = random_.between(1, 5);
    std::int32_t born = kinsman(mother).birth_year + 19;
    std::vector<std::int32_t> children;
    for (std::int64_t c = 0; c < count; ++c) {
      born += static_cast<std::int32_t>(random_.between(1, 4));
      const std::int32_t child =
          add(random_.chance(0.5) ? Sex::male : Sex::female, born, surname, father, mother);
      const bool carrier = kinsman(father).disease >= 0 || kinsman(mother).disease >= 0;
      if (carrier && random_.chance(0.5))
        kinsman(child).disease = std::max(kinsman(father).disease, kinsman(mother).disease);
      children.push_back(child);
    }
    if (!grandchildren) return;
    for (const std::int32_t child : children) {
      if (!random_.chance(0.5)) continue;
      const bool man = pedigree_.people[static_cast<std::size_t>(child)].sex == Sex::male;
      const std::int32_t partner =
          add(man ? Sex::female : Sex::male,
              kinsman(child).birth_year + static_cast<std::int32_t>(random_.between(-4, 4)),
              draw_surname(), kNoParent, kNoParent);
      add_children(man ? child : partner, man ? partner : child, surname, false);
    }
  }

  std::string draw_surname() {
    return fmt::format("{}{}", kSurnameBegins[random_.below(kSurnameBegins.size())],
                       kSurnameEnds[random_.below(kSurnameEnds.size())]);
  }

  void add_family() {
    first_ = kindred_.people.size();
    region_ = static_cast<int>(random_.below(5));
    pedigree_ = {.family = std::to_string(kindred_.pedigrees.size()), .people = {}};
    const std::string surname = draw_surname();
    const auto born = static_cast<std::int32_t>(random_.between(1915, 1945));
    const std::int32_t father = add(Sex::male, born, surname, kNoParent, kNoParent);
    const std::int32_t mother =
        add(Sex::female, born + static_cast<std::int32_t>(random_.between(-3, 5)), surname,
            kNoParent, kNoParent);
    if (random_.chance(0.4))
      kinsman(random_.chance(0.5) ? father : mother).disease =
          static_cast<std::int32_t>(diseases_->draw(random_));
    add_children(father, mother, surname, random_.chance(0.7));
    for (std::size_t p = 0; p < pedigree_.people.size(); ++p) {
      Kinsman& person = kindred_.people[first_ + p];
      person.diagnosed = person.disease >= 0 && random_.chance(0.8);
      pedigree_.people[p].affection =
          person.diagnosed ? Affection::affected : Affection::unaffected;
    }
    kindred_.pedigrees.push_back(std::move(pedigree_));
  }

  void send_to_hospitals(Kinsman& person) {
    const auto region = static_cast<std::uint32_t>(person.zip[2] - '0');
    for (std::uint32_t h = 0; h < options_.hospitals; ++h) {
      const double size = 1.0 / (1.0 + h / 3.0);
      const double near = h % 5 == region ? 0.7 : 0.15;
      if (random_.chance(size * near)) person.hospitals.push_back(h);
    }
    if (person.hospitals.empty()) person.hospitals.push_back(region % options_.hospitals);
    if (!person.diagnosed && !random_.chance(1.0 / 3)) return;
    for (const std::uint32_t hospital : person.hospitals) {
      if (random_.chance(0.8)) person.dna_at.push_back(hospital);
    }
    if (person.dna_at.empty()) person.dna_at.push_back(person.hospitals.front());
  }

  KindredOptions options_;
  SeededRandom random_;
  std::optional<AliasTable> diseases_;
  Kindred kindred_;
  Pedigree pedigree_;
  std::size_t first_ = 0;
  int region_ = 0;
  std::set<std::string> ssns_;
};

}  // namespace

Kindred make_kindred(const KindredOptions& options) { return KindredMaker(options).make(); }

}  // namespace pratique::genomes
