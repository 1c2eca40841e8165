#include "pratique/genomes/flow/generate_families.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/genomes/attack/disease_genes.h"
#include "pratique/genomes/format/random_numbers.h"
#include "pratique/genomes/susceptibility/kindred_genotypes.h"

namespace pratique::genomes::flow {
namespace {

namespace fs = std::filesystem;
using Mutated = KindredGenotypes::Mutated;

// Everything that files have of people, by person.
struct NumberedWorld {
  Kindred kindred;
  KindredGenotypes genotypes;
  std::vector<std::uint64_t> numbers;  // in pedigrees; of who left DNA, that of the sample
  std::vector<std::uint64_t> samples;  // of DNA; 0: none
  std::vector<std::uint32_t> order;    // in which people are listed, told apart from the others
  std::vector<std::string> sexes;
};

std::string pedigree_text(const NumberedWorld& world, std::uint64_t seed) {
  std::vector<std::size_t> families(world.kindred.pedigrees.size());
  std::iota(families.begin(), families.end(), 0U);
  SeededRandom random(seed, 63);
  random.shuffle(families);
  std::string text;
  for (std::size_t f = 0; f < families.size(); ++f) {
    const auto& people = world.kindred.pedigrees[families[f]].people;
    const auto number = [&](std::int32_t relative) -> std::uint64_t {
      if (relative == kNoParent) return 0;
      return world.numbers[std::stoul(people[static_cast<std::size_t>(relative)].name)];
    };
    for (std::size_t p = 0; p < people.size(); ++p) {
      text += fmt::format("F{} {} {} {} {} {}\n", f + 1, number(static_cast<std::int32_t>(p)),
                          number(people[p].father), number(people[p].mother),
                          people[p].sex == Sex::male ? 1 : 2,
                          people[p].affection == Affection::affected ? 2 : 1);
    }
  }
  return text;
}

std::string gedcom_text(const NumberedWorld& world) {
  std::string text = "0 HEAD\n1 CHAR UTF-8\n";
  std::size_t couples = 0;
  for (const auto& pedigree : world.kindred.pedigrees) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> children;
    for (std::size_t p = 0; p < pedigree.people.size(); ++p) {
      const Relative& relative = pedigree.people[p];
      const Kinsman& person = world.kindred.people[std::stoul(relative.name)];
      text += fmt::format("0 @I{}@ INDI\n1 NAME {}\n1 SEX {}\n1 BIRT\n2 DATE {}\n", relative.name,
                          person.name, relative.sex == Sex::male ? "M" : "F", person.birth_year);
      if (relative.father != kNoParent) children[{relative.father, relative.mother}].push_back(p);
    }
    const auto mark = [&](std::size_t place) {
      return fmt::format("@I{}@", pedigree.people[place].name);
    };
    for (const auto& [parents, born] : children) {
      text += fmt::format("0 @F{}@ FAM\n1 HUSB {}\n1 WIFE {}\n", ++couples,
                          mark(static_cast<std::size_t>(parents.first)),
                          mark(static_cast<std::size_t>(parents.second)));
      for (const std::size_t child : born) text += fmt::format("1 CHIL {}\n", mark(child));
    }
  }
  return text + "0 TRLR\n";
}

std::string genotype_text(const NumberedWorld& world, std::size_t& variants) {
  std::string text =
      "##fileformat=VCFv4.2\n##contig=<ID=1>\n"
      "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n"
      "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT";
  std::vector<std::uint32_t> sampled;
  for (const std::uint32_t person : world.order) {
    if (world.samples[person] == 0) continue;
    sampled.push_back(person);
    text += fmt::format("\t{}", world.samples[person]);
  }
  text += '\n';
  const auto add = [&](std::int64_t position, const auto& alleles_of) {
    ++variants;
    text += fmt::format("1\t{}\t.\tA\tG\t.\t.\t.\tGT", position);
    for (const std::uint32_t person : sampled) {
      const auto [first, second] = alleles_of(person);
      text += fmt::format("\t{}|{}", first, second);
    }
    text += '\n';
  };
  const auto& genotypes = world.genotypes;
  for (std::size_t s = 0; s < genotypes.positions.size(); ++s) {
    add(genotypes.positions[s], [&](std::uint32_t person) {
      return std::pair<int, int>(genotypes.people[person].first[s],
                                 genotypes.people[person].second[s]);
    });
    // One base for each disease whose gene is here.
    std::int64_t beside = genotypes.positions[s];
    for (std::size_t d = 0; d < genotypes.gene_sites.size(); ++d) {
      if (genotypes.gene_sites[d] != s) continue;
      const bool carried = std::any_of(sampled.begin(), sampled.end(), [&](std::uint32_t person) {
        return world.kindred.people[person].disease == static_cast<std::int32_t>(d);
      });
      if (!carried) continue;
      add(++beside, [&](std::uint32_t person) {
        const bool has = world.kindred.people[person].disease == static_cast<std::int32_t>(d);
        return std::pair<int, int>(has && genotypes.mutated[person] == Mutated::first ? 1 : 0,
                                   has && genotypes.mutated[person] == Mutated::second ? 1 : 0);
      });
    }
  }
  return text;
}

struct FamilyTables {
  std::string dna = "sample,sex,gene,hospital\n";
  std::string clinical = "name,sex,icd9,hospital\n";
  std::string people = "name,ssn,zip,birth_year\n";
  std::string truth = "person,name,family,sample,disease\n";
};

FamilyTables tables_of(const NumberedWorld& world, std::uint64_t seed) {
  FamilyTables tables;
  const auto& diseases = table_b1();
  std::vector<std::uint32_t> by_name = world.order;
  SeededRandom random(seed, 62);
  random.shuffle(by_name);
  for (const std::uint32_t p : world.order) {
    const Kinsman& person = world.kindred.people[p];
    const std::string& gene =
        person.disease < 0 ? std::string()
                           : diseases[static_cast<std::size_t>(person.disease)].genes.front();
    for (const std::uint32_t hospital : person.dna_at)
      tables.dna +=
          fmt::format("{},{},{},H{:02}\n", world.samples[p], world.sexes[p], gene, hospital + 1);
  }
  for (const std::uint32_t p : by_name) {
    const Kinsman& person = world.kindred.people[p];
    const std::string code =
        person.diagnosed ? diseases[static_cast<std::size_t>(person.disease)].codes.front() : "";
    for (const std::uint32_t hospital : person.hospitals)
      tables.clinical +=
          fmt::format("{},{},{},H{:02}\n", person.name, world.sexes[p], code, hospital + 1);
    tables.people +=
        fmt::format("{},{},{},{}\n", person.name, person.ssn, person.zip, person.birth_year);
  }
  for (std::uint32_t p = 0; p < world.kindred.people.size(); ++p) {
    const Kinsman& person = world.kindred.people[p];
    tables.truth += fmt::format(
        "{},{},{},{},{}\n", world.numbers[p], person.name, person.family,
        world.samples[p] == 0 ? "" : std::to_string(world.samples[p]),
        person.disease < 0 ? "" : diseases[static_cast<std::size_t>(person.disease)].codes.front());
  }
  return tables;
}

NumberedWorld make_world(const FamiliesRequest& request, std::uint64_t seed) {
  NumberedWorld world;
  world.kindred = make_kindred({.people = request.people,
                                .hospitals = static_cast<std::uint32_t>(request.hospitals),
                                .seed = seed});
  world.genotypes = genotypes_of(world.kindred, request.sites, seed);
  const std::size_t count = world.kindred.people.size();
  world.numbers = random_numbers(count, seed);
  world.order.resize(count);
  std::iota(world.order.begin(), world.order.end(), 0U);
  SeededRandom random(seed, 61);
  random.shuffle(world.order);
  world.sexes.resize(count);
  for (const auto& pedigree : world.kindred.pedigrees) {
    for (const auto& relative : pedigree.people)
      world.sexes[std::stoul(relative.name)] = relative.sex == Sex::male ? "M" : "F";
  }
  for (std::size_t p = 0; p < count; ++p)
    world.samples.push_back(world.kindred.people[p].dna_at.empty() ? 0 : world.numbers[p]);
  return world;
}

}  // namespace

