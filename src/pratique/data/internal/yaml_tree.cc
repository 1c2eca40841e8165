#include "pratique/data/internal/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

#include "pratique/core/error.h"

namespace pratique {
namespace {

constexpr std::size_t kLargest = 1U << 20U;
constexpr std::size_t kDeepest = 20;

// The library reports what it meets; loading all documents with it would not end on a stray ']'.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& place) : place_(place) {}

  [[nodiscard]] YamlNode take() { return std::move(root_); }

  [[nodiscard]] std::string at(const YAML::Mark& mark) const {
    return mark.is_null() ? place_
                          : fmt::format("{}:{}:{}", place_, mark.line + 1, mark.column + 1);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (started_) {
      throw Error::input("there is text after the end of the YAML document")
          .at(at(mark))
          .hint("Keep one document in a file, and close each bracket once.");
    }
    started_ = true;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    add(mark, YamlNode::Kind::null);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    throw Error::input("aliases (*name) are not supported")
        .at(at(mark))
        .hint("Write out what it stands for; quote a name that begins with *.");
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    add(mark, YamlNode::Kind::scalar).text = value;
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/,
                       YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {
    open(mark, YamlNode::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, YamlNode::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  YamlNode& add(const YAML::Mark& mark, YamlNode::Kind kind) {
    YamlNode& node = open_.empty() ? root_ : open_.back()->items.emplace_back();
    node.kind = kind;
    node.place = at(mark);
    return node;
  }
  // An open node's parents get no further items before it is closed, so the pointers stay valid.
  void open(const YAML::Mark& mark, YamlNode::Kind kind) {
    if (open_.size() == kDeepest) {
      throw Error::input("the YAML nests too deeply")
          .at(at(mark))
          .hint("Check that this is the file you meant.");
    }
    open_.push_back(&add(mark, kind));
  }
  void close() { open_.pop_back(); }

  const std::string& place_;
  bool started_ = false;
  YamlNode root_;
  std::vector<YamlNode*> open_;
};

}  // namespace

YamlNode parse_yaml_tree(std::string_view text, const std::string& place) {
  if (text.size() > kLargest) {
    throw Error::input("the YAML is larger than 1 MB")
        .at(place)
        .hint("Check that this is the file you meant.");
  }
  if (text.find('\0') != std::string_view::npos) {
    throw Error::input("the YAML has a NUL byte").at(place).hint("Save it as UTF-8 text.");
  }
  TreeBuilder builder(place);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  } catch (const Error&) {
    throw;
  } catch (const YAML::Exception& failure) {
    throw Error::input(fmt::format("this is not YAML: {}", failure.msg))
        .at(builder.at(failure.mark))
        .hint("Indent with spaces, write lists as [a, b], and quote names with : or #.");
  } catch (const std::exception& failure) {
    throw Error::input(fmt::format("this is not YAML: {}", failure.what())).at(place);
  }
  return builder.take();
}

}  // namespace pratique
