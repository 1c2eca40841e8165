#include "pratique/notes/model/tagger.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "pratique/core/error.h"
#include "pratique/core/file.h"
#include "pratique/core/parallel.h"
#include "pratique/crypto/random.h"
#include "pratique/notes/find/finder.h"
#include "pratique/words/words.h"

namespace pratique::notes {
namespace {

// Types that differ by their number alone are one to the model.
constexpr std::array<std::string_view, 9> kModelTypes = {
    "name", "age", "date", "location", "hospital", "organisation", "profession", "phone", "id"};
constexpr std::size_t kLabels = 1 + 2 * kModelTypes.size();  // O, then B and I of each
constexpr std::size_t kOutside = 0;
constexpr std::string_view kMagic = "pratique notes model 1\n";

std::size_t model_type(std::string_view type) {
  if (type == "fax" || type == "email" || type == "url" || type == "ip") type = "phone";
  const auto found = std::find(kModelTypes.begin(), kModelTypes.end(), type);
  return found == kModelTypes.end() ? kModelTypes.size() - 1
                                    : static_cast<std::size_t>(found - kModelTypes.begin());
}

struct ModelToken {
  std::size_t start = 0, end = 0;
  std::vector<std::uint32_t> rows;  // of its features
};

enum class Sign : std::uint8_t { letter, digit, other };

Sign sign_of(char c) {
  const auto u = static_cast<unsigned char>(c);
  if (u >= '0' && u <= '9') return Sign::digit;
  return u >= 0x80 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') ? Sign::letter : Sign::other;
}

std::string shape_of(std::string_view word) {
  std::string shape;
  for (const char c : word) {
    const auto u = static_cast<unsigned char>(c);
    const char kind = u >= '0' && u <= '9'         ? '0'
                      : u >= 'A' && u <= 'Z'       ? 'X'
                      : sign_of(c) == Sign::letter ? 'x'
                                                   : c;
    // Long runs are one shape.
    if (shape.size() > 3 && shape.back() == kind && shape[shape.size() - 2] == kind) continue;
    shape += kind;
  }
  return shape;
}

class FeatureRow {
 public:
  explicit FeatureRow(std::vector<std::uint32_t>& rows) : rows_(rows) {}
  void add(std::uint32_t kind, std::string_view value) {
    std::uint64_t hash = 0xCBF29CE484222325 ^ (kind * 0x9E3779B97F4A7C15ULL);
    for (const char c : value) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    hash ^= hash >> 29U;
    rows_.push_back(static_cast<std::uint32_t>(hash % Tagger::kRows));
  }
  void add(std::uint32_t kind, std::uint64_t value) {
    add(kind, std::string_view(reinterpret_cast<const char*>(&value), sizeof value));
  }

