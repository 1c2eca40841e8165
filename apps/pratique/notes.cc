#include <memory>

#include "command.h"
#include "nouns.h"
#include "pratique/notes/flow/tag.h"

namespace pratique::app {
namespace notes_verbs {
namespace {

namespace flow = notes::flow;

void declare_tag(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::TagRequest>();
  Verb& verb =
      program.add("notes", "tag", "Find the identifiers in clinical text",
                  session.flow([request](const Run& run) { return flow::tag(*request, run); }));
  verb.file_read("FILE", &request->file,
                 "notes as JSON lines with id and text; - for standard input")
      .require();
  verb.share("certainty", &request->certainty, "report spans that are at least this certain");
  verb.file_written("out", &request->out, "the spans to write, a note per line")
      .require()
      .replaces({"\"spans\":["});
}

void declare_evaluate(CommandLine& program, Session& session) {
  auto request = std::make_shared<flow::EvaluateRequest>();
  Verb& verb = program.add(
      "notes", "evaluate", "Compare found identifiers with those that somebody marked",
      session.flow([request](const Run& run) { return flow::evaluate(*request, run); }));
  verb.file_read("SPANS", &request->spans, "what notes tag wrote").require();
  verb.file_read("gold", &request->gold, "JSON lines with id and spans, marked by hand").require();
}

}  // namespace
}  // namespace notes_verbs

void add_notes(CommandLine& program, Session& session) {
  using namespace notes_verbs;
  program.nouns.push_back({"notes", "Clinical text: the identifiers in it"});
  declare_tag(program, session);
  declare_evaluate(program, session);
}

}  // namespace pratique::app
