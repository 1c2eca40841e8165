#include "command.h"
#include "nouns.h"
#include "pratique/dp/flow/noisy_frequencies.h"
#include "pratique/genomes/flow/attack_all.h"
#include "pratique/genomes/flow/attack_dictionary.h"
#include "pratique/genomes/flow/attack_family.h"
#include "pratique/genomes/flow/attack_membership.h"
#include "pratique/genomes/flow/attack_phenotype.h"
#include "pratique/genomes/flow/protect.h"
#include "pratique/genomes/flow/susceptibility.h"

namespace pratique::app {
namespace genomes_verbs {
namespace {

namespace flow = genomes::flow;

void declare_protect(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ProtectRequest>();
  Verb& verb = program.add(
      "genomes", "protect",
      "Release DNA in which people cannot be told apart, or what gives them away is hidden",
      session.flow([request](const Run& run) {
        return request->ledger.empty() ? flow::protect(*request, run)
                                       : dp::flow::noisy_frequencies(*request, run);
      }));
  verb.makes_release = true;
  session.declare_private_written(verb);
  verb.file_read(
          "FILE", &request->file,
          "sequences, one per person: FASTA, aligned or not; of frequencies VCF, BCF or PLINK")
      .require();
  verb.choice(
      "method", &request->method, {"dnala", "binning", "mask", "frequencies"},
      "how: sequences equal among k over the lattice of IUPAC letters; SNPs in bins of purines and "
      "pyrimidines; loci hidden, with whatever reveals them; or shares of alleles in place of "
      "genotypes");
  verb.whole_number("k", &request->k, 2, 1'000'000,
                    "dnala: how many entries every sequence must fit");
  verb.whole_number("within", &request->within, 1, 1'000'000,
                    "binning: SNPs of a sequence with the same value, at least");
  verb.whole_number("across", &request->across, 2, 1'000'000,
                    "binning: sequences with the same value of every SNP, at least");
  verb.text("loci", &request->loci,
            "mask: positions of --reference to hide, from 1, or columns of aligned sequences; of "
            "genotypes CHROMOSOME:POSITION")
      .separated_by_commas();
  verb.share("tolerance", &request->tolerance,
             "mask: what guessing by neighbours may gain over the commonest letter");
  verb.positive_number("step", &request->step, "frequencies: they are rounded to it");
  verb.whole_number("snps", &request->snps, 1, 1'000'000'000,
                    "frequencies: how many SNPs to release, drawn by the seed")
      .unless_given("all");
  verb.whole_number("carriers", &request->carriers, 0, 1'000'000'000,
                    "frequencies: leave out variants whose rarer allele fewer people have");
  verb.whole_number("fewest", &request->fewest, 1, 1'000'000'000,
                    "frequencies: refuse those of fewer people, cases or controls, and leave out "
                    "variants that fewer have a call for");
  verb.file_read("trait", &request->trait,
                 "frequencies: a table sample,case; statistics of the association leave, too");
  verb.file_read("ledger", &request->ledger,
                 "frequencies: a privacy budget made by dp open; noise takes the place of rounding")
      .not_with({"trait"});
  verb.positive_number("epsilon", &request->epsilon, "frequencies: what the noise spends of it")
      .only_with("ledger");
  verb.file_read(
          "sites", &request->sites,
          "frequencies: with a budget, variants that are public knowledge (VCF, BCF, PLINK or "
          "a table chrom,pos,ref,alt)")
      .only_with("ledger");
  verb.text("analyst", &request->analyst, "frequencies: who asks, where the budget is shared")
      .only_with("ledger");
  verb.choice("pairing", &request->pairing, {"optimal", "greedy"},
              "how pairs are found: with the least possible loss, or each with the closest "
              "that is left");
  verb.file_read("reference", &request->reference,
                 "FASTA with one sequence, to align the others against")
      .unless_given("sequences of several lengths are aligned against the longest");
  verb.flag("realign", &request->realign, "align sequences of one length, too");
  verb.choice(
      "aligner", &request->aligner, {"banded", "mafft"},
      "how sequences are aligned: each against a reference, or all with each other by MAFFT, "
      "where it is installed");
  verb.flag("names-repeat", &request->names_repeat,
            "the first words of headers are not the names of people: sequences that share one are "
            "of several people");
  verb.seed(&request->seed, "repeats a run").unless_given("drawn and recorded");
  verb.file_written("out", &request->out, "the released file: FASTA, of frequencies CSV").require();
}

void declare_dictionary(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::DictionaryRequest>();
  Verb& verb = program.add(
      "genomes", "attack dictionary", "Reverse pseudonyms by trying everyone in a register",
      session.flow([request](const Run& run) { return flow::attack_dictionary(*request, run); }));
  verb.file_read("pseudonyms", &request->pseudonyms, "the table with pseudonyms").require();
  verb.column("column", &request->column, "its column of pseudonyms").require();
  verb.file_read("register", &request->register_file,
                 "a table of people who may be behind the pseudonyms");
  verb.columns("on", &request->on, "columns of the register that pseudonyms were made from")
      .only_with("register");
  verb.choice("every", &request->every, {"ssn", "date"},
              "in place of a register, all there are: Social Security numbers, or dates of birth "
              "since 1900")
      .unless_given("a register is tried")
      .not_with({"register"});
  verb.text("areas", &request->areas,
            "of Social Security numbers, these first three digits alone: 001-003,700")
      .only_with("every");
  verb.text(
      "scheme", &request->scheme,
      "how pseudonyms were made: sha256, sha256:SALT, md5, sha1, crc32, or hmac:FILE with the "
      "key's file");
  verb.file_read("known", &request->known,
                 "a table with a column of pseudonyms whose people are known already: what "
                 "deterministic encryption gives away by them");
  verb.share("fail-above", &request->fail_above,
             "exit 1 when a larger share than this is broken, or nothing was tried");
  verb.file_written("out", &request->out, "writes who is behind which pseudonym")
      .replaces({"pseudonym,"});
}

void declare_family(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::FamilyRequest>();
  Verb& verb = program.add(
      "genomes", "attack family", "Find families again by the shape of their pedigrees",
      session.flow([request](const Run& run) { return flow::attack_family(*request, run); }));
  verb.file_read(
          "pedigrees", &request->pedigrees,
          "families without names: PED (family person father mother sex phenotype) or GEDCOM")
      .require();
  verb.file_read("register", &request->register_file,
                 "genealogies with names, to match them with: PED or GEDCOM");
  verb.text("without", &request->without, "what is not known: sex, status, order")
      .separated_by_commas();
  verb.share("fail-above", &request->fail_above,
             "exit 1 when a larger share than this is matched with one family, or without a "
             "register is unique");
  verb.file_written("out", &request->out, "writes which family is which")
      .only_with("register")
      .replaces({"pedigree,registered\n"});
}

void declare_samples_and_patients(Verb& verb,
                                  const std::shared_ptr<flow::PhenotypeRequest>& request) {
  verb.file_read("dna", &request->dna, "a table of samples with the genes that are mutated")
      .require();
  verb.file_read("clinical", &request->clinical,
                 "a table of people with their ICD-9 codes; several rows for one person are joined")
      .require();
  verb.file_read("map", &request->map, "a table with the columns disease, icd9 and gene")
      .unless_given("37 diseases of single genes");
  verb.columns("on", &request->on, "columns that both tables have")
      .unless_given("all with the same name");
  verb.column("sample", &request->sample, "the column of samples").unless_given("detected");
  verb.column("gene", &request->gene, "the column of genes").unless_given("detected");
  verb.column("person", &request->person, "the column of people").unless_given("detected");
  verb.columns("codes", &request->codes, "the columns of codes").unless_given("detected");
  verb.file_read("truth", &request->truth, "true pairs (sample,person), to score the links");
  verb.share("fail-above", &request->fail_above,
             "exit 1 when a larger share than this is re-identified, or nothing was tried");
  verb.file_written("out", &request->out, "writes the links: sample,person")
      .replaces({"sample,person\n"});
}

void declare_phenotype(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::PhenotypeRequest>();
  Verb& verb = program.add(
      "genomes", "attack phenotype", "Match DNA with patients by the diseases that genes cause",
      session.flow([request](const Run& run) { return flow::attack_phenotype(*request, run); }));
  declare_samples_and_patients(verb, request);
}

void declare_all(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::PhenotypeRequest>();
  Verb& verb = program.add(
      "genomes", "attack all",
      "Match DNA with patients by pseudonyms, families, diseases and places, in turn, until nobody "
      "new is found",
      session.flow([request](const Run& run) { return flow::attack_all(*request, run); }));
  declare_samples_and_patients(verb, request);
  verb.columns("made-from", &request->made_from,
               "columns of the clinical table that names of samples were computed from: they are "
               "reversed, too");
  verb.text("scheme", &request->scheme, "how, as genomes attack dictionary takes it")
      .only_with("made-from");
  verb.file_read("pedigrees", &request->pedigrees,
                 "families of the samples, with their names: PED or GEDCOM");
  verb.file_read("register", &request->genealogies,
                 "genealogies with the names of the clinical table: PED or GEDCOM")
      .only_with("pedigrees");
}

void declare_membership(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::MembershipRequest>();
  Verb& verb = program.add(
      "genomes", "attack membership", "Find out who is in a pool by its allele frequencies",
      session.flow([request](const Run& run) { return flow::attack_membership(*request, run); }));
  verb.file_read("pool", &request->pool,
                 "the pool: VCF, BCF, PLINK, or a table chrom,pos,ref,alt,frequency; of p-values "
                 "chrom,pos,ref,alt,p_value,odds_ratio")
      .require();
  verb.file_read("control", &request->control, "the same of a control group");
  verb.file_read("reference", &request->reference,
                 "a population like the pool's, best with genotypes: half of its people calibrate "
                 "the test")
      .require();
  verb.file_read("targets", &request->targets, "genotypes of the people in question").require();
  verb.file_read("truth", &request->truth, "a table sample,member, to score the verdicts");
  verb.choice(
      "statistic", &request->statistic, {"lr", "homer", "beacon", "wang"},
      "likelihood ratio, Homer's distance, yes/no answers alone, or Wang's by published r2");
  verb.file_read("r2", &request->r2, "wang: a table of pairs of SNPs, chrom,pos_a,pos_b,r2")
      .unless_given("computed from a pool of genotypes");
  verb.whole_number("control-size", &request->control_size, 1, 1'000'000'000,
                    "people in the control group, of a pool of p-values");
  verb.whole_number("pool-size", &request->pool_size, 1, 1'000'000'000,
                    "people in the pool, where its file does not tell");
  verb.share("alpha", &request->alpha, "false-positive rate of the verdicts");
  verb.flag("defences", &request->defences,
            "measure the power against rounded, fewer and noisy frequencies, too");
  verb.seed(&request->seed, "of simulated people").unless_given("drawn and printed");
  verb.share("fail-above", &request->fail_above,
             "exit 1 when the power at a false-positive rate of 5 % is larger than this");
}

void declare_susceptibility(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::SusceptibilityRequest>();
  Verb& verb = program.add(
      "genomes", "susceptibility",
      "Run every attack on four protection systems over a synthetic world of families",
      session.flow([request](const Run& run) { return flow::susceptibility(*request, run); }));
  verb.whole_number("people", &request->people, 10, 1'000'000, "about how many people");
  verb.whole_number("hospitals", &request->hospitals, 1, 200, "how many hospitals");
  verb.whole_number("key-bits", &request->key_bits, 1, 31,
                    "length of the key of TRUST's pseudonyms; more than 24 bits are not tried");
  verb.seed(&request->seed, "repeats a run").unless_given("drawn and printed");
}

}  // namespace
}  // namespace genomes_verbs

void add_genomes(CommandLine& program, Session& session) {
  program.nouns.push_back({"genomes", "DNA: what it gives away, and how far it can be hidden"});
  genomes_verbs::declare_protect(program, session);
  genomes_verbs::declare_dictionary(program, session);
  genomes_verbs::declare_family(program, session);
  genomes_verbs::declare_phenotype(program, session);
  genomes_verbs::declare_all(program, session);
  genomes_verbs::declare_membership(program, session);
  genomes_verbs::declare_susceptibility(program, session);
}

}  // namespace pratique::app