 private:
  std::vector<std::uint32_t>& rows_;
};

using Line = std::vector<ModelToken>;

std::vector<Line> featured_lines(std::string_view text) {
  struct Plain {
    std::size_t start, end;
    std::string small;
    std::uint16_t kinds;
    std::string hit;
  };
  const auto hits = find_identifiers(text, 0.2);
  std::vector<Line> lines;
  std::size_t hit = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    std::vector<Plain> plain;
    while (at < line_end) {
      const Sign sign = sign_of(text[at]);
      std::size_t end = at + 1;
      while (sign != Sign::other && end < line_end && sign_of(text[end]) == sign) ++end;
      const auto spelled = text.substr(at, end - at);
      if (spelled != " " && spelled != "\t" && spelled != "\r") {
        Plain one{at, end, words::folded(spelled), 0, {}};
        one.kinds = words::kinds_of(one.small);
        while (hit < hits.size() && hits[hit].end <= at) ++hit;
        if (hit < hits.size() && hits[hit].start < end) {
          one.hit = hits[hit].type;
          one.hit += static_cast<char>('0' + static_cast<int>(hits[hit].certainty * 5));
          one.hit += hits[hit].start >= at ? 'B' : 'I';
        }
        plain.push_back(std::move(one));
      }
      at = end;
    }
    at = line_end + 1;
    if (plain.empty()) continue;
    Line line(plain.size());
    const auto small_at = [&](std::size_t i, std::ptrdiff_t by) -> std::string_view {
      const auto j = static_cast<std::ptrdiff_t>(i) + by;
      if (j < 0) return "<s>";
      if (j >= static_cast<std::ptrdiff_t>(plain.size())) return "</s>";
      return plain[static_cast<std::size_t>(j)].small;
    };
    for (std::size_t i = 0; i < plain.size(); ++i) {
      line[i] = {plain[i].start, plain[i].end, {}};
      FeatureRow row(line[i].rows);
      const auto spelled = text.substr(plain[i].start, plain[i].end - plain[i].start);
      const std::string& small = plain[i].small;
      row.add(1, small);
      row.add(2, shape_of(spelled));
      row.add(3, small.substr(0, 3));
      row.add(
          4, std::string_view(small).substr(small.size() - std::min<std::size_t>(small.size(), 3)));
      row.add(5, small_at(i, -1));
      row.add(6, small_at(i, 1));
      row.add(7, small_at(i, -2));
      row.add(8, small_at(i, 2));
      row.add(9, plain[i].kinds);
      row.add(10, i > 0 ? plain[i - 1].kinds : 0xFFFFU);
      row.add(11, i + 1 < plain.size() ? plain[i + 1].kinds : 0xFFFFU);
      row.add(12, plain[i].hit);
      row.add(13, i > 0 ? std::string_view(plain[i - 1].hit) : "");
      row.add(14, i + 1 < plain.size() ? std::string_view(plain[i + 1].hit) : "");
      row.add(15, plain.front().small);
      row.add(16, std::string(small_at(i, -1)) + " " + shape_of(spelled));
      row.add(17, plain[i].hit + shape_of(spelled));
      row.add(18, std::uint64_t{0});
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::uint8_t> gold_labels(const Line& line, const std::vector<Span>& spans) {
  std::vector<std::uint8_t> labels(line.size(), kOutside);
  for (const Span& span : spans) {
    bool first = true;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i].start >= span.end || line[i].end <= span.start) continue;
      labels[i] = static_cast<std::uint8_t>(1 + 2 * model_type(span.type) + (first ? 0 : 1));
      first = false;
    }
  }
  return labels;
}

bool may_follow(std::size_t before, std::size_t label) {
  // I of a type follows B or I of that type.
  if (label == kOutside || label % 2 == 1) return true;
  return before == label || before == label - 1;
}

struct Path {
  std::vector<std::uint8_t> labels;
  std::vector<float> scores;  // of every label at every token
};

Path best_path(const Line& line, const std::vector<float>& weights,
               const std::vector<float>& transitions) {
  Path path;
  path.scores.assign(line.size() * kLabels, 0);
  for (std::size_t i = 0; i < line.size(); ++i) {
    float* scores = &path.scores[i * kLabels];
    for (const auto row : line[i].rows) {
      const float* weight = &weights[row * kLabels];
      for (std::size_t l = 0; l < kLabels; ++l) scores[l] += weight[l];
    }
  }
  constexpr float kNever = -1e9F;
  std::vector<float> best(line.size() * kLabels, kNever);
  std::vector<std::uint8_t> from(line.size() * kLabels, 0);
  for (std::size_t l = 0; l < kLabels; ++l) {
    if (may_follow(kOutside, l)) best[l] = path.scores[l];
  }
  for (std::size_t i = 1; i < line.size(); ++i) {
    for (std::size_t l = 0; l < kLabels; ++l) {
      float& here = best[i * kLabels + l];
      for (std::size_t b = 0; b < kLabels; ++b) {
        if (!may_follow(b, l)) continue;
        const float score = best[(i - 1) * kLabels + b] + transitions[b * kLabels + l];
        if (score > here) {
          here = score;
          from[i * kLabels + l] = static_cast<std::uint8_t>(b);
        }
      }
      here += path.scores[i * kLabels + l];
    }
  }
  path.labels.resize(line.size());
  const float* last = &best[(line.size() - 1) * kLabels];
  auto label = static_cast<std::uint8_t>(std::max_element(last, last + kLabels) - last);
  for (std::size_t i = line.size(); i-- > 0;) {
    path.labels[i] = label;
    label = from[i * kLabels + label];
  }
  return path;
}

// Of the label at token i, given those beside it.
double certainty_at(const Path& path, const std::vector<float>& transitions, std::size_t i,
                    double temperature) {
  const std::size_t before = i > 0 ? path.labels[i - 1] : kOutside;
  double outside = 0;
  double all = 0;
  double most = -1e30;
  std::array<double, kLabels> scores{};
  for (std::size_t l = 0; l < kLabels; ++l) {
    scores[l] = path.scores[i * kLabels + l];
    if (i > 0) scores[l] += transitions[before * kLabels + l];
    if (i + 1 < path.labels.size()) {
      // What follows I cannot count against O before it.
      const std::size_t after = path.labels[i + 1];
      scores[l] += transitions[l * kLabels + after];
    }
    most = std::max(most, scores[l]);
  }
  for (std::size_t l = 0; l < kLabels; ++l) {
    const double share = std::exp((scores[l] - most) / temperature);
    all += share;
    if (l == kOutside) outside = share;
  }
  return 1 - outside / all;  // that it is any identifier
}

std::vector<Span> spans_of(const Line& line, const Path& path,
                           const std::vector<float>& transitions, double temperature) {
  std::vector<Span> spans;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t label = path.labels[i];
    if (label == kOutside) continue;
    const double certainty = certainty_at(path, transitions, i, temperature);
    const bool goes_on =
        label % 2 == 0 && !spans.empty() && i > 0 && path.labels[i - 1] != kOutside;
    if (goes_on) {
      spans.back().end = line[i].end;
      spans.back().certainty = std::max(spans.back().certainty, certainty);
    } else {
      spans.push_back(
          {line[i].start, line[i].end, std::string(kModelTypes[(label - 1) / 2]), certainty});
    }
  }
  return spans;
}

}  // namespace

