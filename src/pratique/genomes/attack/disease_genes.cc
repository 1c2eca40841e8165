#include "pratique/genomes/attack/disease_genes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "pratique/core/ascii.h"
#include "pratique/core/error.h"
#include "pratique/data/number.h"

namespace pratique::genomes {
namespace {

struct PrintedRow {
  std::string_view disease;
  std::string_view codes;
  std::string_view genes;
};

constexpr std::array kPrintedB1 = std::to_array<PrintedRow>({
    {"Adrenoleukodystrophy", "3300", "ALD ABCD1"},
    {"Amyotrophic Lateral Sclerosis (ALS)", "33520", "SOD1 ALS2 ALS4 ALS5"},
    {"Burkitt's Lymphoma", "2002", "MYC"},
    {"Chronic Myeloid Leukemia", "2051", "BCR ABL ABL1"},
    {"Cystic Fibrosis", "27700 27701", "CFTR CFM1"},
    {"Duchenne's Muscular Dystrophy (paralysis)", "33522", "DMD"},
    {"Ellis-van Creveld (chondroectodermal dysplasia)", "75655", "EVD EVC"},
    {"Essential Tremor (idiopathic)", "3331", "ETM1 FET1 ETM2"},
    {"Familial Mediterranean Fever (amyloidosis)", "2773", "FMF MEFV"},
    {"Fragile X", "75983", "FMR1"},
    {"Friedrich's Ataxia", "3340", "FRDA FXN"},
    {"Galactosemia", "2711", "GALT"},
    {"Gaucher's disease (cerebroside lipidosis)", "2727 3302", "GBA"},
    {"Hemophilia Type A", "2860", "HEMA F8"},
    {"Hereditary Hemorrhagic Telangiectasia", "4480", "HHT ENG"},
    {"Huntington's Chorea", "3334", "HD HTT"},
    {"Hyperphenylalaninemia (Phenylketonuria)", "2701", "PAH"},
    {"Immunodeficiency with hyper-Igm (HIM)", "27905", "TNFSF5 CD40LG"},
    {"Machado-Joseph Disease", "3348", "MJD ATXN3"},
    {"Marfan Syndrome", "75982", "FBN1"},
    {"Menkes Syndrome", "75989", "ATP7A"},
    {"Methemoglobinemia", "2897", "HBB HBA1 DIA1 CYB5R3"},
    {"Myotonic dystrophy", "3592", "DM DMPK"},
    {"Pendred's syndrome", "243", "PDS SLC26A4"},
    {"Prader-Willi Syndrome", "75981", "SNRPN"},
    {"Refsum's Disease", "3563", "PAHX PHYH"},
    {"Sickle Cell Anemia", "28260", "HBB"},
    {"Spinocerebellar ataxias - or atrophy", "3349", "SCA1 ATXN1"},
    {"Tangier disease", "2725", "ABC1 ABCA1"},
    {"Tay-Sachs", "3301", "HEXA"},
    {"Tuberous Sclerosis (Pringle's disease)", "7595", "TSC1 TSC2"},
    {"Vitelliform Macular Dystrophy (Best Disease)", "36276", "VMD2 BEST1"},
    {"von Hippel-Lindau", "7596", "VHL"},
    {"Werner's disease or syndrome", "2598", "WRN"},
    {"Werdnig-Hoffmann disease", "3350", "SMA1 SMN1"},
    {"Kugelberg-Welander", "33511", "SMN NAIP"},
    {"Wilson's Disease", "2751", "ATP7B"},
});

constexpr std::string_view kHuntington = "3334";
constexpr OnsetByRepeats kHuntingtonOnset = {
    .base = 21.54, .exponent = 9.556, .per_repeat = -0.146, .within = 3};

const Column* column_among(const Table& table, std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    for (const auto& column : table.columns) {
      if (lower(column.name) == name) return &column;
    }
  }
  return nullptr;
}

std::optional<OnsetByRepeats> onset_in(const Table& table, std::size_t row,
                                       const std::string& place) {
  OnsetByRepeats onset;
  const std::array<std::pair<std::string_view, double*>, 4> fields = {
      {{"onset_base", &onset.base},
       {"onset_exponent", &onset.exponent},
       {"onset_per_repeat", &onset.per_repeat},
       {"onset_within", &onset.within}}};
  std::size_t given = 0;
  for (const auto& [name, number] : fields) {
    const Column* column = column_among(table, {name});
    if (column == nullptr || column->text(row).empty()) continue;
    if (!is_number(column->text(row))) {
      throw Error::input(fmt::format("a cell of {} is no number", name))
          .at(fmt::format("{}:{}", place, row + 2));
    }
    *number = to_double(column->text(row));
    ++given;
  }
  if (given == 0) return std::nullopt;
  if (given < fields.size()) {
    throw Error::input("the age of onset needs all of its four columns")
        .at(fmt::format("{}:{}", place, row + 2))
        .hint("They are onset_base, onset_exponent, onset_per_repeat and onset_within.");
  }
  return onset;
}

}  // namespace

double OnsetByRepeats::age(double repeats) const {
  return base + std::exp(exponent + per_repeat * repeats);
}

std::vector<std::string> words_in(std::string_view cell) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : cell) {
    if (c != ' ' && c != ',' && c != ';' && c != '|' && c != '/' && c != '\t') {
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

std::string bare_code(std::string_view code) {
  std::string bare;
  for (const char c : code) {
    if (c != '.' && c != ' ')
      bare += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return bare;
}

const std::vector<DiseaseGene>& table_b1() {
  static const std::vector<DiseaseGene> table = [] {
    std::vector<DiseaseGene> rows;
    for (const auto& printed : kPrintedB1) {
      rows.push_back(
          {std::string(printed.disease), words_in(printed.codes), words_in(printed.genes)});
      if (rows.back().codes.front() == kHuntington) rows.back().onset = kHuntingtonOnset;
    }
    return rows;
  }();
  return table;
}

std::vector<DiseaseGene> disease_genes_from(const Table& table, const std::string& place) {
  const Column* codes = column_among(table, {"icd9", "icd-9", "icd9_code", "icd", "codes", "code"});
  const Column* genes = column_among(table, {"gene", "genes", "known_gene"});
  const Column* disease = column_among(table, {"disease", "name", "diagnosis"});
  if (codes == nullptr || genes == nullptr) {
    throw Error::input("the map of diseases and genes has no columns icd9 and gene")
        .at(place)
        .hint("It needs the columns disease, icd9 and gene.");
  }
  std::vector<DiseaseGene> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    DiseaseGene entry;
    if (disease != nullptr) entry.disease = std::string(disease->text(row));
    for (const auto& code : words_in(codes->text(row))) entry.codes.push_back(bare_code(code));
    entry.genes = words_in(genes->text(row));
    entry.onset = onset_in(table, row, place);
    rows.push_back(std::move(entry));
  }
  return rows;
}

}  // namespace pratique::genomes
