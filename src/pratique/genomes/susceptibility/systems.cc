#include "pratique/genomes/susceptibility/systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "pratique/crypto/hash.h"
#include "pratique/crypto/random.h"
#include "pratique/genomes/attack/dictionary.h"
#include "pratique/genomes/attack/family_members.h"
#include "pratique/genomes/attack/genotype_phenotype.h"
#include "pratique/trails/attack/attack.h"

namespace pratique::genomes {
namespace {

using People = std::set<std::uint32_t>;
enum System : std::size_t { kTrust, kSemitrust, kDenom, kDeid };
enum Reidentification : std::size_t { kFamily, kTrail, kGenphen, kDictionary };

std::uint32_t number_of(const Relative& relative) {
  return static_cast<std::uint32_t>(std::stoul(relative.name));
}

std::string sex_of(const Kindred& kindred, std::uint32_t person) {
  const Kinsman& own = kindred.people[person];
  for (const auto& relative : kindred.pedigrees[own.family].people) {
    if (number_of(relative) == person) return relative.sex == Sex::male ? "M" : "F";
  }
  return "";
}

// All four attacks on one system, with the people who are named already left out of what can still
// be confused with others.
class SystemUnderAttack {
 public:
  SystemUnderAttack(const Kindred& kindred, System system, const SusceptibilityOptions& options,
                    std::uint64_t seed, Progress& progress)
      : kindred_(kindred), system_(system), options_(options), seed_(seed), progress_(progress) {
    for (std::uint32_t p = 0; p < kindred.people.size(); ++p) {
      sexes_.push_back(sex_of(kindred, p));
      if (!kindred.people[p].dna_at.empty()) sampled_.push_back(p);
    }
  }

  [[nodiscard]] People attack(Reidentification attack, const People& named) {
    switch (attack) {
      case kFamily:
        return by_family(named);
      case kTrail:
        return by_trails(named);
      case kGenphen:
        return by_disease(named);
      case kDictionary:
        break;
    }
    return by_dictionary(named);
  }

  // Of FAMILY everybody in a pedigree, else everybody with a sample.
  [[nodiscard]] double share(Reidentification attack, const People& reidentified) const {
    if (attack == kFamily)
      return static_cast<double>(reidentified.size()) / static_cast<double>(kindred_.people.size());
    return share_of_samples(reidentified);
  }
  [[nodiscard]] double share_of_samples(const People& reidentified) const {
    const auto with = std::count_if(sampled_.begin(), sampled_.end(),
                                    [&](std::uint32_t p) { return reidentified.contains(p); });
    return static_cast<double>(with) /
           static_cast<double>(std::max<std::size_t>(sampled_.size(), 1));
  }

  std::uint64_t keys_tried = 0;

 private:
  People by_family(const People& named) const {
    People reidentified;
    if (system_ == kSemitrust) return reidentified;  // no pedigree leaves
    FamilyKnowledge knowledge;
    knowledge.status = false;  // genealogies do not tell it
    knowledge.birth_order = system_ == kDenom;
    // Whoever is named already tells families apart, and relatives that are alike.
    FamilyMarks marks;
    for (const auto& pedigree : kindred_.pedigrees) {
      auto& own = marks.emplace_back();
      for (const auto& relative : pedigree.people) {
        const std::uint32_t person = number_of(relative);
        own.push_back(named.contains(person) ? person + std::uint64_t{1} : 0);
      }
    }
    for (const auto& link :
         match_members(kindred_.pedigrees, marks, kindred_.pedigrees, marks, knowledge, progress_))
      reidentified.insert(number_of(kindred_.pedigrees[link.here.family].people[link.here.person]));
    return reidentified;
  }

  People by_trails(const People& named) const {
    if (system_ == kTrust || system_ == kDenom) return {};  // no place, or one
    std::vector<trails::Element> people_seen;
    std::vector<trails::Location> people_at;
    std::vector<trails::Element> samples_seen;
    std::vector<trails::Location> samples_at;
    std::vector<std::uint32_t> left;
    for (std::uint32_t p = 0; p < kindred_.people.size(); ++p) {
      if (!named.contains(p)) left.push_back(p);
    }
    std::vector<std::uint32_t> samples;
    for (std::uint32_t i = 0; i < left.size(); ++i) {
      const Kinsman& person = kindred_.people[left[i]];
      for (const std::uint32_t hospital : person.hospitals) {
        people_seen.push_back(i);
        people_at.push_back(hospital);
      }
      if (person.dna_at.empty()) continue;
      for (const std::uint32_t hospital : person.dna_at) {
        samples_seen.push_back(static_cast<trails::Element>(samples.size()));
        samples_at.push_back(hospital);
      }
      samples.push_back(i);
    }
    if (samples.empty()) return {};
    const trails::World world{kindred_.hospitals, trails::Side(left.size(), people_seen, people_at),
                              trails::Side(samples.size(), samples_seen, samples_at)};
    const auto attack = trails::attack(
        world, trails::find_disclosure(world, trails::Reserved::deidentified), {}, progress_);
    People reidentified;
    for (const auto& link : attack.links) {
      if (samples[link.deidentified] == link.identified) reidentified.insert(left[link.identified]);
    }
    return reidentified;
  }

  // What the sample tells beside its letters, and the discharge lists tell, too.
  [[nodiscard]] std::string told_of(std::uint32_t person) const {
    const Kinsman& own = kindred_.people[person];
    switch (system_) {
      case kSemitrust:
        return "";
      case kTrust:
      case kDenom:
        return sexes_[person];
      case kDeid:
        break;
    }
    return fmt::format("{}|{}|{}", sexes_[person], own.birth_year / 10, own.zip.substr(0, 3));
  }

