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
    for (std::uint32_t person = 0; person < aligned.size(); ++person)
      halves_[person % 2].push_back(person);
    for (const std::uint32_t locus : loci_) {
      auto& of_locus = by_information_.emplace_back();
      for (std::size_t half = 0; half < halves_.size(); ++half) {
        std::vector<std::pair<double, std::uint32_t>> order;
        for (const std::uint32_t column : columns_) {
          const double bits = halves_[1 - half].empty()
                                  ? 0
                                  : mutual_information(aligned, halves_[1 - half], locus, column);
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
      const Letter commonest = commonest_of(letters);
      std::size_t best = guessed_right(people, by_all, loci_[l], commonest).best();
      for (const std::size_t most : {std::size_t{4}, std::size_t{16}, std::size_t{64}}) {
        std::array<Guesses, 2> of_half;
        for (std::size_t half = 0; half < halves_.size(); ++half) {
          const auto nearest =
              nearest_people(aligned_, most_telling(by_information_[l][half], hidden, most),
                             halves_[half], progress);
          of_half[half] = guessed_right(halves_[half], nearest, loci_[l], commonest);
        }
        best = std::max(
            {best, of_half[0].by_one + of_half[1].by_one, of_half[0].by_five + of_half[1].by_five});
      }
      for (const std::size_t most : {std::size_t{8}, std::size_t{32}}) {
        const auto nearest =
            nearest_people(aligned_, standing_near(loci_[l], hidden, most), people, progress);
        best = std::max(best, guessed_right(people, nearest, loci_[l], commonest).best());
      }
      const auto count = static_cast<double>(aligned_.size());
      const Imputation own{.accuracy = static_cast<double>(best) / count,
                           .baseline = static_cast<double>(letters[commonest]) / count};
      if (l == 0 || own.gain() > worst.gain()) worst = own;
    }
    return worst;
  }

 private:
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

  // Right guesses of the one who is most like the target, and of five.
  struct Guesses {
    std::size_t by_one = 0;
    std::size_t by_five = 0;
    [[nodiscard]] std::size_t best() const { return std::max(by_one, by_five); }
  };

  [[nodiscard]] Guesses guessed_right(const std::vector<std::uint32_t>& targets,
                                      const std::vector<std::vector<std::uint32_t>>& nearest,
                                      std::uint32_t locus, Letter commonest) const {
    Guesses right;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const Letter own = aligned_[targets[t]][locus];
      if (!nearest[t].empty() && aligned_[nearest[t].front()][locus] == own) ++right.by_one;
      std::map<Letter, std::size_t> votes;
      for (const std::uint32_t other : nearest[t]) votes[aligned_[other][locus]] += 2;
      // Of several the commonest of all.
      if (votes.contains(commonest)) ++votes[commonest];
      if (!votes.empty() && commonest_of(votes) == own) ++right.by_five;
    }
    return right;
  }

  const std::vector<Sequence>& aligned_;
  const std::vector<std::uint32_t>& loci_;
  std::vector<std::uint32_t> columns_;
  std::array<std::vector<std::uint32_t>, 2> halves_;
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
                  double tolerance, Progress& progress) {
  Masking masking;
  masking.hidden = loci;
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
  std::size_t next = 0;
  for (std::size_t batch = 1; masking.after.gain() > tolerance && next < by_information.size();
       batch *= 2) {
    const std::size_t end = std::min(next + batch, by_information.size());
    for (; next < end; ++next) masking.hidden.push_back(by_information[next].second);
    std::sort(masking.hidden.begin(), masking.hidden.end());
    masking.after = adversary.attack(masking.hidden, progress);
    progress.set(next);
  }
  masking.within_tolerance = masking.after.gain() <= tolerance;
  return masking;
}

}  // namespace pratique::genomes
