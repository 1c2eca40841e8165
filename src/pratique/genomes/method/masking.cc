#include "pratique/genomes/method/masking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

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

// The people most like each, by the columns that are shown.
std::vector<std::vector<std::uint32_t>> nearest_people(const std::vector<Sequence>& aligned,
                                                       const std::vector<std::uint32_t>& shown,
                                                       Progress& progress) {
  const LatticePlanes planes(aligned, shown);
  std::vector<std::vector<std::uint32_t>> nearest(aligned.size());
  constexpr std::size_t kPeoplePerTask = 16;
  parallel_blocks(aligned.size(), kPeoplePerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t person = begin; person < end; ++person) {
      std::vector<std::pair<std::int64_t, std::uint32_t>> others;
      for (std::uint32_t other = 0; other < aligned.size(); ++other) {
        if (other != person) others.emplace_back(planes.distance(person, other), other);
      }
      const std::size_t kept = std::min(kNeighbours, others.size());
      std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(kept),
                        others.end());
      for (std::size_t i = 0; i < kept; ++i) nearest[person].push_back(others[i].second);
    }
    progress.check();
  });
  return nearest;
}

// In bits, between the letters of two columns.
double mutual_information(const std::vector<Sequence>& aligned, std::uint32_t a, std::uint32_t b) {
  std::array<std::array<double, 32>, 32> joint{};
  std::array<double, 32> of_a{};
  std::array<double, 32> of_b{};
  const double each = 1.0 / static_cast<double>(aligned.size());
  for (const auto& sequence : aligned) {
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

}  // namespace

Imputation impute(const std::vector<Sequence>& aligned, const std::vector<std::uint32_t>& loci,
                  const std::vector<std::uint32_t>& hidden, Progress& progress) {
  std::vector<std::uint32_t> sorted = hidden;
  std::sort(sorted.begin(), sorted.end());
  const auto nearest =
      nearest_people(aligned, without(variable_regions(aligned), sorted), progress);
  Imputation worst;
  bool first = true;
  for (const std::uint32_t locus : loci) {
    std::map<Letter, std::size_t> everybody;
    for (const auto& sequence : aligned) ++everybody[sequence[locus]];
    const Letter commonest = commonest_of(everybody);
    std::size_t right = 0;
    for (std::size_t person = 0; person < aligned.size(); ++person) {
      std::map<Letter, std::size_t> letters;
      for (const std::uint32_t other : nearest[person]) ++letters[aligned[other][locus]];
      // Of several the commonest of all.
      if (letters.contains(commonest)) letters[commonest] = 2 * letters[commonest] + 1;
      for (auto& [letter, count] : letters) {
        if (letter != commonest) count *= 2;
      }
      if (!letters.empty() && commonest_of(letters) == aligned[person][locus]) ++right;
    }
    const double people = static_cast<double>(aligned.size());
    const Imputation own{.accuracy = static_cast<double>(right) / people,
                         .baseline = static_cast<double>(everybody[commonest]) / people};
    if (first || own.gain() > worst.gain()) worst = own;
    first = false;
  }
  return worst;
}

Masking mask_loci(const std::vector<Sequence>& aligned, const std::vector<std::uint32_t>& loci,
                  double tolerance, Progress& progress) {
  Masking masking;
  masking.hidden = loci;
  std::sort(masking.hidden.begin(), masking.hidden.end());
  masking.hidden.erase(std::unique(masking.hidden.begin(), masking.hidden.end()),
                       masking.hidden.end());
  std::vector<std::pair<double, std::uint32_t>> by_information;
  for (const std::uint32_t column : without(variable_regions(aligned), masking.hidden)) {
    double most = 0;
    for (const std::uint32_t locus : loci)
      most = std::max(most, mutual_information(aligned, locus, column));
    by_information.emplace_back(-most, column);
  }
  std::sort(by_information.begin(), by_information.end());
  progress.begin("hiding what tells the loci", by_information.size());
  masking.alone = impute(aligned, loci, masking.hidden, progress);
  masking.after = masking.alone;
  std::size_t next = 0;
  for (std::size_t batch = 1; masking.after.gain() > tolerance && next < by_information.size();
       batch *= 2) {
    const std::size_t end = std::min(next + batch, by_information.size());
    for (; next < end; ++next) masking.hidden.push_back(by_information[next].second);
    std::sort(masking.hidden.begin(), masking.hidden.end());
    masking.after = impute(aligned, loci, masking.hidden, progress);
    progress.set(next);
  }
  masking.within_tolerance = masking.after.gain() <= tolerance;
  return masking;
}

}  // namespace pratique::genomes
