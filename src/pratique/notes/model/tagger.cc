#include "pratique/notes/model/tagger.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/notes/find/finder.h"
#include "pratique/notes/format/corpus_types.h"
#include "pratique/notes/model/internal/decoding.h"
#include "pratique/notes/model/internal/features.h"

namespace pratique::notes {
namespace {

constexpr std::array<std::string_view, kModelLabels> kLabelTypes = {
    "", "name", "age", "date", "location", "organisation", "profession", "id"};
constexpr std::string_view kMagic = "pratique notes model 2\n";
constexpr std::uint32_t kMostRecalls = 1000;

void add_spans(const ModelLine& line, const Decoded& decoded, std::vector<Span>& spans) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t label = decoded.labels[i];
    if (label == 0) continue;
    const double certainty = decoded.certainties[i];
    if (i > 0 && decoded.labels[i - 1] == label) {
      spans.back().end = line[i].end;
      spans.back().certainty = std::max(spans.back().certainty, certainty);
    } else {
      spans.push_back({line[i].start, line[i].end, std::string(kLabelTypes[label]), certainty});
    }
  }
}

}  // namespace

std::size_t model_label(std::string_view named) {
  std::string type = our_type(named);
  if (type == "hospital") type = "organisation";
  const auto label = std::find(kLabelTypes.begin() + 1, kLabelTypes.end(), type);
  return label == kLabelTypes.end() ? kModelLabels - 1
                                    : static_cast<std::size_t>(label - kLabelTypes.begin());
}

Tagger::Tagger() : weights_(kFeatureRows * kLabels), transitions_(kLabels * kLabels) {}

std::vector<Span> Tagger::tag(std::string_view text, const std::vector<Span>& hits) const {
  return tag(text, hits, Lines::all);
}

std::vector<Span> Tagger::tag(std::string_view text, const std::vector<Span>& hits,
                              Lines which) const {
  std::vector<Span> spans;
  for (const ModelLine& line : featured_lines(text, hits, which))
    add_spans(line, decode(line, {weights_, transitions_, temperature_}, false), spans);
  return spans;
}

std::vector<Span> Tagger::tag(std::string_view text) const {
  return tag(text, find_candidates(text));
}

double Tagger::least_certainty(std::string_view text) const {
  double least = 1;
  for (const ModelLine& line : featured_lines(text, find_candidates(text))) {
    for (const double identifier :
         decode(line, {weights_, transitions_, temperature_}, true).certainties)
      least = std::min(least, std::max(identifier, 1 - identifier));
  }
  return least;
}

RecallAt Tagger::threshold_for(double recall, double most) const {
  if (recalls_.empty()) return {static_cast<float>(most), 0};
  for (auto at = recalls_.rbegin(); at != recalls_.rend(); ++at) {
    if (at->recall >= recall && at->certainty <= most) return *at;
  }
  return recalls_.front();
}

// Rows that have weight, each by its number; little endian.
void Tagger::write(const std::string& path) const {
  std::string bytes(kMagic);
  const auto add = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  add(&temperature_, sizeof temperature_);
  const auto count = static_cast<std::uint32_t>(recalls_.size());
  add(&count, sizeof count);
  add(recalls_.data(), recalls_.size() * sizeof(RecallAt));
  add(transitions_.data(), transitions_.size() * sizeof(float));
  for (std::uint32_t row = 0; row < kFeatureRows; ++row) {
    const float* weights = &weights_[row * kLabels];
    if (std::all_of(weights, weights + kLabels, [](float weight) { return weight == 0; })) continue;
    add(&row, sizeof row);
    add(weights, kLabels * sizeof(float));
  }
  AtomicFile out(path, 0600);
  out.write(bytes);
  out.commit();
}

Tagger Tagger::read(const std::string& path) { return parse(read_file(path), path); }

Tagger Tagger::parse(std::string_view rest, const std::string& path) {
  const auto wrong = [&] {
    return Error::input("this is not a model of notes, or one of another version")
        .at(path)
        .hint("Make one with notes train.");
  };
  if (!rest.starts_with(kMagic)) throw wrong();
  rest.remove_prefix(kMagic.size());
  const auto take = [&](void* data, std::size_t size) {
    if (rest.size() < size) throw wrong();
    std::memcpy(data, rest.data(), size);
    rest.remove_prefix(size);
  };
  Tagger model;
  take(&model.temperature_, sizeof model.temperature_);
  std::uint32_t count = 0;
  take(&count, sizeof count);
  if (count > kMostRecalls) throw wrong();
  model.recalls_.resize(count);
  take(model.recalls_.data(), count * sizeof(RecallAt));
  take(model.transitions_.data(), model.transitions_.size() * sizeof(float));
  while (!rest.empty()) {
    std::uint32_t row = 0;
    take(&row, sizeof row);
    if (row >= kFeatureRows) throw wrong();
    take(&model.weights_[row * kLabels], kLabels * sizeof(float));
  }
  const auto finite = [](float weight) { return std::isfinite(weight); };
  const auto is_share = [](const RecallAt& at) {
    return at.certainty >= 0 && at.certainty <= 1 && at.recall >= 0 && at.recall <= 1;
  };
  if (!(model.temperature_ > 0) || !std::isfinite(model.temperature_) ||
      !std::all_of(model.weights_.begin(), model.weights_.end(), finite) ||
      !std::all_of(model.transitions_.begin(), model.transitions_.end(), finite) ||
      !std::all_of(model.recalls_.begin(), model.recalls_.end(), is_share))
    throw wrong();
  return model;
}

}  // namespace pratique::notes
