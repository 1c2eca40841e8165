#include "pratique/synthetic/internal/diagnoses.h"

#include <array>

namespace pratique::synthetic {
namespace {

enum Ages : std::uint8_t {
  kInfant = 1,
  kChild = 2,
  kYoung = 4,
  kMiddle = 8,
  kOld = 16,
  kEarly = kInfant | kChild,
  kEarlyToYoung = kChild | kYoung,
  kGrown = kMiddle | kOld,
  kAdult = kYoung | kGrown,
  kNotInfant = kChild | kAdult,
  kAnyAge = kInfant | kNotInfant,
};
enum Who : std::uint8_t { kEverybody, kWomenOnly, kMenOnly };

struct Entry {
  std::string_view code;
  double weight;
  Ages ages = kAnyAge;
  Who who = kEverybody;
};

constexpr Entry kMetabolic[] = {
    {"250.00", 100, kAdult},   {"250.02", 30, kAdult},     {"250.01", 12, kNotInfant},
    {"250.03", 5, kNotInfant}, {"250.40", 10, kAdult},     {"250.50", 8, kAdult},
    {"250.60", 14, kAdult},    {"250.70", 5, kGrown},      {"250.80", 6, kAdult},
    {"272.4", 95, kAdult},     {"272.0", 45, kAdult},      {"272.2", 12, kAdult},
    {"272.1", 8, kAdult},      {"278.00", 40, kNotInfant}, {"278.01", 18, kAdult},
    {"244.9", 45, kAdult},     {"242.90", 5, kAdult},      {"241.0", 5, kAdult},
    {"274.9", 12, kAdult},     {"276.1", 14, kAnyAge},     {"276.8", 16, kAnyAge},
    {"276.7", 6, kAnyAge},     {"276.51", 25, kAnyAge},    {"790.29", 9, kAdult},
    {"268.9", 10, kAnyAge},    {"266.2", 4, kAdult},       {"263.9", 6, kGrown},
    {"275.2", 5, kAdult},      {"275.42", 3, kAdult},      {"255.41", 1, kAdult},
    {"277.7", 5, kAdult}};

constexpr Entry kHeart[] = {
    {"401.9", 170, kAdult}, {"401.1", 30, kAdult},  {"414.01", 60, kGrown}, {"414.00", 20, kGrown},
    {"427.31", 45, kGrown}, {"428.0", 50, kGrown},  {"428.22", 6, kGrown},  {"428.32", 6, kGrown},
    {"428.33", 4, kGrown},  {"410.71", 12, kGrown}, {"410.90", 8, kGrown},  {"411.1", 10, kGrown},
    {"413.9", 12, kGrown},  {"412", 16, kGrown},    {"424.0", 14, kAdult},  {"424.1", 14, kGrown},
    {"425.4", 8, kAdult},   {"426.3", 3, kGrown},   {"427.1", 4, kAdult},   {"427.89", 12, kAdult},
    {"427.32", 5, kGrown},  {"440.20", 6, kGrown},  {"440.9", 6, kOld},     {"441.4", 5, kOld},
    {"443.9", 18, kGrown},  {"402.90", 8, kGrown},  {"402.91", 4, kGrown},  {"404.90", 3, kOld},
    {"433.10", 8, kGrown},  {"434.91", 14, kGrown}, {"435.9", 8, kGrown},   {"436", 6, kGrown},
    {"438.20", 3, kOld},    {"453.40", 5, kAdult},  {"458.9", 10, kAdult},  {"785.1", 12, kAdult},
    {"786.50", 40, kAdult}, {"786.59", 20, kAdult}, {"780.2", 18, kAnyAge}, {"415.19", 4, kAdult},
    {"416.8", 4, kGrown},   {"420.90", 1, kAdult},  {"429.2", 5, kOld},     {"V45.81", 12, kGrown},
    {"V45.82", 12, kGrown}, {"V45.01", 8, kOld}};

constexpr Entry kLung[] = {
    {"493.90", 60, kAnyAge}, {"493.92", 12, kAnyAge},   {"493.00", 14, kAnyAge},
    {"493.02", 5, kAnyAge},  {"493.20", 8, kGrown},     {"496", 45, kGrown},
    {"491.21", 14, kGrown},  {"491.20", 6, kGrown},     {"492.8", 8, kGrown},
    {"486", 45, kAnyAge},    {"485", 4, kAnyAge},       {"482.9", 4, kAnyAge},
    {"481", 3, kAdult},      {"466.0", 30, kAnyAge},    {"466.11", 5, kEarly},
    {"466.19", 8, kEarly},   {"465.9", 50, kAnyAge},    {"461.9", 25, kNotInfant},
    {"462", 35, kNotInfant}, {"463", 10, kNotInfant},   {"464.4", 6, kEarly},
    {"472.0", 6, kAnyAge},   {"473.9", 18, kNotInfant}, {"477.9", 40, kNotInfant},
    {"490", 20, kAdult},     {"511.9", 10, kGrown},     {"515", 4, kGrown},
    {"518.81", 14, kGrown},  {"518.0", 6, kAdult},      {"507.0", 6, kGrown},
    {"512.89", 2, kAdult},   {"786.05", 20, kAnyAge},   {"786.2", 28, kAnyAge},
    {"305.1", 40, kAdult},   {"V15.82", 25, kAdult},    {"799.02", 6, kGrown},
    {"327.23", 14, kAdult},  {"780.57", 5, kAdult},     {"487.1", 8, kAnyAge}};

constexpr Entry kKidney[] = {
    {"585.9", 25, kGrown},  {"585.3", 10, kGrown},  {"585.4", 6, kGrown},  {"585.6", 10, kAdult},
    {"584.9", 25, kAdult},  {"403.90", 12, kGrown}, {"403.91", 8, kGrown}, {"593.9", 10, kAdult},
    {"592.0", 14, kAdult},  {"592.1", 8, kAdult},   {"590.80", 5, kAdult}, {"590.10", 3, kAdult},
    {"599.0", 55, kAnyAge}, {"599.70", 10, kAdult}, {"595.0", 8, kAdult},  {"588.81", 3, kAdult},
    {"591", 3, kAdult},     {"V45.11", 6, kAdult},  {"285.21", 8, kGrown}, {"788.41", 5, kAdult},
    {"788.30", 6, kAdult},  {"593.2", 3, kGrown},   {"581.9", 1, kAnyAge}};

constexpr Entry kDigestive[] = {
    {"530.81", 70, kAdult},   {"530.11", 8, kAdult},    {"535.50", 12, kAdult},
    {"535.00", 5, kAdult},    {"553.3", 10, kAdult},    {"550.90", 10, kAnyAge},
    {"553.1", 4, kAnyAge},    {"562.10", 22, kGrown},   {"562.11", 10, kGrown},
    {"564.00", 25, kAnyAge},  {"564.1", 12, kAdult},    {"574.20", 12, kAdult},
    {"574.10", 6, kAdult},    {"574.00", 6, kAdult},    {"575.10", 3, kAdult},
    {"577.0", 8, kAdult},     {"577.1", 3, kAdult},     {"571.5", 5, kAdult},
    {"571.2", 4, kAdult},     {"571.8", 6, kAdult},     {"573.9", 3, kAdult},
    {"555.9", 4, kNotInfant}, {"556.9", 4, kNotInfant}, {"558.9", 20, kAnyAge},
    {"540.9", 8, kNotInfant}, {"560.9", 5, kAdult},     {"569.3", 8, kAdult},
    {"578.9", 8, kAdult},     {"578.1", 5, kAdult},     {"455.0", 6, kAdult},
    {"455.6", 6, kAdult},     {"787.01", 18, kAnyAge},  {"787.91", 16, kAnyAge},
    {"787.02", 8, kAnyAge},   {"789.00", 35, kAnyAge},  {"789.06", 8, kAdult},
    {"211.3", 14, kGrown},    {"070.54", 6, kAdult},    {"070.32", 2, kAdult},
    {"532.90", 2, kAdult},    {"531.90", 2, kAdult},    {"008.45", 4, kAdult},
    {"572.3", 1, kAdult}};

constexpr Entry kMental[] = {
    {"311", 55, kNotInfant},      {"296.20", 12, kNotInfant},   {"296.30", 12, kAdult},
    {"296.33", 6, kAdult},        {"296.80", 6, kAdult},        {"296.7", 3, kAdult},
    {"296.00", 2, kAdult},        {"295.70", 3, kAdult},        {"295.90", 4, kAdult},
    {"295.30", 4, kAdult},        {"298.9", 4, kAdult},         {"300.00", 45, kNotInfant},
    {"300.02", 12, kAdult},       {"300.01", 8, kAdult},        {"300.4", 14, kAdult},
    {"300.3", 2, kNotInfant},     {"303.90", 8, kAdult},        {"303.91", 4, kAdult},
    {"305.00", 14, kAdult},       {"305.20", 6, kAdult},        {"305.60", 4, kAdult},
    {"304.00", 4, kAdult},        {"304.90", 2, kAdult},        {"309.0", 6, kNotInfant},
    {"309.81", 6, kAdult},        {"309.28", 4, kNotInfant},    {"314.01", 12, kEarlyToYoung},
    {"314.00", 6, kEarlyToYoung}, {"299.00", 3, kEarlyToYoung}, {"312.9", 2, kEarlyToYoung},
    {"307.1", 1, kEarlyToYoung},  {"307.51", 1, kYoung},        {"301.83", 2, kYoung},
    {"780.52", 14, kAdult},       {"294.8", 6, kOld},           {"290.40", 2, kOld},
    {"293.0", 3, kOld},           {"V62.84", 3, kAdult},        {"291.81", 2, kAdult}};

constexpr Entry kNerves[] = {
    {"346.90", 22, kNotInfant}, {"346.10", 6, kNotInfant}, {"345.90", 8, kAnyAge},
    {"345.10", 3, kAnyAge},     {"345.40", 2, kAnyAge},    {"780.39", 8, kAnyAge},
    {"332.0", 8, kOld},         {"331.0", 14, kOld},       {"340", 4, kAdult},
    {"357.2", 10, kAdult},      {"356.9", 6, kAdult},      {"354.0", 14, kAdult},
    {"355.9", 4, kAdult},       {"333.94", 5, kAdult},     {"343.9", 2, kAnyAge},
    {"348.30", 3, kAdult},      {"351.0", 2, kAdult},      {"784.0", 35, kNotInfant},
    {"780.4", 20, kAdult},      {"781.2", 6, kGrown},      {"342.90", 3, kGrown},
    {"344.1", 1, kAdult},       {"350.1", 1, kGrown},      {"337.9", 1, kAdult},
    {"358.00", 1, kAdult},      {"335.20", 1, kGrown},     {"331.4", 1, kAnyAge}};

constexpr Entry kJoints[] = {{"715.90", 30, kGrown},
                             {"715.96", 14, kGrown},
                             {"715.16", 10, kGrown},
                             {"715.15", 6, kGrown},
                             {"715.09", 4, kOld},
                             {"714.0", 8, kAdult},
                             {"710.0", 3, kAdult, kWomenOnly},
                             {"716.90", 10, kAdult},
                             {"719.41", 12, kAdult},
                             {"719.45", 8, kAdult},
                             {"719.46", 20, kNotInfant},
                             {"719.47", 8, kNotInfant},
                             {"722.10", 10, kAdult},
                             {"722.52", 10, kAdult},
                             {"722.4", 6, kAdult},
                             {"721.3", 8, kGrown},
                             {"721.0", 6, kGrown},
                             {"724.2", 45, kAdult},
                             {"724.5", 20, kAdult},
                             {"724.4", 10, kAdult},
                             {"724.02", 6, kGrown},
                             {"723.1", 16, kAdult},
                             {"726.10", 6, kAdult},
                             {"727.61", 4, kGrown},
                             {"728.71", 6, kAdult},
                             {"729.1", 16, kAdult},
                             {"729.5", 25, kAnyAge},
                             {"733.00", 16, kGrown, kWomenOnly},
                             {"733.90", 6, kGrown},
                             {"733.01", 4, kOld, kWomenOnly},
                             {"737.30", 4, kNotInfant},
                             {"720.0", 1, kAdult},
                             {"736.79", 1, kAnyAge},
                             {"V43.65", 6, kOld},
                             {"V43.64", 5, kOld}};

constexpr Entry kInjury[] = {
    {"820.21", 5, kOld},       {"820.8", 5, kOld},        {"813.42", 4, kAnyAge},
    {"813.81", 2, kAnyAge},    {"812.41", 2, kEarly},     {"824.8", 4, kNotInfant},
    {"805.4", 2, kAdult},      {"807.01", 3, kAdult},     {"823.80", 2, kAnyAge},
    {"815.00", 3, kNotInfant}, {"816.00", 3, kNotInfant}, {"802.0", 3, kAnyAge},
    {"847.0", 16, kAdult},     {"847.2", 14, kAdult},     {"845.00", 14, kNotInfant},
    {"844.9", 6, kNotInfant},  {"840.9", 6, kAdult},      {"842.00", 5, kNotInfant},
    {"836.0", 4, kAdult},      {"850.9", 6, kAnyAge},     {"850.0", 3, kAnyAge},
    {"851.80", 1, kAnyAge},    {"852.20", 1, kGrown},     {"873.0", 8, kAnyAge},
    {"873.42", 6, kAnyAge},    {"882.0", 6, kNotInfant},  {"883.0", 8, kNotInfant},
    {"891.0", 4, kNotInfant},  {"920", 10, kAnyAge},      {"922.1", 4, kAdult},
    {"924.11", 4, kAnyAge},    {"959.01", 10, kAnyAge},   {"959.7", 4, kAnyAge},
    {"930.9", 2, kAnyAge},     {"944.00", 1, kAnyAge},    {"949.0", 1, kAnyAge},
    {"995.91", 4, kAdult},     {"965.4", 1, kYoung},      {"969.4", 1, kYoung},
    {"977.9", 2, kYoung},      {"996.64", 3, kAdult},     {"998.59", 5, kAdult},
    {"997.1", 2, kGrown},      {"E885.9", 8, kAnyAge},    {"E888.9", 12, kAnyAge},
    {"E812.0", 5, kAdult},     {"E849.0", 6, kAnyAge}};

constexpr Entry kInfection[] = {
    {"038.9", 8, kAdult},         {"038.42", 3, kAdult},   {"041.49", 10, kAnyAge},
    {"041.11", 5, kAnyAge},       {"041.12", 5, kAnyAge},  {"054.9", 4, kAdult},
    {"053.9", 8, kGrown},         {"079.99", 16, kAnyAge}, {"078.10", 8, kNotInfant},
    {"110.1", 10, kAdult},        {"110.4", 4, kAdult},    {"112.0", 5, kAnyAge},
    {"112.3", 2, kAnyAge},        {"042", 4, kAdult},      {"V08", 2, kAdult},
    {"034.0", 14, kEarlyToYoung}, {"009.0", 3, kAnyAge},   {"008.8", 8, kAnyAge},
    {"075", 2, kYoung},           {"133.0", 1, kAnyAge},   {"132.0", 1, kEarly},
    {"136.9", 1, kAnyAge},        {"031.0", 1, kGrown},    {"011.90", 1, kAdult},
    {"098.0", 1, kYoung},         {"099.53", 2, kYoung},   {"088.81", 2, kAnyAge},
    {"780.60", 20, kAnyAge},      {"780.61", 4, kAnyAge},  {"785.52", 3, kGrown},
    {"995.92", 4, kGrown},        {"730.27", 1, kAdult}};

constexpr Entry kCancer[] = {{"174.9", 24, kGrown, kWomenOnly},
                             {"174.4", 4, kGrown, kWomenOnly},
                             {"175.9", 0.3, kGrown, kMenOnly},
                             {"162.9", 14, kGrown},
                             {"162.3", 4, kGrown},
                             {"153.9", 8, kGrown},
                             {"153.3", 3, kGrown},
                             {"154.1", 4, kGrown},
                             {"185", 28, kGrown, kMenOnly},
                             {"188.9", 6, kGrown},
                             {"189.0", 5, kGrown},
                             {"157.9", 3, kGrown},
                             {"155.0", 2, kGrown},
                             {"151.9", 2, kGrown},
                             {"150.9", 2, kGrown},
                             {"172.9", 4, kAdult},
                             {"173.30", 8, kGrown},
                             {"173.90", 6, kGrown},
                             {"182.0", 4, kGrown, kWomenOnly},
                             {"183.0", 4, kGrown, kWomenOnly},
                             {"180.9", 2, kAdult, kWomenOnly},
                             {"186.9", 1.5, kYoung, kMenOnly},
                             {"193", 3, kAdult},
                             {"191.9", 2, kAnyAge},
                             {"202.80", 5, kAdult},
                             {"201.90", 1.5, kAdult},
                             {"203.00", 3, kGrown},
                             {"204.10", 3, kOld},
                             {"204.00", 2, kEarly},
                             {"205.00", 2, kAdult},
                             {"196.9", 3, kGrown},
                             {"197.0", 4, kGrown},
                             {"197.7", 5, kGrown},
                             {"198.5", 6, kGrown},
                             {"198.3", 4, kGrown},
                             {"V58.11", 10, kAdult},
                             {"V58.0", 5, kAdult},
                             {"V10.3", 8, kGrown, kWomenOnly},
                             {"V10.46", 6, kOld, kMenOnly},
                             {"V10.05", 5, kOld},
                             {"238.75", 1, kOld},
                             {"239.9", 2, kAdult},
                             {"288.00", 3, kAnyAge}};

constexpr Entry kWomen[] = {{"626.2", 12, kYoung, kWomenOnly},  {"626.4", 5, kYoung, kWomenOnly},
                            {"626.0", 5, kYoung, kWomenOnly},   {"625.3", 8, kYoung, kWomenOnly},
                            {"625.9", 14, kAdult, kWomenOnly},  {"218.9", 12, kAdult, kWomenOnly},
                            {"617.9", 5, kYoung, kWomenOnly},   {"620.2", 8, kAdult, kWomenOnly},
                            {"616.10", 10, kAdult, kWomenOnly}, {"616.0", 3, kAdult, kWomenOnly},
                            {"622.10", 4, kYoung, kWomenOnly},  {"627.2", 14, kGrown, kWomenOnly},
                            {"627.1", 4, kGrown, kWomenOnly},   {"627.3", 4, kGrown, kWomenOnly},
                            {"618.01", 3, kGrown, kWomenOnly},  {"618.4", 2, kOld, kWomenOnly},
                            {"625.6", 6, kAdult, kWomenOnly},   {"610.1", 6, kAdult, kWomenOnly},
                            {"611.72", 8, kAdult, kWomenOnly},  {"611.71", 4, kAdult, kWomenOnly},
                            {"628.9", 3, kYoung, kWomenOnly},   {"256.4", 5, kYoung, kWomenOnly},
                            {"614.9", 2, kYoung, kWomenOnly},   {"795.00", 6, kAdult, kWomenOnly},
                            {"V76.12", 20, kGrown, kWomenOnly}, {"V72.31", 25, kAdult, kWomenOnly}};

constexpr Entry kPregnancy[] = {
    {"650", 40, kYoung, kWomenOnly},     {"V22.1", 30, kYoung, kWomenOnly},
    {"V22.0", 12, kYoung, kWomenOnly},   {"645.11", 8, kYoung, kWomenOnly},
    {"644.21", 5, kYoung, kWomenOnly},   {"644.03", 5, kYoung, kWomenOnly},
    {"648.81", 8, kYoung, kWomenOnly},   {"648.83", 5, kYoung, kWomenOnly},
    {"648.21", 8, kYoung, kWomenOnly},   {"642.41", 5, kYoung, kWomenOnly},
    {"642.31", 6, kYoung, kWomenOnly},   {"642.51", 2, kYoung, kWomenOnly},
    {"654.21", 14, kYoung, kWomenOnly},  {"652.21", 4, kYoung, kWomenOnly},
    {"656.61", 3, kYoung, kWomenOnly},   {"659.61", 6, kYoung, kWomenOnly},
    {"658.11", 5, kYoung, kWomenOnly},   {"661.11", 2, kYoung, kWomenOnly},
    {"663.31", 8, kYoung, kWomenOnly},   {"664.01", 8, kYoung, kWomenOnly},
    {"664.11", 10, kYoung, kWomenOnly},  {"664.21", 1.5, kYoung, kWomenOnly},
    {"669.71", 10, kYoung, kWomenOnly},  {"643.03", 5, kYoung, kWomenOnly},
    {"646.83", 6, kYoung, kWomenOnly},   {"641.11", 1, kYoung, kWomenOnly},
    {"641.21", 1.5, kYoung, kWomenOnly}, {"632", 3, kYoung, kWomenOnly},
    {"634.90", 4, kYoung, kWomenOnly},   {"633.10", 2, kYoung, kWomenOnly},
    {"640.03", 6, kYoung, kWomenOnly},   {"666.12", 2, kYoung, kWomenOnly},
    {"651.01", 1.5, kYoung, kWomenOnly}, {"V27.0", 45, kYoung, kWomenOnly},
    {"V27.2", 1, kYoung, kWomenOnly},    {"V25.2", 6, kYoung, kWomenOnly},
    {"V24.2", 8, kYoung, kWomenOnly},    {"675.14", 1, kYoung, kWomenOnly}};

constexpr Entry kNewborn[] = {{"V30.00", 60, kInfant}, {"V30.01", 30, kInfant},
                              {"V31.01", 3, kInfant},  {"765.18", 3, kInfant},
                              {"765.10", 3, kInfant},  {"765.28", 2, kInfant},
                              {"766.1", 8, kInfant},   {"769", 3, kInfant},
                              {"770.6", 6, kInfant},   {"770.89", 3, kInfant},
                              {"771.81", 2, kInfant},  {"774.6", 20, kInfant},
                              {"774.2", 5, kInfant},   {"775.6", 3, kInfant},
                              {"779.31", 5, kInfant},  {"763.4", 3, kInfant},
                              {"767.19", 3, kInfant},  {"745.5", 3, kInfant},
                              {"747.0", 2, kInfant},   {"752.51", 2, kInfant, kMenOnly},
                              {"754.30", 1, kInfant},  {"V05.3", 20, kInfant},
                              {"V29.0", 6, kInfant},   {"V50.2", 20, kInfant, kMenOnly}};

constexpr Entry kChildhood[] = {
    {"V20.2", 60, kEarly},  {"382.9", 40, kEarly},  {"382.00", 20, kEarly}, {"381.4", 8, kEarly},
    {"380.10", 6, kAnyAge}, {"372.30", 14, kEarly}, {"372.00", 6, kAnyAge}, {"691.8", 12, kEarly},
    {"691.0", 6, kInfant},  {"783.41", 5, kEarly},  {"783.40", 4, kEarly},  {"315.39", 4, kChild},
    {"315.9", 3, kChild},   {"474.10", 5, kChild},  {"474.00", 5, kChild},  {"057.9", 6, kEarly},
    {"074.3", 3, kEarly},   {"530.10", 2, kInfant}, {"787.03", 10, kEarly}, {"788.36", 2, kChild},
    {"783.0", 2, kEarly},   {"742.3", 0.5, kEarly}, {"745.4", 1, kEarly},   {"758.0", 0.8, kAnyAge},
    {"343.1", 0.4, kEarly}, {"V06.1", 10, kEarly}};

constexpr Entry kMen[] = {{"600.00", 24, kGrown, kMenOnly}, {"600.01", 10, kGrown, kMenOnly},
                          {"601.9", 6, kAdult, kMenOnly},   {"601.0", 2, kAdult, kMenOnly},
                          {"607.84", 16, kGrown, kMenOnly}, {"603.9", 3, kAnyAge, kMenOnly},
                          {"604.90", 3, kAdult, kMenOnly},  {"608.9", 2, kAdult, kMenOnly},
                          {"605", 3, kEarly, kMenOnly},     {"257.2", 6, kGrown, kMenOnly},
                          {"606.9", 1, kYoung, kMenOnly},   {"790.93", 12, kGrown, kMenOnly},
                          {"456.4", 1, kYoung, kMenOnly},   {"788.20", 6, kGrown, kMenOnly},
                          {"V76.44", 8, kGrown, kMenOnly}};

constexpr Entry kSenses[] = {
    {"366.16", 16, kOld},  {"366.9", 16, kOld},       {"365.11", 8, kGrown},
    {"365.9", 6, kGrown},  {"362.01", 8, kGrown},     {"362.51", 5, kOld},
    {"362.52", 3, kOld},   {"367.1", 12, kNotInfant}, {"367.4", 10, kGrown},
    {"368.8", 6, kAdult},  {"375.15", 10, kGrown},    {"379.24", 4, kGrown},
    {"389.9", 10, kGrown}, {"389.10", 6, kGrown},     {"388.30", 6, kAdult},
    {"386.11", 4, kAdult}, {"380.4", 12, kNotInfant}, {"388.70", 8, kAnyAge},
    {"369.4", 1, kOld},    {"378.00", 1, kEarly}};

constexpr Entry kSkin[] = {
    {"692.9", 20, kAnyAge}, {"682.6", 10, kAdult},  {"682.9", 6, kAnyAge}, {"682.3", 4, kAnyAge},
    {"686.9", 4, kAnyAge},  {"681.10", 2, kAnyAge}, {"696.1", 6, kAdult},  {"702.0", 14, kGrown},
    {"702.19", 8, kGrown},  {"706.1", 8, kYoung},   {"706.2", 6, kAdult},  {"707.03", 3, kOld},
    {"707.15", 2, kGrown},  {"708.9", 5, kAnyAge},  {"709.9", 5, kAnyAge}, {"782.1", 12, kAnyAge},
    {"782.3", 12, kGrown},  {"684", 3, kEarly},     {"695.3", 2, kAdult},  {"704.00", 2, kAdult},
    {"216.5", 4, kAdult},   {"690.10", 3, kAnyAge}};

constexpr Entry kBlood[] = {
    {"285.9", 45, kAnyAge}, {"280.9", 20, kAnyAge}, {"280.0", 5, kAdult},
    {"281.0", 3, kGrown},   {"281.1", 2, kGrown},   {"285.1", 8, kAdult},
    {"285.29", 5, kGrown},  {"284.19", 1, kAdult},  {"286.9", 3, kAnyAge},
    {"287.5", 6, kAnyAge},  {"288.60", 4, kAnyAge}, {"288.50", 3, kAnyAge},
    {"289.0", 1, kAdult},   {"289.81", 1, kAdult},  {"282.49", 0.6, kAnyAge},
    {"273.1", 1, kOld},     {"V58.61", 14, kGrown}, {"790.6", 4, kAnyAge},
    {"785.6", 5, kAnyAge},  {"273.8", 1, kAnyAge}};

constexpr Entry kGenetic[] = {{"277.00", 30, kAnyAge},   {"334.0", 4, kAnyAge},
                              {"448.0", 10, kNotInfant}, {"333.4", 10, kAdult},
                              {"270.1", 5, kAnyAge},     {"356.3", 2, kAnyAge},
                              {"282.60", 40, kAnyAge},   {"759.5", 6, kAnyAge}};

enum class Cluster : std::uint8_t {
  metabolic,
  heart,
  lung,
  kidney,
  digestive,
  mental,
  nerves,
  joints,
  injury,
  infection,
  cancer,
  women,
  pregnancy,
  newborn,
  childhood,
  men,
  senses,
  skin,
  blood,
  genetic
};

struct Listed {
  std::span<const Entry> entries;
  std::array<double, kAgeBands> main_weights;
  std::vector<Cluster> companions;
};

const std::vector<Listed>& listed() {
  static const std::vector<Listed> all = {
      {kMetabolic,
       {0.5, 2, 6, 14, 12},
       {Cluster::heart, Cluster::kidney, Cluster::senses, Cluster::nerves}},
      {kHeart,
       {0, 1, 5, 18, 30},
       {Cluster::metabolic, Cluster::lung, Cluster::kidney, Cluster::blood}},
      {kLung, {10, 16, 8, 8, 10}, {Cluster::heart, Cluster::infection}},
      {kKidney, {2, 2, 4, 5, 7}, {Cluster::metabolic, Cluster::heart, Cluster::blood}},
      {kDigestive, {6, 8, 9, 9, 8}, {Cluster::mental, Cluster::blood}},
      {kMental, {0, 5, 12, 8, 5}, {Cluster::nerves, Cluster::injury}},
      {kNerves, {1, 4, 6, 5, 7}, {Cluster::mental, Cluster::heart}},
      {kJoints, {0, 2, 7, 12, 11}, {Cluster::nerves, Cluster::injury}},
      {kInjury, {2, 14, 9, 5, 6}, {Cluster::joints, Cluster::skin}},
      {kInfection, {6, 9, 4, 3, 4}, {Cluster::skin, Cluster::lung}},
      {kCancer, {0.2, 0.7, 1.5, 6, 8}, {Cluster::blood, Cluster::infection}},
      {kWomen, {0, 0, 9, 5, 2}, {Cluster::kidney, Cluster::blood}},
      {kPregnancy, {0, 0, 26, 0, 0}, {Cluster::blood, Cluster::women}},
      {kNewborn, {70, 0, 0, 0, 0}, {Cluster::childhood, Cluster::lung}},
      {kChildhood, {20, 30, 1, 1, 1}, {Cluster::lung, Cluster::skin}},
      {kMen, {1, 1, 2, 7, 10}, {Cluster::kidney, Cluster::cancer}},
      {kSenses, {1, 3, 2, 4, 8}, {Cluster::metabolic, Cluster::heart}},
      {kSkin, {3, 4, 5, 4, 4}, {Cluster::infection, Cluster::joints}},
      {kBlood, {1, 2, 3, 4, 6}, {Cluster::kidney, Cluster::digestive}},
      {kGenetic, {0, 0, 0, 0, 0}, {Cluster::blood}},
  };
  return all;
}

std::vector<Diagnosis> list_diagnoses() {
  std::vector<Diagnosis> list;
  for (std::size_t cluster = 0; cluster < listed().size(); ++cluster) {
    for (const Entry& entry : listed()[cluster].entries) {
      Diagnosis diagnosis;
      diagnosis.code = entry.code;
      diagnosis.weight = entry.weight;
      diagnosis.ages = entry.ages;
      diagnosis.women = entry.who != kMenOnly;
      diagnosis.men = entry.who != kWomenOnly;
      diagnosis.primary = !entry.code.starts_with('E') && !entry.code.starts_with("V1") &&
                          !entry.code.starts_with("V27") && !entry.code.starts_with("V4");
      diagnosis.cluster = static_cast<std::uint8_t>(cluster);
      list.push_back(diagnosis);
    }
  }
  return list;
}

}  // namespace

std::span<const Diagnosis> all_diagnoses() {
  static const std::vector<Diagnosis> list = list_diagnoses();
  return list;
}

const std::vector<ClusterOfDiseases>& clusters_of_diseases() {
  static const std::vector<ClusterOfDiseases> all = [] {
    std::vector<ClusterOfDiseases> clusters;
    for (const Listed& cluster : listed()) {
      clusters.push_back({cluster.main_weights, {}});
      for (const Cluster companion : cluster.companions) {
        clusters.back().companions.push_back(static_cast<std::size_t>(companion));
      }
    }
    return clusters;
  }();
  return all;
}

DiagnosisIndex inherited_disease(std::size_t disease) {
  // They are the last cluster.
  return static_cast<DiagnosisIndex>(all_diagnoses().size() - kInheritedDiseases + disease);
}

}  // namespace pratique::synthetic
