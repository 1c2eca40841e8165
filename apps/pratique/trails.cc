#include <fmt/format.h>

#include "command.h"
#include "nouns.h"
#include "pratique/trails/attack/attack.h"
#include "pratique/trails/flow/attack.h"
#include "pratique/trails/flow/protect.h"
#include "pratique/trails/flow/resolve.h"
#include "pratique/trails/flow/simulate.h"
#include "pratique/trails/flow/verify.h"
#include "pratique/trails/method/protection.h"

namespace pratique::app {
namespace trails_verbs {
namespace {

namespace flow = trails::flow;

void declare_sides(Verb& verb, flow::Sides& sides,
                   const std::vector<std::string>& reserved = {"deidentified", "identified",
                                                               "none"}) {
  verb.file_read("identified", &sides.identified,
                 "who was seen where, with names: a file with one row per sighting, a folder with "
                 "one file per location, or a pattern such as 'hospitals/*/discharges.csv'")
      .require();
  verb.file_read("deidentified", &sides.deidentified, "the same without names, such as DNA samples")
      .require();
  verb.column("location", &sides.location,
              "the column of locations in a file with one row per sighting");
  verb.columns("element", &sides.element, "the columns that together identify an element");
  verb.columns("identified-element", &sides.identified_element,
               "the same, where the identified side has other columns");
  verb.columns("deidentified-element", &sides.deidentified_element,
               "the same, where the de-identified side has other columns");
  verb.choice("reserved", &sides.reserved, reserved, "which side may be incomplete")
      .unless_given("detected from the sizes per location");
}

void declare_errors(Verb& verb, flow::ErrorModelRequest& request) {
  verb.file_or_number(
          "errors", &request.errors, 0, trails::flow::kLargestErrorRate,
          "lists may be wrong: the rate of errors, or a CSV of location,rate. Gives each link "
          "a probability instead of certainty")
      .not_with({"algorithm", "k", "partners", "by-rank", "leave-one-out"});
  verb.share("least", &request.least, "the least probable link to write").only_with("errors");
  verb.share("certain", &request.certain, "the probability that counts as re-identified")
      .only_with("errors");
  verb.seed(&request.seed, "fixes the sampling")
      .unless_given("drawn and printed")
      .only_with("errors");
}

void declare_attack(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::AttackRequest>();
  Verb& verb =
      program.add("trails", "attack", "Find out whose sample it is by where it was seen",
                  session.flow([request](const Run& run) { return flow::attack(*request, run); }));
  declare_sides(verb, request->sides, {"deidentified", "identified", "none", "both"});
  verb.column("block", &request->sides.block,
              "a column that both sides have, such as sex: only elements with the same value are "
              "linked")
      .not_with({"errors", "by-rank", "leave-one-out"});
  verb.whole_number("edits", &request->edits, 0, 16,
                    "de-identified elements within this many edits of each other are one, unless a "
                    "location has both")
      .not_with({"errors"});
  verb.choice("algorithm", &request->algorithm, trails::algorithm_names(),
              "how trails are linked: multiple lets a person have several samples, exact finds "
              "everything that is certain");
  verb.whole_number("k", &request->k, 1, 1'000'000'000,
                    "also count the elements with fewer than K possible partners");
  verb.file_written("out", &request->out, "writes the links: deidentified,identified")
      .replaces({"deidentified,identified\n", "deidentified,identified,posterior\n"});
  verb.file_written("partners", &request->partners,
                    "writes how many possible partners each element of the incomplete side has")
      .replaces({"identified,partners\n"});
  verb.file_written("probabilities", &request->probabilities,
                    "writes how probable each trail of the complete side is, if locations are "
                    "visited independently")
      .replaces({"visited,elements,log10_probability,alone\n"})
      .not_with({"errors"});
  verb.choice("by-rank", &request->by_rank, {"up", "down"},
              "repeat as locations join: down from the most visited, or up from the least; with "
              "--out also as a curve beside it");
  verb.flag("leave-one-out", &request->leave_one_out, "repeat without each location");
  verb.file_read("truth", &request->truth,
                 "true pairs (deidentified,identified), to score the links");
  verb.share("fail-above", &request->fail_above,
             "exit 1 when a larger share than this is re-identified, or nothing was tried");
  declare_errors(verb, request->errors);
}

void declare_verify(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::VerifyRequest>();
  Verb& verb = program.add(
      "trails", "verify", "Decide from the published lists whether they are k-unlinkable",
      session.flow([request](const Run& run) { return flow::verify_lists(*request, run); }));
  declare_sides(verb, request->trails, {"deidentified", "identified", "none", "both"});
  verb.whole_number("k", &request->k, 1, std::uint64_t{1} << 32U,
                    "how many partners every element must have")
      .require();
  verb.choice("view", &request->view, {"external", "central", "contributor"},
              "who links: anyone with the published lists, the third party that chose what is "
              "published, or each location");
  verb.file_read("submitted", &request->submitted,
                 "the samples of each location before some were withheld, for the other two views");
  verb.file_read(
      "submitted-identified", &request->submitted_identified,
      "the people of each location before some were withheld: nobody else may be listed");
  verb.whole_number(
      "coalition", &request->coalition, 1, 1'000,
      "this many locations pool what they know: the view contributor for each 1 to N");
  verb.file_read("truth", &request->truth,
                 "CSV with columns deidentified,identified: makes the view contributor exact");
}

// "25; 4 for best"
std::string usual_runs() {
  const auto methods = trails::methods();
  std::string text = std::to_string(methods.front().runs);
  for (const auto& method : methods) {
    if (method.runs != methods.front().runs)
      text += fmt::format("; {} for {}", method.runs, method.name);
  }
  return text;
}

void declare_protect(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ProtectRequest>();
  Verb& verb =
      program.add("trails", "protect",
                  "Choose what each location may disclose so that no trail reveals whose it is",
                  session.flow([request](const Run& run) { return flow::protect(*request, run); }));
  verb.makes_release = true;
  session.declare_private_written(verb);
  declare_sides(verb, request->sides);
  verb.whole_number("k", &request->k, 2, 1'000'000'000,
                    "how many people every disclosed sample must be able to belong to")
      .require();
  verb.choice(
      "method", &request->method, trails::method_names(),
      "Greedy-Dedup, Force-Dedup, or one where people protect samples of several locations");
  verb.flag("secure", &request->secure,
            "also against the locations themselves and the third party that allocates");
  verb.whole_number("coalition", &request->coalition, 1, 1'000,
                    "secure also where this many locations pool what they know");
  verb.choice("maximise", &request->maximise, {"samples", "locations"},
              "what has priority: samples disclosed, or locations that disclose any");
  verb.flag("keep-copies", &request->keep_copies,
            "disclose a sample at several of its locations where k still holds");
  verb.whole_number("runs", &request->runs, 1, 10'000,
                    "number of runs with ties broken differently; the best is kept")
      .unless_given(usual_runs());
  verb.seed(&request->seed, "repeats a run").unless_given("drawn and recorded");
  verb.file_written("out", &request->out, "the released list of location and sample").require();
}

void declare_simulate(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::SimulateRequest>();
  Verb& verb = program.add(
      "trails", "simulate", "How much trails re-identify in random worlds",
      session.flow([request](const Run& run) { return flow::simulate(*request, run); }));
  verb.whole_number("subjects", &request->subjects, 1, 10'000'000, "how many people");
  verb.whole_number("locations", &request->locations, 1, 10'000, "how many locations");
  verb.text(
      "access", &request->access,
      "uniform:P (each location with probability P) or zipf:THETA (the location of rank r with "
      "probability r^-THETA, or SHARE times that: zipf:THETA:SHARE)");
  verb.share("missing", &request->missing, "the probability that a location withholds a sample");
  verb.file_read("like", &request->like.identified,
                 "lists of people (location,element): worlds whose locations are visited as often")
      .not_with({"access", "locations", "missing", "grid"});
  verb.file_read("like-samples", &request->like.deidentified,
                 "their lists of samples: locations withhold as many")
      .only_with("like");
  verb.whole_number("times", &request->times, 1, 1'000,
                    "that many copies of each of these locations")
      .only_with("like");
  verb.whole_number("runs", &request->runs, 1, 1'000'000, "how many worlds");
  verb.choice("algorithm", &request->algorithm, trails::algorithm_names(), "as in trails attack");
  verb.flag("grid", &request->grid,
            "both kinds of access, ten parameters from 0.1 to 1, --from to --to locations");
  verb.whole_number("from", &request->first_locations, 1, 10'000,
                    "the fewest locations of the grid");
  verb.whole_number("to", &request->last_locations, 1, 10'000, "the most locations of the grid");
  verb.file_written("out", &request->out,
                    "of the grid: a CSV of all points, with curves, figures and charts beside it")
      .replaces({"access,locations,parameter,mean_share,sd_share,entropy_bits\n"});
  verb.folder_written(
      "world", &request->world,
      "for the world of the first run: identified.csv, deidentified.csv, truth.csv");
  verb.seed(&request->seed, "repeats a simulation").unless_given("drawn and printed");
}

void declare_resolve(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::ResolveRequest>();
  Verb& verb =
      program.add("trails", "resolve",
                  "Find which records with mistyped names belong to one person, to build trails",
                  session.flow([request](const Run& run) { return flow::resolve(*request, run); }));
  verb.file_read(
          "FILES", &request->files,
          "records: files with a column of locations, or one file per location, named after it")
      .require();
  verb.columns("fields", &request->fields, "columns to compare: names, dates, ...").require();
  verb.column("location", &request->location, "the column of locations")
      .unless_given("location; without it the file's name");
  verb.share("threshold", &request->threshold, "the probability from which two records are joined");
  verb.column("truth", &request->truth,
              "a column that says who each record belongs to, for scoring");
  verb.seed(&request->seed, "of the random pairs").unless_given("drawn and printed");
  verb.file_written("out", &request->out, "writes location,element: a row per record, in order");
}

}  // namespace
}  // namespace trails_verbs

void add_trails(CommandLine& program, Session& session) {
  using namespace trails_verbs;
  program.nouns.push_back({"trails", "Who was seen where, over many hospitals"});
  declare_attack(program, session);
  declare_verify(program, session);
  declare_protect(program, session);
  declare_simulate(program, session);
  declare_resolve(program, session);
}

}  // namespace pratique::app
