// What tests of the flows of genomes share: sequences and genotypes that are made up, written in
// the forms that people have them in, and read back without the code that wrote them.
//
// Include <nlohmann/json.hpp> before it, as every file does that reads JSON (core/json.h).
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pratique/crypto/random.h"
#include "pratique/kind/testing/flow_fixture.h"

namespace pratique::genomes::flow {

class GenomesFlowFixture : public FlowFixture {
 protected:
  using Entries = std::vector<std::pair<std::string, std::string>>;  // name, letters
  using Calls = std::vector<std::vector<int>>;                       // by person: copies; -1: none

  [[nodiscard]] std::string fasta(const std::string& name, const Entries& entries) const {
    std::string text;
    for (const auto& [who, letters] : entries) text += ">" + who + " visit\n" + letters + "\n";
    return file(name, text);
  }
  static Entries entries_of(const std::string& path) {
    Entries entries;
    for (const auto& line : lines_of(path)) {
      if (line.starts_with('>')) {
        entries.emplace_back(line.substr(1), "");
      } else {
        entries.back().second += line;
      }
    }
    return entries;
  }
  // As rows_of, where the last cells of a row may be empty.
  static std::vector<std::map<std::string, std::string>> table_of(const std::string& path) {
    std::vector<std::map<std::string, std::string>> rows;
    const auto lines = lines_of(path);
    const auto header = parts_of(lines.at(0), ',');
    for (std::size_t i = 1; i < lines.size(); ++i) {
      auto cells = parts_of(lines[i], ',');
      cells.resize(header.size());
      rows.emplace_back();
      for (std::size_t c = 0; c < header.size(); ++c) rows.back()[header[c]] = cells[c];
    }
    return rows;
  }
  // Sequences of one length that differ from a founder in a few of twelve places.
  static Entries relatives(std::size_t count, std::size_t length = 60, std::uint64_t seed = 1) {
    SeededRandom random(seed, 7);
    const std::string bases = "ACGT";
    std::string founder;
    for (std::size_t i = 0; i < length; ++i) founder += bases[random.below(4)];
    Entries people;
    for (std::size_t p = 0; p < count; ++p) {
      std::string letters = founder;
      for (int change = 0; change < 4; ++change)
        letters[random.below(12) * (length / 12)] = bases[random.below(4)];
      people.emplace_back(fmt::format("Patient_{:03}", p), letters);
    }
    return people;
  }
  // The bases that a letter may be.
  static std::string bases_of(char letter) {
    static const std::map<char, std::string> kBases = {
        {'A', "A"},   {'C', "C"},   {'G', "G"},   {'T', "T"},   {'R', "AG"},
        {'Y', "CT"},  {'S', "CG"},  {'W', "AT"},  {'K', "GT"},  {'M', "AC"},
        {'B', "CGT"}, {'D', "AGT"}, {'H', "ACT"}, {'V', "ACG"}, {'N', "ACGT"}};
    return kBases.at(letter);
  }
  static bool fits(const std::string& letters, const std::string& released) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      if (bases_of(released[i]).find(letters[i]) == std::string::npos) return false;
    }
    return letters.size() == released.size();
  }

  struct Site {
    std::string chrom = "1";
    int position = 1;
    std::string ref = "A";
    std::string alt = "G";
  };
  static std::vector<Site> sites(int count) {
    std::vector<Site> all;
    for (int s = 0; s < count; ++s) all.push_back({.position = 100 * s + 1});
    return all;
  }
  [[nodiscard]] std::string vcf(const std::string& name, const std::vector<std::string>& names,
                                const Calls& people, const std::vector<Site>& at) const {
    std::string text =
        "##fileformat=VCFv4.2\n##contig=<ID=1>\n"
        "##FORMAT=<ID=GT,Number=1,Type=String,Description=\"g\">\n"
        "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT";
    for (const auto& who : names) text += "\t" + who;
    text += "\n";
    for (std::size_t s = 0; s < at.size(); ++s) {
      text += fmt::format("{}\t{}\trs{}\t{}\t{}\t.\tPASS\tWHO=x\tGT", at[s].chrom, at[s].position,
                          s, at[s].ref, at[s].alt);
      for (const auto& calls : people)
        text += calls[s] < 0    ? "\t./."
                : calls[s] == 0 ? "\t0/0"
                : calls[s] == 1 ? "\t0|1"
                                : "\t1/1";
      text += "\n";
    }
    return file(name, text);
  }
  static std::vector<std::string> names(const std::string& begin, std::size_t count) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(begin + std::to_string(i));
    return all;
  }
};

}  // namespace pratique::genomes::flow