class TaggerTraining {
 public:
  TaggerTraining(std::span<const Note> notes, Progress& progress) : progress_(progress) {
    lines_.resize(notes.size());
    labels_.resize(notes.size());
    parallel_blocks(notes.size(), 8, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        lines_[n] = featured_lines(notes[n].text);
        for (const Line& line : lines_[n]) labels_[n].push_back(gold_labels(line, notes[n].spans));
      }
    });
    notes_ = notes;
  }

  Tagger train(std::uint64_t seed, int most_epochs, TaggerReport& report) {
    SeededRandom random(seed);
    std::vector<std::size_t> order(notes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(order);
    const std::size_t held = std::max<std::size_t>(1, order.size() / 10);
    const std::vector<std::size_t> apart(order.begin(),
                                         order.begin() + static_cast<std::ptrdiff_t>(held));
    std::vector<std::size_t> used(order.begin() + static_cast<std::ptrdiff_t>(held), order.end());
    Tagger best;
    double best_f1 = -1;
    int since = 0;
    progress_.begin("training", static_cast<std::uint64_t>(most_epochs));
    for (int epoch = 1; epoch <= most_epochs && since < 2; ++epoch) {
      random.shuffle(used);
      for (const std::size_t n : used) {
        for (std::size_t l = 0; l < lines_[n].size(); ++l) learn(lines_[n][l], labels_[n][l]);
        progress_.check();
      }
      Tagger averaged = average();
      SpanScore score;
      for (const std::size_t n : apart) score.add(notes_[n].spans, tagged(averaged, n));
      ++since;
      if (score.f1() > best_f1) {
        best_f1 = score.f1();
        best = std::move(averaged);
        report.epochs = epoch;
        since = 0;
      }
      progress_.advance(1);
    }
    report.f1 = best_f1;
    best.temperature_ = fit_temperature(best, apart);
    return best;
  }

 private:
  void learn(const Line& line, const std::vector<std::uint8_t>& gold) {
    ++step_;
    const Path path = best_path(line, model_.weights_, model_.transitions_);
    if (path.labels == gold) return;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (path.labels[i] != gold[i]) {
        for (const auto row : line[i].rows) {
          change(model_.weights_, sum_.weights_, row * kLabels + gold[i], 1);
          change(model_.weights_, sum_.weights_, row * kLabels + path.labels[i], -1);
        }
      }
      if (i > 0) {
        change(model_.transitions_, sum_.transitions_, gold[i - 1] * kLabels + gold[i], 1);
        change(model_.transitions_, sum_.transitions_,
               path.labels[i - 1] * kLabels + path.labels[i], -1);
      }
    }
  }
  // The sum keeps step * change, so that the average is weights - sum / steps.
  void change(std::vector<float>& weights, std::vector<float>& sum, std::size_t at,
              float by) const {
    weights[at] += by;
    sum[at] += by * static_cast<float>(step_);
  }
  [[nodiscard]] Tagger average() const {
    Tagger result;
    const auto steps = static_cast<float>(step_ + 1);
    for (std::size_t i = 0; i < model_.weights_.size(); ++i)
      result.weights_[i] = model_.weights_[i] - sum_.weights_[i] / steps;
    for (std::size_t i = 0; i < model_.transitions_.size(); ++i)
      result.transitions_[i] = model_.transitions_[i] - sum_.transitions_[i] / steps;
    return result;
  }
  [[nodiscard]] std::vector<Span> tagged(const Tagger& model, std::size_t n) const {
    std::vector<Span> spans;
    for (const Line& line : lines_[n]) {
      for (auto& span : spans_of(line, best_path(line, model.weights_, model.transitions_),
                                 model.transitions_, model.temperature_))
        spans.push_back(std::move(span));
    }
    return spans;
  }
  // The one under which the labels of the notes held back are most likely.
  [[nodiscard]] float fit_temperature(const Tagger& model,
                                      const std::vector<std::size_t>& apart) const {
    float best = 1;
    double least = 1e300;
    for (const float temperature : {0.25F, 0.5F, 1.F, 2.F, 3.F, 5.F, 8.F, 12.F, 20.F}) {
      double loss = 0;
      for (const std::size_t n : apart) {
        for (std::size_t l = 0; l < lines_[n].size(); ++l) {
          const Path path = best_path(lines_[n][l], model.weights_, model.transitions_);
          for (std::size_t i = 0; i < path.labels.size(); ++i) {
            const double certain =
                std::clamp(certainty_at(path, model.transitions_, i, temperature), 1e-9, 1 - 1e-9);
            loss -= std::log(labels_[n][l][i] == kOutside ? 1 - certain : certain);
          }
        }
      }
      if (loss < least) {
        least = loss;
        best = temperature;
      }
    }
    return best;
  }

  Progress& progress_;
  std::span<const Note> notes_;
  std::vector<std::vector<Line>> lines_;
  std::vector<std::vector<std::vector<std::uint8_t>>> labels_;
  Tagger model_;
  Tagger sum_;
  std::uint64_t step_ = 0;
};