Outcome generate_families(const FamiliesRequest& request, const Run& run) {
  const Seeded seeded = with_seed(run, request.seed);
  std::error_code none;
  fs::path target = fs::absolute(request.out).lexically_normal();
  if (!target.has_filename()) target = target.parent_path();
  if (fs::exists(target, none) && !fs::is_empty(target, none)) {
    throw Error::input("the folder is not empty, or it is a file")
        .at(request.out)
        .hint("Name a new folder; nothing was overwritten.");
  }
  if (!fs::is_directory(target.parent_path(), none)) {
    throw Error::input("the folder that should hold it does not exist").at(request.out);
  }
  run.progress.begin("making families", 0);
  const NumberedWorld world = make_world(request, seeded.seed);
  run.progress.check();
  const PrivateFolder staging(target.parent_path().string());
  const std::string unfinished = staging.path() + "/families";
  fs::create_directory(unfinished);
  const auto write = [&](const char* name, const std::string& text) {
    write_file_atomically(unfinished + "/" + name, text);
    run.progress.check();
  };
  std::size_t variants = 0;
  write("families.ped", pedigree_text(world, seeded.seed));
  write("genealogies.ged", gedcom_text(world));
  write("genotypes.vcf", genotype_text(world, variants));
  const FamilyTables tables = tables_of(world, seeded.seed);
  write("dna.csv", tables.dna);
  write("clinical.csv", tables.clinical);
  write("register.csv", tables.people);
  write("truth.csv", tables.truth);
  fs::rename(unfinished, target, none);
  if (none) throw Error::machine("cannot write this folder").at(request.out);
  const auto samples = std::count_if(world.samples.begin(), world.samples.end(),
                                     [](std::uint64_t sample) { return sample != 0; });
  const auto carriers = std::count_if(world.kindred.people.begin(), world.kindred.people.end(),
                                      [](const Kinsman& person) { return person.disease >= 0; });
  return {Json{{"people", world.kindred.people.size()},
               {"families", world.kindred.pedigrees.size()},
               {"samples", samples},
               {"variants", variants},
               {"carriers", carriers},
               {"seed", seeded.seed},
               {"out", request.out}}};
}

}  // namespace pratique::genomes::flow
