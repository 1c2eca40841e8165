#include "pratique/tables/method/perturbation.h"

#include <fmt/format.h>

#include <vector>

#include "pratique/core/error.h"
#include "pratique/data/number.h"
#include "pratique/tables/method/internal/numeric_perturbation.h"
#include "pratique/tables/method/internal/post_randomisation.h"
#include "pratique/tables/method/internal/rank_swapping.h"

namespace pratique::tables {
namespace {

constexpr const char* kForms =
    "write noise:0.1, noise:abs:5, noise:0.1:clamp, round:10, round:10:random, swap:5, pram:0.8 or "
    "pram:0.8:1";

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t colon = text.find(':');
    parts.push_back(text.substr(0, colon));
    if (colon == std::string_view::npos) return parts;
    text.remove_prefix(colon + 1);
  }
}

[[noreturn]] void refuse(std::string_view text, const std::string& why, const std::string& hint) {
  throw Error::input(fmt::format("'{}' is not a perturbation: {}", text, why)).hint(hint);
}

// The arguments of one operator, read from left to right.
class Arguments {
 public:
  explicit Arguments(std::string_view text) : text_(text), parts_(split(text)) {}

  [[nodiscard]] std::string_view name() const { return parts_.front(); }

  bool take(std::string_view word) {
    if (next_ >= parts_.size() || parts_[next_] != word) return false;
    ++next_;
    return true;
  }

  [[nodiscard]] bool more() const { return next_ < parts_.size(); }

  std::string_view number(const char* what) {
    if (!more() || !is_number(parts_[next_]))
      refuse(text_, fmt::format("{} is missing", what), kForms);
    return parts_[next_++];
  }

  double above_zero(const char* what) {
    const double value = to_double(number(what));
    if (!(value > 0) || value > 1e300) {
      refuse(text_, fmt::format("{} must be above 0", what), kForms);
    }
    return value;
  }

  void end() const {
    if (more()) refuse(text_, fmt::format("'{}' is not expected here", parts_[next_]), kForms);
  }

 private:
  std::string_view text_;
  std::vector<std::string_view> parts_;
  std::size_t next_ = 1;
};

Perturbation parse(std::string_view text, Arguments& arguments) {
  if (arguments.name() == "noise") {
    AdditiveNoise noise;
    noise.absolute = arguments.take("abs");
    noise.deviation = arguments.above_zero("the deviation");
    noise.clamp = arguments.take("clamp");
    return noise;
  }
  if (arguments.name() == "round") {
    Rounding rounding;
    rounding.base = arguments.number("the base");
    if (!(to_double(rounding.base) > 0)) refuse(text, "the base must be above 0", kForms);
    rounding.random = arguments.take("random");
    return rounding;
  }
  if (arguments.name() == "swap") {
    const RankSwapping swapping{arguments.above_zero("the percentage")};
    if (swapping.percent > 100) refuse(text, "the percentage is above 100", "give 1 to 20");
    return swapping;
  }
  if (arguments.name() == "pram") {
    PostRandomisation pram;
    pram.keep = to_double(arguments.number("the probability of keeping a value"));
    if (!(pram.keep >= 0 && pram.keep < 1)) {
      refuse(text, "the probability of keeping a value must be at least 0 and below 1",
             "pram:0.8 changes at most one value in five");
    }
    if (arguments.more()) {
      const double level = to_double(arguments.number("the hierarchy's level"));
      if (!(level >= 1 && level <= 1000) || level != static_cast<int>(level)) {
        refuse(text, "the hierarchy's level must be a whole number of 1 or more",
               "level 1 is the one above the values");
      }
      pram.within_level = static_cast<int>(level);
    }
    return pram;
  }
  refuse(text, fmt::format("there is no operator '{}'", arguments.name()), kForms);
}

struct Printer {
  std::string operator()(const AdditiveNoise& noise) const {
    return fmt::format("noise:{}{}{}", noise.absolute ? "abs:" : "", noise.deviation,
                       noise.clamp ? ":clamp" : "");
  }
  std::string operator()(const Rounding& rounding) const {
    return fmt::format("round:{}{}", rounding.base, rounding.random ? ":random" : "");
  }
  std::string operator()(const RankSwapping& swapping) const {
    return fmt::format("swap:{}", swapping.percent);
  }
  std::string operator()(const PostRandomisation& pram) const {
    if (pram.within_level < 0) return fmt::format("pram:{}", pram.keep);
    return fmt::format("pram:{}:{}", pram.keep, pram.within_level);
  }
};

struct Operator {
  const Column& column;
  NoiseSource& noise;
  const Hierarchy* hierarchy;

  Column operator()(const AdditiveNoise& how) const { return add_noise(column, how, noise); }
  Column operator()(const Rounding& how) const { return round_values(column, how, noise); }
  Column operator()(const RankSwapping& how) const { return swap_ranks(column, how, noise); }
  Column operator()(const PostRandomisation& how) const {
    if (how.within_level < 0) return post_randomise(column, how.keep, noise);
    if (hierarchy == nullptr) {
      throw Error::input(fmt::format("'{}' needs a hierarchy over {}", to_string(how), column.name))
          .hint("give the column a hierarchy, or leave the level out");
    }
    return post_randomise_within(column, how.keep, *hierarchy, how.within_level, noise);
  }
};

}  // namespace

Perturbation parse_perturbation(std::string_view text) {
  Arguments arguments(text);
  Perturbation perturbation = parse(text, arguments);
  arguments.end();
  return perturbation;
}

std::string to_string(const Perturbation& perturbation) {
  return std::visit(Printer{}, perturbation);
}

Column by_record(const Column& column, std::span<const std::uint64_t> counts) {
  Column records;
  records.name = column.name;
  for (const auto value : column.dictionary.values()) records.dictionary.intern(value);
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    records.codes.insert(records.codes.end(), counts[row], column.codes[row]);
  }
  return records;
}

Column perturb(const Column& column, const Perturbation& perturbation, NoiseSource& noise,
               const Hierarchy* hierarchy) {
  return std::visit(Operator{column, noise, hierarchy}, perturbation);
}

}  // namespace pratique::tables
