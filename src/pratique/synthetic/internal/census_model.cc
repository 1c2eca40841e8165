#include "pratique/synthetic/internal/census_model.h"

#include <cmath>
#include <stdexcept>

namespace pratique::synthetic {
namespace {

template <std::size_t N>
using Row = std::array<double, N>;

constexpr std::array<std::string_view, 2> kSex = {"Male", "Female"};
constexpr std::array<std::string_view, 5> kRace = {"White", "Black", "Asian-Pac-Islander",
                                                   "Amer-Indian-Eskimo", "Other"};
constexpr std::array<std::string_view, 7> kMarital = {
    "Never-married", "Married-civ-spouse",    "Divorced",         "Separated",
    "Widowed",       "Married-spouse-absent", "Married-AF-spouse"};
constexpr std::array<std::string_view, 16> kEducation = {
    "Preschool", "1st-4th", "5th-6th",     "7th-8th",      "9th",       "10th",
    "11th",      "12th",    "HS-grad",     "Some-college", "Assoc-voc", "Assoc-acdm",
    "Bachelors", "Masters", "Prof-school", "Doctorate"};
constexpr std::array<std::string_view, 7> kWorkclass = {
    "Private",   "Self-emp-not-inc", "Self-emp-inc", "Local-gov",
    "State-gov", "Federal-gov",      "Without-pay"};
constexpr std::array<std::string_view, 14> kOccupation = {
    "Adm-clerical", "Exec-managerial", "Handlers-cleaners", "Prof-specialty",  "Other-service",
    "Sales",        "Craft-repair",    "Transport-moving",  "Farming-fishing", "Machine-op-inspct",
    "Tech-support", "Protective-serv", "Priv-house-serv",   "Armed-Forces"};
constexpr std::array<std::string_view, 2> kSalary = {"<=50K", ">50K"};

// Where people come from, each with a race distribution of its own.
enum Origin : std::size_t { kHome, kLatin, kAsia, kCaribbean, kElsewhere };
struct Country {
  std::string_view name;
  double weight;
  Origin origin;
  bool low_schooling;
};
constexpr std::array<Country, 41> kCountries = {{
    {"United-States", 9119, kHome, false},
    {"Mexico", 202, kLatin, true},
    {"Philippines", 62, kAsia, false},
    {"Germany", 42, kElsewhere, false},
    {"Puerto-Rico", 36, kLatin, true},
    {"Canada", 35, kElsewhere, false},
    {"India", 33, kAsia, false},
    {"El-Salvador", 33, kLatin, true},
    {"Cuba", 31, kLatin, false},
    {"England", 29, kElsewhere, false},
    {"Jamaica", 27, kCaribbean, false},
    {"South", 24, kAsia, false},
    {"Italy", 23, kElsewhere, false},
    {"China", 23, kAsia, false},
    {"Dominican-Republic", 22, kLatin, true},
    {"Vietnam", 21, kAsia, false},
    {"Guatemala", 21, kLatin, true},
    {"Japan", 20, kAsia, false},
    {"Poland", 19, kElsewhere, false},
    {"Columbia", 19, kLatin, false},
    {"Iran", 14, kAsia, false},
    {"Taiwan", 14, kAsia, false},
    {"Haiti", 14, kCaribbean, true},
    {"Portugal", 11, kElsewhere, true},
    {"Nicaragua", 11, kLatin, true},
    {"Peru", 10, kLatin, false},
    {"Greece", 10, kElsewhere, false},
    {"Ecuador", 9, kLatin, false},
    {"France", 9, kElsewhere, false},
    {"Ireland", 8, kElsewhere, false},
    {"Hong", 6, kAsia, false},
    {"Cambodia", 6, kAsia, true},
    {"Trinadad&Tobago", 6, kCaribbean, false},
    {"Thailand", 6, kAsia, false},
    {"Laos", 6, kAsia, true},
    {"Yugoslavia", 5, kElsewhere, false},
    {"Outlying-US(Guam-USVI-etc)", 5, kCaribbean, false},
    {"Hungary", 4, kElsewhere, false},
    {"Honduras", 4, kLatin, true},
    {"Scotland", 4, kElsewhere, false},
    {"Holand-Netherlands", 0.3, kElsewhere, false},
}};

constexpr Row<2> kSexWeights = {676, 324};

// Ages by sex: weights at knots, straight lines between them; 90 stands for 90 and over.
constexpr std::array<int, 28> kAgeKnots = {17, 18, 19, 20, 21, 22, 23, 25, 27, 30, 33, 36, 39, 43,
                                           46, 48, 50, 52, 55, 58, 61, 64, 67, 70, 74, 78, 83, 89};
constexpr std::array<Row<28>, 2> kAgeWeights = {{
    {87,  113, 147, 167, 169, 183, 217, 237, 250, 273, 287, 294, 266, 255,
     239, 201, 201, 173, 131, 122, 87,  55,  33,  22,  14,  6,   2,   4},
    {153, 222, 302, 295, 283, 308, 314, 289, 277, 263, 241, 243, 245, 215,
     217, 182, 162, 142, 109, 92,  74,  53,  37,  21,  13,  4,   2,   4},
}};
constexpr Row<2> kOldestWeight = {12, 10};

// By origin, then sex.
constexpr std::array<Row<5>, 10> kRaceWeights = {{
    {907, 71, 9, 9, 4},
    {825, 147, 12, 11, 5},
    {885, 22, 4, 8, 82},
    {849, 38, 0, 8, 104},
    {122, 8, 849, 4, 16},
    {87, 10, 894, 10, 0},
    {91, 883, 26, 0, 0},
    {78, 883, 13, 0, 26},
    {962, 25, 8, 3, 3},
    {950, 20, 25, 0, 5},
}};

// By age under 19, 20, 22, 25, 35, 45, 55, 65, any; then low-schooling countries at any age.
constexpr std::array<int, 8> kEducationAges = {19, 20, 22, 25, 35, 45, 55, 65};
constexpr std::array<Row<16>, 10> kEducationWeights = {{
    {0, 0, 1, 8, 37, 175, 388, 109, 172, 108, 0, 0, 0, 1, 0, 0},
    {2, 0, 0, 11, 4, 21, 65, 42, 407, 439, 5, 2, 2, 0, 0, 0},
    {1, 1, 0, 6, 9, 19, 23, 14, 341, 523, 31, 24, 6, 2, 0, 0},
    {0.9, 0.9, 0.9, 7.5, 7.5, 16.5, 28.7, 14.1, 308.7, 318.1, 40.5, 38.1, 208.9, 8, 0, 0.5},
    {0.3, 0.3, 1.4, 8.1, 9.8, 20.8, 24.8, 8.2, 345, 210.8, 53.7, 41.8, 211.8, 41.1, 14.2, 7.8},
    {1, 1, 2, 8, 10, 17, 19, 8, 324, 210, 53, 42, 195, 73, 26, 12},
    {1, 2, 5, 20, 13, 21, 24, 7, 327, 194, 44, 33, 170, 90, 24, 24},
    {0.4, 6.8, 12.5, 48.4, 26.2, 45.5, 27.9, 10.4, 349.3, 173.1, 30.5, 20.1, 135.8, 67, 24.7, 21.5},
    {3, 11, 18, 69, 26, 45, 34, 7, 324, 173, 30, 9, 133, 57, 31, 29},
    {23, 90, 163, 81, 73, 40, 47, 26, 231, 127, 14, 11, 57, 12, 5, 2},
}};

// By age under 20, 23, 26, 30, 35, 40, 50, 60, 70, any; then sex.
constexpr std::array<int, 9> kMaritalAges = {20, 23, 26, 30, 35, 40, 50, 60, 70};
constexpr std::array<Row<7>, 20> kMaritalWeights = {{
    {980, 17, 1, 0, 0, 1, 0},
    {964, 12, 9, 8, 0, 5, 3},
    {861, 116, 9, 7, 0, 8, 0},
    {923, 30, 16, 17, 2, 10, 1},
    {702, 254, 21, 17, 0, 7, 0},
    {784, 103, 65, 33, 1, 13, 1},
    {457, 467, 49, 18, 1, 5, 3},
    {634, 161, 132, 45, 5, 23, 0},
    {260.3, 623.3, 83.7, 21.7, 0.7, 10, 0.3},
    {438, 190, 255, 82, 11, 21, 3},
    {161, 700, 105, 28, 2, 6, 0},
    {294, 212, 365, 76, 29, 22, 3},
    {84.7, 752.3, 125.4, 19.6, 4.1, 13.4, 0.4},
    {193.3, 199.1, 440.5, 88.9, 53.4, 24.3, 0.5},
    {51, 813, 99, 15, 14, 9, 0},
    {115, 187, 425, 69, 179, 25, 0},
    {35, 844, 74, 10, 29, 9, 0},
    {89, 119, 283, 42, 453, 14, 0},
    {86, 743, 30, 7, 122, 13, 0},
    {138, 83, 166, 14, 586, 14, 0},
}};

// The group of each education: no diploma, diploma, some college, associate, bachelor, master,
// higher.
constexpr std::array<std::size_t, 16> kEducationGroup = {0, 0, 0, 0, 0, 0, 0, 0,
                                                         1, 2, 3, 3, 4, 5, 6, 6};
// By group, sex, and 25 or over before under 25 (told apart below the bachelor only).
constexpr std::array<Row<14>, 28> kOccupationWeights = {{
    {25, 36, 102, 11, 105, 51, 272, 148, 98, 135, 5, 12, 0, 1},
    {24, 6, 222, 19, 283, 87, 143, 57, 70, 73, 3, 6, 6, 0},
    {87, 34, 42, 12, 397, 82, 38, 11, 19, 198, 9, 4, 68, 0},
    {118, 8, 19, 32, 353, 337, 11, 5, 8, 59, 5, 8, 37, 0},
    {55.3, 88.4, 60.3, 20.9, 70.1, 91.3, 280.7, 121.2, 56.1, 109.2, 15.6, 30.4, 0, 0.3},
    {75, 21, 179, 10, 147, 114, 185, 65, 58, 116, 9, 18, 1, 2},
    {315, 97, 27, 34, 223, 118, 33, 18, 7, 87, 19, 8, 15, 0},
    {284, 35, 37, 21, 256, 205, 30, 11, 4, 84, 16, 4, 16, 0},
    {75.6, 161.4, 39, 63.3, 53.4, 146.4, 216.9, 65.4, 37.2, 59.7, 37.8, 43.8, 0, 0.3},
    {143, 49, 125, 51, 194, 147, 96, 49, 35, 44, 36, 30, 0, 1},
    {389, 155, 8, 71, 128, 109, 23, 10, 10, 30, 51, 10, 6, 0},
    {288, 38, 17, 60, 251, 244, 12, 5, 6, 24, 36, 12, 6, 0},
    {69, 130, 25, 101, 47, 123, 235, 41, 43, 50, 84, 52, 1, 0},
    {73, 73, 81, 40, 137, 73, 234, 48, 48, 89, 65, 40, 0, 0},
    {286, 139, 8, 216, 108, 78, 23, 7, 3, 19, 98, 10, 5, 0},
    {385, 60, 0, 68, 248, 128, 9, 9, 9, 26, 51, 0, 9, 0},
    {66.4, 286.2, 12.5, 252.7, 27.3, 179.2, 58.5, 15, 21, 13.1, 42.9, 24.4, 0.6, 0.3},
    {66.4, 286.2, 12.5, 252.7, 27.3, 179.2, 58.5, 15, 21, 13.1, 42.9, 24.4, 0.6, 0.3},
    {173, 214, 3, 375, 49, 106, 9, 1, 2, 9, 47, 9, 3, 0},
    {173, 214, 3, 375, 49, 106, 9, 1, 2, 9, 47, 9, 3, 0},
    {34, 345, 4, 436, 5, 97, 17, 8, 9, 5, 24, 13, 0, 1},
    {34, 345, 4, 436, 5, 97, 17, 8, 9, 5, 24, 13, 0, 1},
    {57, 206, 0, 650, 24, 41, 4, 0, 0, 4, 14, 0, 0, 0},
    {57, 206, 0, 650, 24, 41, 4, 0, 0, 4, 14, 0, 0, 0},
    {12, 109, 0, 814, 4, 27, 11, 5, 7, 0, 9, 1, 0, 0},
    {12, 109, 0, 814, 4, 27, 11, 5, 7, 0, 9, 1, 0, 0},
    {18, 119, 0, 804, 6, 30, 6, 0, 0, 6, 12, 0, 0, 0},
    {18, 119, 0, 804, 6, 30, 6, 0, 0, 6, 12, 0, 0, 0},
}};

// By occupation, then age under 25, under 40, any.
constexpr std::array<int, 2> kWorkclassAges = {25, 40};
constexpr std::array<Row<7>, 42> kWorkclassWeights = {{
    {854, 15, 4, 41, 62, 24, 0},   {774, 10, 8, 75, 58, 74, 0},   {673, 15, 9, 94, 80, 128, 2},
    {885, 9, 14, 14, 46, 32, 0},   {766, 64, 66, 30, 39, 34, 0},  {570, 126, 126, 73, 52, 54, 0},
    {961, 4, 0, 19, 4, 9, 2},      {935, 11, 2, 31, 7, 14, 0},    {875, 21, 3, 61, 9, 30, 0},
    {679, 26, 7, 125, 134, 30, 0}, {625, 73, 23, 150, 94, 36, 0}, {486, 114, 57, 196, 100, 48, 0},
    {922, 17, 5, 19, 33, 4, 0},    {834, 57, 7, 48, 42, 12, 0},   {736, 87, 13, 108, 40, 16, 1},
    {973, 8, 8, 2, 2, 5, 0},       {849, 83, 62, 2, 2, 2, 0},     {678, 178, 132, 2, 4, 5, 0},
    {910, 55, 15, 10, 5, 2, 2},    {805, 122, 19, 30, 11, 12, 0}, {725, 155, 32, 47, 18, 23, 0},
    {892, 45, 19, 6, 38, 0, 0},    {837, 68, 13, 60, 16, 8, 0},   {738, 87, 19, 98, 32, 24, 1},
    {727, 167, 40, 33, 20, 0, 13}, {566, 362, 32, 23, 9, 6, 3},   {293, 568, 69, 33, 18, 12, 6},
    {980, 3, 7, 0, 7, 3, 0},       {960, 22, 0, 5, 6, 7, 0},      {946, 18, 10, 9, 7, 9, 1},
    {783, 8, 0, 25, 150, 33, 0},   {827, 21, 2, 44, 51, 55, 0},   {755, 45, 6, 45, 45, 106, 0},
    {507, 0, 0, 373, 104, 15, 0},  {220, 13, 3, 508, 210, 45, 0}, {313, 7, 15, 455, 164, 45, 0},
    {1000, 0, 0, 0, 0, 0, 0},      {1000, 0, 0, 0, 0, 0, 0},      {1000, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 1000, 0},      {0, 0, 0, 0, 0, 1000, 0},      {0, 0, 0, 0, 0, 1000, 0},
}};

// The log odds of a high salary are a sum of these.
constexpr double kSalaryBase = -1;
constexpr Row<16> kSalaryEducation = {-1.9, -1.9, -1.9, -1.9, -1.9, -1.2, -1.2, -1.2,
                                      -0.6, -0.3, -0.3, -0.3, 0.5,  0.9,  1.7,  1.7};
constexpr std::array<int, 6> kSalaryAges = {23, 26, 30, 35, 40, 60};
constexpr Row<7> kSalaryAge = {-2.1, -1, -0.3, 0.3, 0.7, 1, 0.4};
constexpr Row<2> kSalaryMarried = {-1.6, 0.6};
constexpr Row<14> kSalaryOccupation = {0,    0.9,  -0.8, 0.5, -0.9, 0.3,  0.1,
                                       -0.1, -0.7, -0.4, 0.6, 0.7,  -1.2, -0.2};
constexpr Row<2> kSalarySex = {-0.4, -0.7};
constexpr Row<7> kSalaryWorkclass = {0, -0.4, 0.4, -0.3, -0.5, 0.3, -0.6};

template <std::size_t N>
std::size_t age_group(int age, const std::array<int, N>& limits) {
  std::size_t group = 0;
  while (group < N && age >= limits[group]) ++group;
  return group;
}

template <std::size_t Rows, std::size_t N>
std::vector<AliasTable> alias_tables(const std::array<Row<N>, Rows>& rows) {
  return {rows.begin(), rows.end()};
}

std::vector<double> age_weights(std::size_t sex) {
  std::vector<double> weights;
  const auto& at_knot = kAgeWeights[sex];
  for (std::size_t i = 0; i + 1 < kAgeKnots.size(); ++i) {
    const int length = kAgeKnots[i + 1] - kAgeKnots[i];
    for (int step = 0; step < length; ++step) {
      weights.push_back(at_knot[i] + (at_knot[i + 1] - at_knot[i]) * step / length);
    }
  }
  weights.push_back(at_knot.back());
  weights.push_back(kOldestWeight[sex]);
  return weights;
}

bool is_married(std::size_t marital) { return marital == 1 || marital == 6; }

std::size_t salary_cell(std::size_t education, std::size_t age, bool married,
                        std::size_t occupation, std::size_t sex, std::size_t workclass) {
  std::size_t cell = education;
  cell = cell * kSalaryAge.size() + age;
  cell = cell * 2 + (married ? 1 : 0);
  cell = cell * kSalaryOccupation.size() + occupation;
  cell = cell * 2 + sex;
  return cell * kSalaryWorkclass.size() + workclass;
}

std::vector<double> salary_probabilities() {
  std::vector<double> cells;
  for (const double education : kSalaryEducation) {
    for (const double age : kSalaryAge) {
      for (const double married : kSalaryMarried) {
        for (const double occupation : kSalaryOccupation) {
          for (const double sex : kSalarySex) {
            for (const double workclass : kSalaryWorkclass) {
              const double odds =
                  kSalaryBase + education + age + married + occupation + sex + workclass;
              cells.push_back(1 / (1 + std::exp(-odds)));
            }
          }
        }
      }
    }
  }
  return cells;
}

std::vector<double> country_weights() {
  std::vector<double> weights;
  weights.reserve(kCountries.size());
  for (const Country& country : kCountries) weights.push_back(country.weight);
  return weights;
}

}  // namespace

std::vector<std::string_view> census_values(std::string_view column) {
  const auto list = [](const auto& values) {
    return std::vector<std::string_view>(values.begin(), values.end());
  };
  if (column == "sex") return list(kSex);
  if (column == "race") return list(kRace);
  if (column == "marital-status") return list(kMarital);
  if (column == "education") return list(kEducation);
  if (column == "workclass") return list(kWorkclass);
  if (column == "occupation") return list(kOccupation);
  if (column == "salary-class") return list(kSalary);
  if (column != "native-country") throw std::invalid_argument("no list of values");
  std::vector<std::string_view> names;
  names.reserve(kCountries.size());
  for (const Country& country : kCountries) names.push_back(country.name);
  return names;
}

CensusModel::CensusModel()
    : country_{AliasTable(country_weights())},
      race_(alias_tables(kRaceWeights)),
      education_(alias_tables(kEducationWeights)),
      marital_(alias_tables(kMaritalWeights)),
      occupation_(alias_tables(kOccupationWeights)),
      workclass_(alias_tables(kWorkclassWeights)),
      high_salary_(salary_probabilities()) {
  for (std::size_t sex = 0; sex < kSex.size(); ++sex) age_.emplace_back(age_weights(sex));
}

void CensusModel::append_row(SeededRandom& random, std::string& out) const {
  constexpr double male = kSexWeights[0] / (kSexWeights[0] + kSexWeights[1]);
  const std::size_t sex = random.chance(male) ? 0 : 1;
  const int age = kYoungest + static_cast<int>(age_[sex].draw(random));
  const std::size_t country = country_[0].draw(random);
  const std::size_t race = race_[kCountries[country].origin * 2 + sex].draw(random);
  const std::size_t education =
      education_[kCountries[country].low_schooling ? education_.size() - 1
                                                   : age_group(age, kEducationAges)]
          .draw(random);
  const std::size_t marital = marital_[age_group(age, kMaritalAges) * 2 + sex].draw(random);
  const std::size_t occupation =
      occupation_[(kEducationGroup[education] * 2 + sex) * 2 + (age < 25 ? 1 : 0)].draw(random);
  const std::size_t workclass =
      workclass_[occupation * 3 + age_group(age, kWorkclassAges)].draw(random);
  const std::size_t cell = salary_cell(education, age_group(age, kSalaryAges), is_married(marital),
                                       occupation, sex, workclass);
  const std::size_t salary = random.chance(high_salary_[cell]) ? 1 : 0;

  out.append(kSex[sex]);
  const char digits[] = {',', static_cast<char>('0' + age / 10), static_cast<char>('0' + age % 10),
                         ','};
  out.append(digits, sizeof digits);
  out.append(kRace[race]);
  out += ',';
  out.append(kMarital[marital]);
  out += ',';
  out.append(kEducation[education]);
  out += ',';
  out.append(kCountries[country].name);
  out += ',';
  out.append(kWorkclass[workclass]);
  out += ',';
  out.append(kOccupation[occupation]);
  out += ',';
  out.append(kSalary[salary]);
  out += '\n';
}

}  // namespace pratique::synthetic
