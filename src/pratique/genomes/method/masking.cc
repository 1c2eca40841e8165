#include "pratique/genomes/method/masking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "pratique/core/parallel.h"
#include "pratique/genomes/sequence/lattice_planes.h"

namespace pratique::genomes {
namespace {

constexpr std::size_t kNeighbours = 5;

Letter commonest_of(const std::map<Letter, std::size_t>& counts) {
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// The people most like each of some, by these columns; nobody's where there are none.
std::vector<std::vector<std::uint32_t>> nearest_people(const std::vector<Sequence>& aligned,
                                                       const std::vector<std::uint32_t>& columns,
                                                       const std::vector<std::uint32_t>& targets,
                                                       Progress& progress) {
  const LatticePlanes planes(aligned, columns);
  std::vector<std::vector<std::uint32_t>> nearest(targets.size());
  constexpr std::size_t kPeoplePerTask = 16;
  parallel_blocks(targets.size(), kPeoplePerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      std::vector<std::pair<std::int64_t, std::uint32_t>> others;
      for (std::uint32_t other = 0; other < aligned.size(); ++other) {
        if (other != targets[t]) others.emplace_back(planes.distance(targets[t], other), other);
      }
      const std::size_t kept = std::min(kNeighbours, others.size());
      std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(kept),
                        others.end());
      for (std::size_t i = 0; i < kept; ++i) nearest[t].push_back(others[i].second);
    }
    progress.check();
  });
  return nearest;
}

// In bits, between the letters of two columns.
double mutual_information(const std::vector<Sequence>& aligned,
                          const std::vector<std::uint32_t>& people, std::uint32_t a,
                          std::uint32_t b) {
  std::array<std::array<double, 32>, 32> joint{};
  std::array<double, 32> of_a{};
  std::array<double, 32> of_b{};
  const double each = 1.0 / static_cast<double>(people.size());
  for (const std::uint32_t person : people) {
    const Sequence& sequence = aligned[person];
    joint[sequence[a]][sequence[b]] += each;
    of_a[sequence[a]] += each;
    of_b[sequence[b]] += each;
  }
  double bits = 0;
  for (std::size_t x = 0; x < of_a.size(); ++x) {
    for (std::size_t y = 0; y < of_b.size(); ++y) {
      if (joint[x][y] > 0) bits += joint[x][y] * std::log2(joint[x][y] / (of_a[x] * of_b[y]));
    }
  }
  return bits;
}

// A letter by person; 0 where nobody was there to guess by.
using Guesses = std::vector<Letter>;

// The chance that at least so many of `guessed` people drawn from all have a letter that `carriers`
// of them have.
double chance_of(std::size_t hits, std::size_t carriers, std::size_t guessed, std::size_t people) {
  const auto ways = [](std::size_t of, std::size_t chosen) {
    return std::lgamma(static_cast<double>(of) + 1) - std::lgamma(static_cast<double>(chosen) + 1) -
           std::lgamma(static_cast<double>(of - chosen) + 1);
  };
  double chance = 0;
  for (std::size_t hit = hits; hit <= std::min(carriers, guessed); ++hit) {
    if (guessed - hit > people - carriers) continue;
    chance += std::exp(ways(carriers, hit) + ways(people - carriers, guessed - hit) -
                       ways(people, guessed));
  }
  return chance;
}

// By how much those with and those without a letter are told apart, as if they were equally many;
// nothing where chance could do as much.
Imputation told_apart(const std::vector<Sequence>& aligned, const Guesses& guesses,
                      std::uint32_t locus, Letter letter) {
  constexpr double kByChance = 0.002;
  std::size_t carriers = 0;
  std::size_t guessed = 0;
  std::size_t hits = 0;
  for (std::size_t person = 0; person < guesses.size(); ++person) {
    const bool has = aligned[person][locus] == letter;
    const bool said = guesses[person] == letter;
    carriers += has ? 1 : 0;
    guessed += said ? 1 : 0;
    hits += has && said ? 1 : 0;
  }
  Imputation balanced{.accuracy = 0.5, .baseline = 0.5};
  const std::size_t others = guesses.size() - carriers;
  if (carriers == 0 || others == 0 ||
      chance_of(hits, carriers, guessed, guesses.size()) > kByChance)
    return balanced;
  const double of_carriers = static_cast<double>(hits) / static_cast<double>(carriers);
  const double of_others = static_cast<double>(guessed - hits) / static_cast<double>(others);
  balanced.accuracy += (of_carriers - of_others) / 2;
  return balanced;
}

std::vector<std::uint32_t> without(const std::vector<std::uint32_t>& columns,
                                   const std::vector<std::uint32_t>& hidden) {
  std::vector<std::uint32_t> shown;
  std::set_difference(columns.begin(), columns.end(), hidden.begin(), hidden.end(),
                      std::back_inserter(shown));
  return shown;
}