Tagger::Tagger() : weights_(kRows * kLabels), transitions_(kLabels * kLabels) {}

std::vector<Span> Tagger::tag(std::string_view text) const {
  std::vector<Span> spans;
  for (const Line& line : featured_lines(text)) {
    for (auto& span :
         spans_of(line, best_path(line, weights_, transitions_), transitions_, temperature_))
      spans.push_back(std::move(span));
  }
  return spans;
}

double Tagger::least_certainty(std::string_view text) const {
  double least = 1;
  for (const Line& line : featured_lines(text)) {
    const Path path = best_path(line, weights_, transitions_);
    for (std::size_t i = 0; i < line.size(); ++i) {
      const double identifier = certainty_at(path, transitions_, i, temperature_);
      least = std::min(least, std::max(identifier, 1 - identifier));
    }
  }
  return least;
}

// Rows that have weight, each by its number; little endian.
void Tagger::write(const std::string& path) const {
  std::string bytes(kMagic);
  const auto add = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  add(&temperature_, sizeof temperature_);
  add(transitions_.data(), transitions_.size() * sizeof(float));
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const float* weights = &weights_[row * kLabels];
    if (std::all_of(weights, weights + kLabels, [](float weight) { return weight == 0; })) continue;
    add(&row, sizeof row);
    add(weights, kLabels * sizeof(float));
  }
  AtomicFile out(path, 0600);
  out.write(bytes);
  out.commit();
}

Tagger Tagger::read(const std::string& path) {
  const std::string bytes = read_file(path);
  std::string_view rest = bytes;
  const auto wrong = [&] {
    return Error::input("this is no model of notes, or one of another version")
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
  take(model.transitions_.data(), model.transitions_.size() * sizeof(float));
  while (!rest.empty()) {
    std::uint32_t row = 0;
    take(&row, sizeof row);
    if (row >= kRows) throw wrong();
    take(&model.weights_[row * kLabels], kLabels * sizeof(float));
  }
  const auto finite = [](float weight) { return std::isfinite(weight); };
  if (!(model.temperature_ > 0) || !std::isfinite(model.temperature_) ||
      !std::all_of(model.weights_.begin(), model.weights_.end(), finite) ||
      !std::all_of(model.transitions_.begin(), model.transitions_.end(), finite))
    throw wrong();
  return model;
}

Tagger train_tagger(std::span<const Note> notes, std::uint64_t seed, int most_epochs,
                    TaggerReport& report, Progress& progress) {
  return TaggerTraining(notes, progress).train(seed, most_epochs, report);
}

// Right is a span with both ends of a marked one.
void SpanScore::add(const std::vector<Span>& gold_spans, const std::vector<Span>& found) {
  gold += gold_spans.size();
  predicted += found.size();
  for (const Span& span : found) {
    right += std::any_of(gold_spans.begin(), gold_spans.end(), [&](const Span& other) {
      return other.start == span.start && other.end == span.end;
    });
  }
}

double SpanScore::f1() const {
  return gold + predicted == 0
             ? 0
             : 2 * static_cast<double>(right) / static_cast<double>(gold + predicted);
}

}  // namespace pratique::notes
