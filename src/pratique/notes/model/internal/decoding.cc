#include "pratique/notes/model/internal/decoding.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pratique/notes/model/tagger.h"

namespace pratique::notes {
namespace {

using Labels = std::array<float, kModelLabels>;

std::vector<Labels> scores_of(const ModelLine& line, const ChainWeights& chain) {
  std::vector<Labels> scores(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    Labels sum{};
    for (const auto row : line[i].rows) {
      const float* weight = &chain.weights[row * kModelLabels];
      for (std::size_t l = 0; l < kModelLabels; ++l) sum[l] += weight[l];
    }
    scores[i] = sum;
  }
  return scores;
}

std::vector<std::uint8_t> best_labels(const std::vector<Labels>& scores,
                                      const ChainWeights& chain) {
  std::vector<std::array<std::uint8_t, kModelLabels>> from(scores.size());
  Labels best = scores.front();
  for (std::size_t i = 1; i < scores.size(); ++i) {
    Labels next{};
    for (std::size_t l = 0; l < kModelLabels; ++l) {
      float most = best[0] + chain.transitions[l];
      std::uint8_t before = 0;
      for (std::size_t b = 1; b < kModelLabels; ++b) {
        const float score = best[b] + chain.transitions[b * kModelLabels + l];
        if (score > most) {
          most = score;
          before = static_cast<std::uint8_t>(b);
        }
      }
      next[l] = most + scores[i][l];
      from[i][l] = before;
    }
    best = next;
  }
  std::vector<std::uint8_t> labels(scores.size());
  auto label = static_cast<std::uint8_t>(std::max_element(best.begin(), best.end()) - best.begin());
  for (std::size_t i = scores.size(); i-- > 0;) {
    labels[i] = label;
    label = from[i][label];
  }
  return labels;
}

// Sums over all labels of the rest of the line, scaled at every token, so that nothing overflows.
std::vector<double> marginals(const std::vector<Labels>& scores, const ChainWeights& chain) {
  std::array<float, kModelLabels * kModelLabels> moves{};
  for (std::size_t i = 0; i < moves.size(); ++i)
    moves[i] = std::exp(chain.transitions[i] / chain.temperature);
  std::vector<Labels> states(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const float most = *std::max_element(scores[i].begin(), scores[i].end());
    for (std::size_t l = 0; l < kModelLabels; ++l)
      states[i][l] = std::exp((scores[i][l] - most) / chain.temperature);
  }
  const auto scaled = [](Labels& labels) {
    float sum = 0;
    for (const float value : labels) sum += value;
    for (float& value : labels) value /= sum;
  };
  std::vector<Labels> forward(scores.size());
  forward[0] = states[0];
  scaled(forward[0]);
  for (std::size_t i = 1; i < scores.size(); ++i) {
    Labels sum{};
    for (std::size_t b = 0; b < kModelLabels; ++b) {
      for (std::size_t l = 0; l < kModelLabels; ++l)
        sum[l] += forward[i - 1][b] * moves[b * kModelLabels + l];
    }
    for (std::size_t l = 0; l < kModelLabels; ++l) sum[l] *= states[i][l];
    scaled(sum);
    forward[i] = sum;
  }
  std::vector<double> identifier(scores.size());
  Labels backward{};
  backward.fill(1);
  for (std::size_t i = scores.size(); i-- > 0;) {
    double all = 0;
    for (std::size_t l = 0; l < kModelLabels; ++l)
      all += static_cast<double>(forward[i][l]) * backward[l];
    identifier[i] = 1 - static_cast<double>(forward[i][0]) * backward[0] / all;
    Labels before{};
    for (std::size_t b = 0; b < kModelLabels; ++b) {
      for (std::size_t l = 0; l < kModelLabels; ++l)
        before[b] += moves[b * kModelLabels + l] * states[i][l] * backward[l];
    }
    scaled(before);
    backward = before;
  }
  return identifier;
}

}  // namespace

Decoded decode(const ModelLine& line, const ChainWeights& chain, bool always) {
  Decoded decoded;
  const auto scores = scores_of(line, chain);
  decoded.labels = best_labels(scores, chain);
  bool any = false;
  bool is_new = always;
  for (std::size_t i = 0; i < line.size(); ++i) {
    any = any || decoded.labels[i] != 0;
    is_new = is_new || (decoded.labels[i] != 0 && !line[i].found);
  }
  if (is_new) {
    decoded.certainties = marginals(scores, chain);
  } else {
    decoded.certainties.assign(line.size(), any ? 1 : 0);
  }
  return decoded;
}

}  // namespace pratique::notes