  People by_disease(const People& named) const {
    const auto& diseases = table_b1();
    std::vector<ClinicalPerson> clinical;
    std::vector<std::uint32_t> clinical_of;
    std::vector<DnaSample> samples;
    std::vector<std::uint32_t> sample_of;
    for (std::uint32_t p = 0; p < kindred_.people.size(); ++p) {
      if (named.contains(p)) continue;
      const Kinsman& own = kindred_.people[p];
      ClinicalPerson record{.shared = {told_of(p)}, .codes = {}};
      if (own.diagnosed)
        record.codes = {diseases[static_cast<std::size_t>(own.disease)].codes.front()};
      clinical.push_back(std::move(record));
      clinical_of.push_back(p);
      // The sample tells a disease only where the gene is there.
      if (own.dna_at.empty() || own.disease < 0) continue;
      samples.push_back({.shared = {told_of(p)},
                         .genes = {diseases[static_cast<std::size_t>(own.disease)].genes.front()}});
      sample_of.push_back(p);
    }
    const auto finding = attack_phenotypes(samples, clinical, diseases, progress_);
    People reidentified;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      // Only right links count.
      if (finding.link[s] && clinical_of[*finding.link[s]] == sample_of[s])
        reidentified.insert(sample_of[s]);
    }
    return reidentified;
  }

  // f(SSN) of TRUST under one of 2^key_bits keys.
  [[nodiscard]] static std::string keyed(std::uint32_t key, const std::string& ssn) {
    const std::array<std::uint8_t, 4> bytes = {
        static_cast<std::uint8_t>(key >> 24U), static_cast<std::uint8_t>(key >> 16U),
        static_cast<std::uint8_t>(key >> 8U), static_cast<std::uint8_t>(key)};
    return to_hex(hmac_sha256(bytes, ssn));
  }

  People by_known_pair(const People& named) {
    if (named.empty()) return {};
    SeededRandom random(seed_, 31);
    const std::uint64_t keys = std::uint64_t{1} << options_.key_bits;
    const auto secret = static_cast<std::uint32_t>(random.below(keys));
    const std::string& ssn = kindred_.people[*named.begin()].ssn;
    const std::string pseudonym = keyed(secret, ssn);
    constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 24U;
    for (std::uint32_t key = 0; key < std::min(keys, kMostKeys); ++key) {
      ++keys_tried;
      if (keyed(key, ssn) != pseudonym) continue;
      return {sampled_.begin(), sampled_.end()};
    }
    return {};
  }

  People by_list(bool public_function) const {
    SeededRandom random(seed_, 32);
    Column pseudonyms{.name = "pseudonym", .dictionary = {}, .codes = {}};
    std::map<std::string, std::uint32_t> owner;
    const std::string public_key = "public key";
    for (const std::uint32_t person : sampled_) {
      const Kinsman& own = kindred_.people[person];
      std::string pseudonym = sha256_hex(public_key + own.name + own.ssn);
      if (!public_function) pseudonym = fmt::format("{:016x}{:016x}", random.next(), random.next());
      owner[pseudonym] = person;
      pseudonyms.codes.push_back(pseudonyms.dictionary.intern(pseudonym));
    }
    Table people;
    people.columns.push_back({.name = "name", .dictionary = {}, .codes = {}});
    people.columns.push_back({.name = "ssn", .dictionary = {}, .codes = {}});
    for (const auto& own : kindred_.people) {
      people.columns[0].codes.push_back(people.columns[0].dictionary.intern(own.name));
      people.columns[1].codes.push_back(people.columns[1].dictionary.intern(own.ssn));
    }
    const auto finding = attack_dictionary(
        pseudonyms, people, {.digest = DigestKind::sha256, .salt = public_key}, progress_);
    People reidentified;
    for (const auto& match : finding.matches) {
      const std::uint32_t person =
          owner.at(std::string(pseudonyms.dictionary.value(match.pseudonym)));
      if (person == match.person) reidentified.insert(person);
    }
    return reidentified;
  }

  People by_dictionary(const People& named) {
    if (system_ == kTrust) return by_known_pair(named.empty() ? by_family({}) : named);
    return by_list(system_ == kSemitrust);
  }

  const Kindred& kindred_;
  System system_;
  SusceptibilityOptions options_;
  std::uint64_t seed_;
  Progress& progress_;
  std::vector<std::string> sexes_;
  std::vector<std::uint32_t> sampled_;
};

}  // namespace

Susceptibility measure_susceptibility(const Kindred& kindred, const SusceptibilityOptions& options,
                                      std::uint64_t seed, Progress& progress) {
  Susceptibility measured;
  for (const System system : {kTrust, kSemitrust, kDenom, kDeid}) {
    SystemUnderAttack under(kindred, system, options, seed, progress);
    People any;
    for (const Reidentification attack : {kFamily, kTrail, kGenphen, kDictionary}) {
      const People reidentified = under.attack(attack, {});
      measured.shares[attack][system] = under.share(attack, reidentified);
      any.insert(reidentified.begin(), reidentified.end());
    }
    measured.any[system] = under.share_of_samples(any);
    People named = any;
    for (std::size_t before = 0; before < named.size();) {
      before = named.size();
      ++measured.rounds[system];
      for (const Reidentification attack : {kFamily, kTrail, kGenphen}) {
        const People reidentified = under.attack(attack, named);
        named.insert(reidentified.begin(), reidentified.end());
      }
    }
    measured.compounded[system] = under.share_of_samples(named);
    measured.keys_tried += under.keys_tried;
  }
  return measured;
}

}  // namespace pratique::genomes