std::vector<std::uint32_t> everybody_in(const std::vector<Sequence>& aligned) {
  std::vector<std::uint32_t> people(aligned.size());
  std::iota(people.begin(), people.end(), 0U);
  return people;
}

// The adversary, who has learned which columns tell a locus.
class Imputer {
 public:
  Imputer(const std::vector<Sequence>& aligned, const std::vector<std::uint32_t>& loci)
      : aligned_(aligned), loci_(loci), columns_(variable_regions(aligned)) {
    for (const std::uint32_t locus : loci_) {
      const auto& halves = halves_.emplace_back(halves_by(locus));
      auto& of_locus = by_information_.emplace_back();
      for (std::size_t half = 0; half < halves.size(); ++half) {
        std::vector<std::pair<double, std::uint32_t>> order;
        for (const std::uint32_t column : columns_) {
          const double bits = halves[1 - half].empty()
                                  ? 0
                                  : mutual_information(aligned, halves[1 - half], locus, column);
          order.emplace_back(-bits, column);
        }
        std::sort(order.begin(), order.end());
        for (const auto& [bits, column] : order) of_locus[half].push_back(column);
      }
    }
  }

  // The worst of the loci, with these columns hidden, ascending.
  [[nodiscard]] Imputation attack(const std::vector<std::uint32_t>& hidden,
                                  Progress& progress) const {
    const auto people = everybody_in(aligned_);
    const auto by_all = nearest_people(aligned_, without(columns_, hidden), people, progress);
    Imputation worst;
    for (std::size_t l = 0; l < loci_.size(); ++l) {
      std::map<Letter, std::size_t> letters;
      for (const auto& sequence : aligned_) ++letters[sequence[loci_[l]]];
      Imputation own{.accuracy = 0, .baseline = 1};
      const auto judge = [&](const GuessesBy& guesses_by) {
        for (const Guesses& guesses : {guesses_by.by_nearest, guesses_by.by_five}) {
          const Imputation by = judged(guesses, loci_[l], letters);
          if (by.gain() > own.gain()) own = by;
        }
      };
      GuessesBy by_everything(aligned_.size());
      guess(people, by_all, loci_[l], commonest_of(letters), by_everything);
      judge(by_everything);
      for (const std::size_t most :
           {std::size_t{1}, std::size_t{4}, std::size_t{16}, std::size_t{64}}) {
        GuessesBy by_telling(aligned_.size());
        for (std::size_t half = 0; half < halves_[l].size(); ++half) {
          const auto nearest =
              nearest_people(aligned_, most_telling(by_information_[l][half], hidden, most),
                             halves_[l][half], progress);
          guess(halves_[l][half], nearest, loci_[l], commonest_of(letters), by_telling);
        }
        judge(by_telling);
      }
      for (const std::size_t most : {std::size_t{8}, std::size_t{32}}) {
        const auto nearest =
            nearest_people(aligned_, standing_near(loci_[l], hidden, most), people, progress);
        GuessesBy by_near(aligned_.size());
        guess(people, nearest, loci_[l], commonest_of(letters), by_near);
        judge(by_near);
      }
      if (l == 0 || own.gain() > worst.gain()) worst = own;
    }
    return worst;
  }

 private:
  using Halves = std::array<std::vector<std::uint32_t>, 2>;

  // Who has a letter, half of them each: of a rare one, too, something is learned.
  [[nodiscard]] Halves halves_by(std::uint32_t locus) const {
    auto people = everybody_in(aligned_);
    std::stable_sort(people.begin(), people.end(),
                     [&](auto a, auto b) { return aligned_[a][locus] < aligned_[b][locus]; });
    Halves halves;
    for (std::size_t i = 0; i < people.size(); ++i) halves[i % 2].push_back(people[i]);
    return halves;
  }

