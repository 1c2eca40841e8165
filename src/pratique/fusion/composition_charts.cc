#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "pratique/fusion/composition_simulation.h"

namespace pratique::fusion {
namespace {

using Case = SimulatedCase;

template <class Keep, class Height>
ChartSeries by_k(const Simulation& simulation, const std::string& name, const Keep& keep,
                 const Height& height) {
  ChartSeries series{name, {}, true};
  for (const auto& simulated : simulation.cases) {
    if (simulated.runs > 0 && !simulated.l && !simulated.t && keep(simulated)) {
      series.points.push_back({static_cast<double>(simulated.k), height(simulated)});
    }
  }
  std::sort(series.points.begin(), series.points.end(),
            [](const ChartPoint& a, const ChartPoint& b) { return a.x < b.x; });
  return series;
}

// Confidence downwards is severity upwards: the weakest claim first.
ChartSeries by_confidence(const Case& simulated, const std::string& name) {
  ChartSeries series{name, {}, true};
  for (std::size_t c = kConfidences.size(); c-- > 0;) {
    series.points.push_back({kConfidences[c], simulated.known.breach_at[c]});
  }
  return series;
}

double mean(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number / static_cast<double>(numbers.size());
  return sum;
}

// The plain case: k alone, the first method, number of releases and sensitive attribute.
class Figures {
 public:
  Figures(const Simulation& simulation, const SimulationOptions& options)
      : simulation_(simulation), options_(options) {
    perfect_breach();
    partial_breach();
    anonymity();
    diversity();
    domains();
    numbers();
  }
  std::vector<Figure> figures;

 private:
  [[nodiscard]] bool plain(const Case& simulated) const {
    return simulated.method == options_.methods.front() &&
           simulated.releases == options_.releases.front() &&
           simulated.sensitive == options_.sensitive.front();
  }
  void draw(const std::string& name, const std::string& title, const std::string& x,
            const std::string& y, std::vector<ChartSeries> series) {
    std::erase_if(series, [](const ChartSeries& curve) { return curve.points.empty(); });
    if (series.empty()) return;
    figures.push_back(
        {name, {.title = title, .x_name = x, .y_name = y, .series = std::move(series)}});
  }

  void perfect_breach() {
    std::vector<ChartSeries> series;
    for (const auto& method : options_.methods) {
      series.push_back(by_k(
          simulation_, method,
          [&](const Case& simulated) {
            return simulated.method == method && simulated.releases == options_.releases.front() &&
                   simulated.sensitive == options_.sensitive.front();
          },
          [](const Case& simulated) { return simulated.known.perfect_breach; }));
    }
    draw("figure-3.1", "Perfect breach", "k", "share of the population", std::move(series));
  }

  void partial_breach() {
    std::vector<ChartSeries> series;
    for (const auto& simulated : simulation_.cases) {
      if (simulated.runs > 0 && plain(simulated) && !simulated.l && !simulated.t) {
        series.push_back(by_confidence(simulated, fmt::format("k = {}", simulated.k)));
      }
    }
    draw("figure-3.2", "Partial breach", "confidence", "share of the population",
         std::move(series));
  }

  void anonymity() {
    const auto line = [&](const std::string& name, double (*height)(const Case&)) {
      return by_k(
          simulation_, name, [&](const Case& simulated) { return plain(simulated); }, height);
    };
    draw("figure-3.3", "Presumed anonymity, class sizes and effective anonymity", "k", "mean",
         {line("presumed anonymity (k)", [](const Case& simulated) { return double(simulated.k); }),
          line("size of the class",
               [](const Case& simulated) { return mean(simulated.known.candidates); }),
          line("effective anonymity",
               [](const Case& simulated) { return mean(simulated.known.prior); })});
    draw("figure-3.4", "Effective anonymity before and after", "k", "mean",
         {line("before", [](const Case& simulated) { return mean(simulated.known.prior); }),
          line("after", [](const Case& simulated) { return simulated.known.posterior; })});
  }

  void diversity() {
    std::vector<ChartSeries> l_breach;
    std::vector<ChartSeries> t_breach;
    ChartSeries l_sizes{"l-diversity", {}, true};
    ChartSeries t_sizes{"t-closeness", {}, true};
    ChartSeries plain_l{fmt::format("k-anonymity (k = {})", options_.diversity_k), {}, true};
    ChartSeries plain_t = plain_l;
    const Case* alone = nullptr;
    for (const auto& simulated : simulation_.cases) {
      if (simulated.runs > 0 && plain(simulated) && !simulated.l && !simulated.t &&
          simulated.k == options_.diversity_k) {
        alone = &simulated;
      }
    }
    for (const auto& simulated : simulation_.cases) {
      if (simulated.runs == 0 || (!simulated.l && !simulated.t)) continue;
      const double x = simulated.l ? *simulated.l : *simulated.t;
      (simulated.l ? l_breach : t_breach)
          .push_back(by_confidence(simulated, fmt::format("{} = {}", simulated.l ? "l" : "t", x)));
      (simulated.l ? l_sizes : t_sizes).points.push_back({x, mean(simulated.known.candidates)});
      if (alone != nullptr) {
        (simulated.l ? plain_l : plain_t).points.push_back({x, mean(alone->known.candidates)});
      }
    }
    draw("figure-3.5-l", "Breach under l-diversity", "confidence", "share of the population",
         std::move(l_breach));
    draw("figure-3.5-t", "Breach under t-closeness", "confidence", "share of the population",
         std::move(t_breach));
    if (!l_sizes.points.empty()) {
      draw("figure-3.6-l", "Class sizes under l-diversity", "l", "mean", {l_sizes, plain_l});
    }
    if (!t_sizes.points.empty()) {
      draw("figure-3.6-t", "Class sizes under t-closeness", "t", "mean", {t_sizes, plain_t});
    }
  }

