#include "pratique/synthetic/internal/names.h"

#include <array>

namespace pratique::synthetic {
namespace {

// Most frequent first.
constexpr std::array<std::string_view, 148> kFemale = {
    "Mary",       "Jennifer",   "Linda",     "Elizabeth", "Susan",   "Karen",    "Jessica",
    "Sarah",      "Patricia",   "Emily",     "Nancy",     "Lisa",    "Laura",    "Margaret",
    "Sandra",     "Ashley",     "Donna",     "Michelle",  "Carol",   "Amanda",   "Melissa",
    "Deborah",    "Stephanie",  "Rebecca",   "Sharon",    "Cynthia", "Kathleen", "Amy",
    "Angela",     "Shirley",    "Anna",      "Brenda",    "Pamela",  "Emma",     "Nicole",
    "Helen",      "Samantha",   "Katherine", "Christine", "Debra",   "Rachel",   "Carolyn",
    "Janet",      "Catherine",  "Maria",     "Heather",   "Diane",   "Ruth",     "Julie",
    "Olivia",     "Joyce",      "Virginia",  "Victoria",  "Kelly",   "Lauren",   "Christina",
    "Joan",       "Evelyn",     "Judith",    "Megan",     "Andrea",  "Cheryl",   "Hannah",
    "Jacqueline", "Martha",     "Gloria",    "Teresa",    "Ann",     "Sara",     "Madison",
    "Frances",    "Kathryn",    "Janice",    "Jean",      "Abigail", "Alice",    "Julia",
    "Judy",       "Sophia",     "Grace",     "Denise",    "Amber",   "Doris",    "Marilyn",
    "Danielle",   "Beverly",    "Isabella",  "Theresa",   "Diana",   "Natalie",  "Brittany",
    "Charlotte",  "Marie",      "Kayla",     "Alexis",    "Lori",    "Rosa",     "Carmen",
    "Esther",     "Irene",      "Edith",     "Vivian",    "Lucy",    "Eleanor",  "Clara",
    "Hazel",      "Ivy",        "Nora",      "Paula",     "Phyllis", "Norma",    "Robin",
    "Peggy",      "Wanda",      "Tina",      "Rita",      "Monica",  "Sheila",   "Erin",
    "Dawn",       "Tracy",      "Connie",    "Florence",  "Stella",  "Leah",     "Molly",
    "Claire",     "Naomi",      "Audrey",    "Priscilla", "Lydia",   "Bianca",   "Miriam",
    "Yolanda",    "Guadalupe",  "Mei",       "Priya",     "Fatima",  "Ingrid",   "Gwendolyn",
    "Harriet",    "Bernadette", "Imani",     "Latoya",    "Noelle",  "Rosalind", "Tamsin",
    "Winifred"};

constexpr std::array<std::string_view, 152> kMale = {
    "James",   "Michael",   "John",    "Robert",      "David",    "William",  "Richard",
    "Joseph",  "Thomas",    "Daniel",  "Christopher", "Charles",  "Matthew",  "Anthony",
    "Mark",    "Steven",    "Paul",    "Andrew",      "Joshua",   "Kevin",    "Brian",
    "Kenneth", "George",    "Timothy", "Ronald",      "Edward",   "Jason",    "Jeffrey",
    "Ryan",    "Jacob",     "Gary",    "Nicholas",    "Eric",     "Jonathan", "Stephen",
    "Larry",   "Justin",    "Scott",   "Brandon",     "Benjamin", "Samuel",   "Gregory",
    "Frank",   "Alexander", "Raymond", "Patrick",     "Jack",     "Dennis",   "Jerry",
    "Tyler",   "Aaron",     "Jose",    "Adam",        "Nathan",   "Henry",    "Douglas",
    "Zachary", "Peter",     "Kyle",    "Walter",      "Ethan",    "Jeremy",   "Harold",
    "Keith",   "Christian", "Roger",   "Noah",        "Gerald",   "Carl",     "Terry",
    "Sean",    "Austin",    "Arthur",  "Lawrence",    "Jesse",    "Dylan",    "Bryan",
    "Joe",     "Jordan",    "Billy",   "Bruce",       "Albert",   "Willie",   "Gabriel",
    "Logan",   "Alan",      "Juan",    "Wayne",       "Roy",      "Ralph",    "Randy",
    "Eugene",  "Vincent",   "Russell", "Louis",       "Philip",   "Bobby",    "Johnny",
    "Bradley", "Luis",      "Carlos",  "Oscar",       "Victor",   "Martin",   "Stanley",
    "Leonard", "Francis",   "Ernest",  "Melvin",      "Dale",     "Curtis",   "Norman",
    "Glenn",   "Travis",    "Marcus",  "Theodore",    "Clarence", "Hugo",     "Edwin",
    "Leon",    "Warren",    "Calvin",  "Floyd",       "Gordon",   "Milton",   "Lloyd",
    "Darrell", "Rafael",    "Miguel",  "Ahmed",       "Wei",      "Rajesh",   "Dmitri",
    "Elias",   "Felix",     "Gideon",  "Isaac",       "Jerome",   "Kurt",     "Lamar",
    "Malik",   "Nelson",    "Orlando", "Quentin",     "Roland",   "Silas",    "Tobias",
    "Ulysses", "Wendell",   "Xavier",  "Emmett",      "Barnaby"};

constexpr std::array<std::string_view, 413> kSurnames = {
    "Smith",     "Johnson",    "Williams",  "Brown",       "Jones",      "Miller",
    "Davis",     "Garcia",     "Rodriguez", "Wilson",      "Martinez",   "Anderson",
    "Taylor",    "Thomas",     "Hernandez", "Moore",       "Martin",     "Jackson",
    "Thompson",  "White",      "Lopez",     "Lee",         "Gonzalez",   "Harris",
    "Clark",     "Lewis",      "Robinson",  "Walker",      "Perez",      "Hall",
    "Young",     "Allen",      "Sanchez",   "Wright",      "King",       "Scott",
    "Green",     "Baker",      "Adams",     "Nelson",      "Hill",       "Ramirez",
    "Campbell",  "Mitchell",   "Roberts",   "Carter",      "Phillips",   "Evans",
    "Turner",    "Torres",     "Parker",    "Collins",     "Edwards",    "Stewart",
    "Flores",    "Morris",     "Nguyen",    "Murphy",      "Rivera",     "Cook",
    "Rogers",    "Morgan",     "Peterson",  "Cooper",      "Reed",       "Bailey",
    "Bell",      "Gomez",      "Kelly",     "Howard",      "Ward",       "Cox",
    "Diaz",      "Richardson", "Wood",      "Watson",      "Brooks",     "Bennett",
    "Gray",      "James",      "Reyes",     "Cruz",        "Hughes",     "Price",
    "Myers",     "Long",       "Foster",    "Sanders",     "Ross",       "Morales",
    "Powell",    "Sullivan",   "Russell",   "Ortiz",       "Jenkins",    "Gutierrez",
    "Perry",     "Butler",     "Barnes",    "Fisher",      "Henderson",  "Coleman",
    "Simmons",   "Patterson",  "Jordan",    "Reynolds",    "Hamilton",   "Graham",
    "Kim",       "Gonzales",   "Alexander", "Ramos",       "Wallace",    "Griffin",
    "West",      "Cole",       "Hayes",     "Chavez",      "Gibson",     "Bryant",
    "Ellis",     "Stevens",    "Murray",    "Ford",        "Marshall",   "Owens",
    "McDonald",  "Harrison",   "Ruiz",      "Kennedy",     "Wells",      "Alvarez",
    "Woods",     "Mendoza",    "Castillo",  "Olson",       "Webb",       "Washington",
    "Tucker",    "Freeman",    "Burns",     "Henry",       "Vasquez",    "Snyder",
    "Simpson",   "Crawford",   "Jimenez",   "Porter",      "Mason",      "Shaw",
    "Gordon",    "Wagner",     "Hunter",    "Romero",      "Hicks",      "Dixon",
    "Hunt",      "Palmer",     "Robertson", "Black",       "Holmes",     "Stone",
    "Meyer",     "Boyd",       "Mills",     "Warren",      "Fox",        "Rose",
    "Rice",      "Moreno",     "Schmidt",   "Patel",       "Ferguson",   "Nichols",
    "Herrera",   "Medina",     "Ryan",      "Fernandez",   "Weaver",     "Daniels",
    "Stephens",  "Gardner",    "Payne",     "Kelley",      "Dunn",       "Pierce",
    "Arnold",    "Tran",       "Spencer",   "Peters",      "Hawkins",    "Grant",
    "Hansen",    "Castro",     "Hoffman",   "Hart",        "Elliott",    "Cunningham",
    "Knight",    "Bradley",    "Carroll",   "Hudson",      "Duncan",     "Armstrong",
    "Berry",     "Andrews",    "Johnston",  "Ray",         "Lane",       "Riley",
    "Carpenter", "Perkins",    "Aguilar",   "Silva",       "Richards",   "Willis",
    "Matthews",  "Chapman",    "Lawrence",  "Garza",       "Vargas",     "Watkins",
    "Wheeler",   "Larson",     "Carlson",   "Harper",      "George",     "Greene",
    "Burke",     "Guzman",     "Morrison",  "Munoz",       "Jacobs",     "Obrien",
    "Lawson",    "Franklin",   "Lynch",     "Bishop",      "Carr",       "Salazar",
    "Austin",    "Mendez",     "Gilbert",   "Jensen",      "Williamson", "Montgomery",
    "Harvey",    "Oliver",     "Howell",    "Dean",        "Hanson",     "Weber",
    "Garrett",   "Sims",       "Burton",    "Fuller",      "Soto",       "McCoy",
    "Welch",     "Chen",       "Schultz",   "Walters",     "Reid",       "Fields",
    "Walsh",     "Little",     "Fowler",    "Bowman",      "Davidson",   "May",
    "Day",       "Schneider",  "Newman",    "Brewer",      "Lucas",      "Holland",
    "Wong",      "Banks",      "Santos",    "Curtis",      "Pearson",    "Delgado",
    "Valdez",    "Pena",       "Rios",      "Douglas",     "Sandoval",   "Barrett",
    "Hopkins",   "Keller",     "Guerrero",  "Stanley",     "Bates",      "Alvarado",
    "Beck",      "Ortega",     "Wade",      "Estrada",     "Contreras",  "Barnett",
    "Caldwell",  "Santiago",   "Lambert",   "Powers",      "Chambers",   "Nunez",
    "Craig",     "Leonard",    "Lowe",      "Rhodes",      "Byrd",       "Gregory",
    "Shelton",   "Frazier",    "Becker",    "Maldonado",   "Fleming",    "Vega",
    "Sutton",    "Cohen",      "Jennings",  "Parks",       "McDaniel",   "Watts",
    "Barker",    "Norris",     "Vaughn",    "Vazquez",     "Holt",       "Schwartz",
    "Steele",    "Benson",     "Neal",      "Dominguez",   "Horton",     "Terry",
    "Wolfe",     "Hale",       "Lyons",     "Graves",      "Haynes",     "Miles",
    "Park",      "Warner",     "Padilla",   "Bush",        "Thornton",   "McCarthy",
    "Mann",      "Zimmerman",  "Erickson",  "Fletcher",    "McKinney",   "Page",
    "Dawson",    "Joseph",     "Marquez",   "Reeves",      "Klein",      "Espinoza",
    "Baldwin",   "Moran",      "Love",      "Robbins",     "Higgins",    "Ball",
    "Cortez",    "Le",         "Griffith",  "Bowen",       "Sharp",      "Cummings",
    "Ramsey",    "Hardy",      "Swanson",   "Barber",      "Acosta",     "Luna",
    "Chandler",  "Daniel",     "Blair",     "Cross",       "Simon",      "Dennis",
    "Oconnor",   "Quinn",      "Gross",     "Navarro",     "Moss",       "Fitzgerald",
    "Doyle",     "McLaughlin", "Rojas",     "Rodgers",     "Stevenson",  "Singh",
    "Yang",      "Figueroa",   "Harmon",    "Newton",      "Paul",       "Manning",
    "Garner",    "McGee",      "Reese",     "Francis",     "Burgess",    "Adkins",
    "Goodman",   "Curry",      "Brady",     "Christensen", "Potter"};

// A stem and an ending make a rare surname: the long tail that every list of names has.
constexpr std::array<std::string_view, 79> kStems = {
    "Ald",   "Ash",    "Barn",  "Beck",    "Birch", "Black", "Brade", "Bram",   "Brent", "Brook",
    "Burn",  "Calder", "Carl",  "Chad",    "Clay",  "Cliff", "Cold",  "Cran",   "Crow",  "Dal",
    "Dench", "Drake",  "Dun",   "East",    "Eld",   "Ellen", "Fair",  "Fen",    "Fern",  "Gil",
    "Glen",  "Gran",   "Hadd",  "Hals",    "Hart",  "Hath",  "Hazel", "Heath",  "Holl",  "Hurst",
    "Kelm",  "Kirk",   "Lang",  "Lark",    "Lin",   "Lock",  "Lyn",   "Mar",    "Mead",  "Merr",
    "Nor",   "Oak",    "Orm",   "Pem",     "Quar",  "Rad",   "Raven", "Red",    "Rock",  "Roth",
    "Sand",  "Sel",    "Sherr", "Stanner", "Sted",  "Strat", "Sund",  "Thorne", "Tor",   "Under",
    "Wake",  "Wal",    "Wat",   "West",    "Whit",  "Wil",   "Wind",  "Wool",   "Yar"};

constexpr std::array<std::string_view, 24> kEndings = {
    "ford", "wood",  "ley",  "ton",   "well", "worth", "bourne", "field",
    "ham",  "stead", "wick", "more",  "gate", "hurst", "combe",  "dale",
    "land", "by",    "mere", "stone", "shaw", "ridge", "thorpe", "bury"};

constexpr std::string_view kInitials = "JAMELRSDCTBKPGHWNFVOIYQUZX";
constexpr double kRareShare = 0.45;

// Zipf's law with Mandelbrot's offset, which flattens the head.
std::vector<double> frequencies(std::size_t count, double offset) {
  std::vector<double> weights(count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    weights[rank] = 1 / (static_cast<double>(rank) + 1 + offset);
  }
  return weights;
}

std::vector<double> surname_frequencies() {
  const auto scale = [](std::vector<double> weights, double share) {
    double total = 0;
    for (const double weight : weights) total += weight;
    for (double& weight : weights) weight *= share / total;
    return weights;
  };
  std::vector<double> all = scale(frequencies(kSurnames.size(), 12), 1 - kRareShare);
  const auto rare = scale(frequencies(kStems.size() * kEndings.size(), 100), kRareShare);
  all.insert(all.end(), rare.begin(), rare.end());
  return all;
}

}  // namespace

NameModel::NameModel()
    : female_(frequencies(kFemale.size(), 8)),
      male_(frequencies(kMale.size(), 8)),
      initials_(frequencies(kInitials.size(), 4)),
      surnames_(surname_frequencies()) {}

Name NameModel::draw(Sex sex, SeededRandom& random) const {
  Name name;
  name.sex = sex;
  name.first = static_cast<std::uint8_t>((sex == Sex::female ? female_ : male_).draw(random));
  name.initial = static_cast<std::uint8_t>(initials_.draw(random));
  name.last = static_cast<std::uint16_t>(surnames_.draw(random));
  return name;
}

std::string text_of(const Name& name) {
  std::string text(name.sex == Sex::female ? kFemale[name.first] : kMale[name.first]);
  text += ' ';
  text += kInitials[name.initial];
  text += ' ';
  if (name.last < kSurnames.size()) return text.append(kSurnames[name.last]);
  // Stems vary fastest, so that the frequent rare names do not share one stem.
  const std::size_t rare = name.last - kSurnames.size();
  text.append(kStems[rare % kStems.size()]);
  return text.append(kEndings[rare / kStems.size()]);
}

std::string mistype(std::string text, SeededRandom& random) {
  // Inside one word, so that a name keeps its parts.
  std::size_t at = 0;
  do {
    at = random.below(text.size() - 1);
  } while (text[at] == ' ' || text[at + 1] == ' ');
  switch (random.below(4)) {
    case 0:
      std::swap(text[at], text[at + 1]);
      break;
    case 1:
      text.erase(at + 1, 1);
      break;
    case 2:
      text.insert(at + 1, 1, text[at + 1]);
      break;
    default:
      text[at + 1] = static_cast<char>('a' + random.below(26));
  }
  return text;
}

}  // namespace pratique::synthetic