  // The first that are shown, ascending.
  static std::vector<std::uint32_t> most_telling(const std::vector<std::uint32_t>& order,
                                                 const std::vector<std::uint32_t>& hidden,
                                                 std::size_t most) {
    std::vector<std::uint32_t> chosen;
    for (const std::uint32_t column : order) {
      if (chosen.size() == most) break;
      if (!std::binary_search(hidden.begin(), hidden.end(), column)) chosen.push_back(column);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

  // Those nearest to a locus that are shown, ascending.
  [[nodiscard]] std::vector<std::uint32_t> standing_near(std::uint32_t locus,
                                                         const std::vector<std::uint32_t>& hidden,
                                                         std::size_t most) const {
    std::vector<std::uint32_t> shown = without(columns_, hidden);
    const auto apart = [&](std::uint32_t column) {
      return column > locus ? column - locus : locus - column;
    };
    std::stable_sort(shown.begin(), shown.end(),
                     [&](auto a, auto b) { return apart(a) < apart(b); });
    shown.resize(std::min(shown.size(), most));
    std::sort(shown.begin(), shown.end());
    return shown;
  }

  // Of the one who is most like the target, and of five.
  struct GuessesBy {
    explicit GuessesBy(std::size_t people) : by_nearest(people), by_five(people) {}
    Guesses by_nearest;
    Guesses by_five;
  };

  void guess(const std::vector<std::uint32_t>& targets,
             const std::vector<std::vector<std::uint32_t>>& nearest, std::uint32_t locus,
             Letter commonest, GuessesBy& guesses_by) const {
    for (std::size_t t = 0; t < targets.size(); ++t) {
      if (nearest[t].empty()) continue;
      guesses_by.by_nearest[targets[t]] = aligned_[nearest[t].front()][locus];
      std::map<Letter, std::size_t> votes;
      for (const std::uint32_t other : nearest[t]) votes[aligned_[other][locus]] += 2;
      // Of several the commonest of all.
      if (votes.contains(commonest)) ++votes[commonest];
      guesses_by.by_five[targets[t]] = commonest_of(votes);
    }
  }

  // Over everybody, or for the letter that they give away most.
  [[nodiscard]] Imputation judged(const Guesses& guesses, std::uint32_t locus,
                                  const std::map<Letter, std::size_t>& letters) const {
    const auto count = static_cast<double>(aligned_.size());
    std::size_t right = 0;
    for (std::size_t person = 0; person < guesses.size(); ++person)
      right += aligned_[person][locus] == guesses[person] ? 1 : 0;
    Imputation worst{.accuracy = static_cast<double>(right) / count,
                     .baseline = static_cast<double>(letters.at(commonest_of(letters))) / count};
    for (const auto& [letter, carriers] : letters) {
      // That nothing was read there is no trait of a person.
      if (letter == kAnyBase) continue;
      const Imputation own = told_apart(aligned_, guesses, locus, letter);
      if (own.gain() > 0 && own.gain() > worst.gain()) worst = own;
    }
    return worst;
  }

  const std::vector<Sequence>& aligned_;
  const std::vector<std::uint32_t>& loci_;
  std::vector<std::uint32_t> columns_;
  std::vector<Halves> halves_;  // by locus
  // By locus, for targets of each half: columns, the most telling first.
  std::vector<std::array<std::vector<std::uint32_t>, 2>> by_information_;
};

}  // namespace

Imputation impute(const std::vector<Sequence>& aligned, const std::vector<std::uint32_t>& loci,
                  const std::vector<std::uint32_t>& hidden, Progress& progress) {
  std::vector<std::uint32_t> sorted = hidden;
  std::sort(sorted.begin(), sorted.end());
  return Imputer(aligned, loci).attack(sorted, progress);
}

Masking mask_loci(const std::vector<Sequence>& aligned, const std::vector<std::uint32_t>& loci,
                  const std::vector<std::uint32_t>& beside, double tolerance, Progress& progress) {
  Masking masking;
  masking.hidden = loci;
  masking.hidden.insert(masking.hidden.end(), beside.begin(), beside.end());
  std::sort(masking.hidden.begin(), masking.hidden.end());
  masking.hidden.erase(std::unique(masking.hidden.begin(), masking.hidden.end()),
                       masking.hidden.end());
  const auto people = everybody_in(aligned);
  std::vector<std::pair<double, std::uint32_t>> by_information;
  for (const std::uint32_t column : without(variable_regions(aligned), masking.hidden)) {
    double most = 0;
    for (const std::uint32_t locus : loci)
      most = std::max(most, mutual_information(aligned, people, locus, column));
    by_information.emplace_back(-most, column);
  }
  std::sort(by_information.begin(), by_information.end());
  progress.begin("hiding what tells the loci", by_information.size());
  const Imputer adversary(aligned, loci);
  masking.alone = adversary.attack(masking.hidden, progress);
  masking.after = masking.alone;
  const std::vector<std::uint32_t> always = masking.hidden;
  // With the first of the others hidden, by what they tell.
  const auto hide = [&](std::size_t count) {
    masking.hidden = always;
    for (std::size_t i = 0; i < count; ++i) masking.hidden.push_back(by_information[i].second);
    std::sort(masking.hidden.begin(), masking.hidden.end());
    masking.after = adversary.attack(masking.hidden, progress);
    return masking.after.gain() <= tolerance;
  };
  std::size_t too_few = 0;
  std::size_t enough = 0;
  bool reached = masking.after.gain() <= tolerance;
  for (std::size_t batch = 1; !reached && enough < by_information.size(); batch *= 2) {
    too_few = enough;
    enough = std::min(enough + batch, by_information.size());
    reached = hide(enough);
    progress.set(enough);
  }
  // No more than it takes, of the last of them.
  std::size_t hidden = enough;
  while (reached && too_few + 1 < enough) {
    hidden = too_few + (enough - too_few) / 2;
    if (hide(hidden)) {
      enough = hidden;
    } else {
      too_few = hidden;
    }
  }
  if (hidden != enough) (void)hide(enough);
  masking.within_tolerance = masking.after.gain() <= tolerance;
  return masking;
}

}  // namespace pratique::genomes