  void domains() {
    if (options_.sensitive.size() < 2) return;
    std::vector<ChartSeries> series;
    for (const auto& sensitive : options_.sensitive) {
      double entropy = 0;
      series.push_back(by_k(
          simulation_, sensitive,
          [&](const Case& simulated) {
            const bool kept = simulated.method == options_.methods.front() &&
                              simulated.releases == options_.releases.front() &&
                              simulated.sensitive == sensitive;
            if (kept) entropy = simulated.entropy;
            return kept;
          },
          [](const Case& simulated) { return simulated.known.drop; }));
      series.back().name = fmt::format("{} ({:.2f} bits)", sensitive, entropy);
    }
    draw("figure-3.7", "Drop by sensitive attribute", "k", "drop in effective anonymity",
         std::move(series));
  }

  void numbers() {
    if (options_.releases.size() < 2) return;
    const auto lines = [&](double (*height)(const Case&)) {
      std::vector<ChartSeries> series;
      for (const auto releases : options_.releases) {
        series.push_back(by_k(
            simulation_, fmt::format("{} release{}", releases, releases == 1 ? "" : "s"),
            [&](const Case& simulated) {
              return simulated.method == options_.methods.front() &&
                     simulated.releases == releases &&
                     simulated.sensitive == options_.sensitive.front();
            },
            height));
      }
      return series;
    };
    draw("figure-3.8-breach", "Perfect breach by number of releases", "k",
         "share of the population",
         lines([](const Case& simulated) { return simulated.known.perfect_breach; }));
    draw("figure-3.8-drop", "Drop by number of releases", "k", "drop in effective anonymity",
         lines([](const Case& simulated) { return simulated.known.drop; }));
  }

  const Simulation& simulation_;
  const SimulationOptions& options_;
};

Json to_json(const Case::Figures& figures) {
  Json levels = Json::object();
  for (std::size_t c = 0; c < kConfidences.size(); ++c) {
    levels[fmt::format("{}", kConfidences[c])] = figures.breach_at[c];
  }
  return {{"perfect_breach", figures.perfect_breach},
          {"deviation", figures.deviation},
          {"breach_at", levels},
          {"effective_anonymity", {{"prior", figures.prior}, {"posterior", figures.posterior}}},
          {"class_size", figures.candidates},
          {"mean_drop", figures.drop},
          {"vulnerable", figures.vulnerable},
          {"correct", figures.correct},
          {"bayes",
           {{"at_1", figures.bayes_at_one},
            {"at_0.5", figures.bayes_at_half},
            {"confidence", figures.bayes_confidence},
            {"correct", figures.bayes_correct}}}};
}

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

}  // namespace

std::vector<Figure> figures_of(const Simulation& simulation, const SimulationOptions& options) {
  return Figures(simulation, options).figures;
}

std::string to_csv(const Simulation& simulation) {
  std::string text =
      "method,k,l,t,releases,sensitive,runs,entropy,loss,located,attack,perfect_breach,deviation,"
      "breach_0.5,breach_0.333,breach_0.25,prior,posterior,class_size,drop,vulnerable,correct,"
      "bayes_1,bayes_0.5,bayes_confidence,bayes_correct\n";
  const auto number = [](const std::optional<double>& x) {
    return x ? fmt::format("{}", *x) : std::string();
  };
  for (const auto& simulated : simulation.cases) {
    if (simulated.runs == 0) continue;
    for (const bool known : {true, false}) {
      const auto& f = known ? simulated.known : simulated.real;
      text += fmt::format(
          "{},{},{},{},{},{},{},{:.4f},{:.4f},{:.4f},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.3f},"
          "{:.3f},{:.1f},{:.3f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f},{:.4f}\n",
          simulated.method, simulated.k, number(simulated.l), number(simulated.t),
          simulated.releases, simulated.sensitive, simulated.runs, simulated.entropy,
          simulated.loss, simulated.located, known ? "known" : "real", f.perfect_breach,
          f.deviation, f.breach_at[1], f.breach_at[2], f.breach_at[3], mean(f.prior), f.posterior,
          mean(f.candidates), f.drop, f.vulnerable, f.correct, f.bayes_at_one, f.bayes_at_half,
          f.bayes_confidence, f.bayes_correct);
    }
  }
  return text;
}

Json to_json(const Simulation& simulation) {
  Json cases = Json::array();
  for (const auto& simulated : simulation.cases) {
    Json entry = {{"method", simulated.method},
                  {"k", simulated.k},
                  {"l", number_or_null(simulated.l)},
                  {"t", number_or_null(simulated.t)},
                  {"releases", simulated.releases},
                  {"sensitive", simulated.sensitive},
                  {"runs", simulated.runs}};
    if (simulated.runs == 0) {
      entry["note"] = "the model cannot be satisfied";
    } else {
      entry["entropy_of_sensitive"] = simulated.entropy;
      entry["loss"] = simulated.loss;
      entry["located"] = simulated.located;
      entry["known"] = to_json(simulated.known);
      entry["real"] = to_json(simulated.real);
    }
    cases.push_back(entry);
  }
  return {{"cases", cases}};
}

}  // namespace pratique::fusion
