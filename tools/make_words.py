#!/usr/bin/env python3
"""tools/make_words.py OUT: words.bin and words.S for src/pratique/words.

What kind of word each word is (a given name, a family name, a place, an English or a medical word), from the
lists of Debian packages: php-faker and rig (names, towns, jobs), iso-codes (countries and their parts),
wamerican-large (English), hunspell-en-med (medicine), wordnet-base (towns, drugs, devices). Nothing of them is copied into this repository;
tools/words has what they lack: words of medicine, names, towns, organisations, hospitals, jobs.

words.bin, little endian: "PRWORDS1"; u32 letters, bits, lists, 0; for each character below `letters` the one it
is compared as (u16); 2^bits cells of 64 bits, the upper 48 of a word's FNV-1a hash and 16 of its kinds, at the
place of the hash's lower bits or the next that is free; for each list u32 offset and u32 bytes; the lists, a word
per line: those of words.h, then male, female and family names for each origin, a language or a country that speaks
English. The same packages give the same bytes.
"""
import json
import pathlib
import re
import struct
import sys
import unicodedata

PHP = pathlib.Path("/usr/share/php/Faker/Provider")
RIG = pathlib.Path("/usr/share/rig")
ISO = pathlib.Path("/usr/share/iso-codes/json")
ENGLISH = pathlib.Path("/usr/share/dict/american-english-large")
MEDICAL = pathlib.Path("/usr/share/hunspell/en_med_glut.dic")
WORDNET = pathlib.Path("/usr/share/wordnet/data.noun")
OWN = pathlib.Path(__file__).parent / "words"

(MALE, FEMALE, FAMILY, TOWN, REGION, ENGLISH_WORD, MEDICAL_WORD, EPONYM, PROPER, FREQUENT, JOB, STREET, CAPITAL,
 ORGANISATION, HOSPITAL, CERTAIN_JOB) = (1 << bit for bit in range(16))
LETTERS = 0x2000
ALIKE = {"ß": "s", "æ": "a", "œ": "o", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "t", "ı": "i", "ħ": "h", "ŋ": "n",
         "’": "'", "‐": "-", "‑": "-"}


def folded_character(character):
    small = character.lower()[:1]
    small = ALIKE.get(small, small)
    base = unicodedata.normalize("NFKD", small)[:1]
    return base if base and ord(base) < 0x10000 else small


FOLD = [ord(folded_character(chr(c))) for c in range(LETTERS)]


def folded(word):
    return "".join(chr(FOLD[ord(c)]) if ord(c) < LETTERS else c
                   for c in word if not unicodedata.combining(c))


def hashed(word):
    value = 0xCBF29CE484222325
    for byte in folded(word).encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def php_lists(path):
    """name of the array -> its strings"""
    found = {}
    if not path.is_file():
        return found
    text = path.read_text(encoding="utf-8")
    for match in re.finditer(r"static \$(\w+)\s*=\s*(?:array\(|\[)(.*?)(?:\)|\]);", text, re.S):
        strings = [a.replace("\\'", "'") if a else b
                   for a, b in re.findall(r"'((?:[^'\\]|\\.)*)'|\"([^\"]*)\"", match.group(2))]
        found.setdefault(match.group(1), []).extend(s.strip() for s in strings if s.strip() and "{" not in s)
    return found


def jobs_of_wordnet():
    """Single words for people by what they work as: what is below a few nouns for workers."""
    kinds_of_workers = {"worker", "skilled_worker", "professional", "trader", "educator", "creator", "serviceman",
                        "businessperson", "performer"}
    words, parents = {}, {}
    for line in WORDNET.read_text(encoding="utf-8", errors="replace").splitlines():
        fields = line.partition(" | ")[0].split(" ")
        if line.startswith(" ") or fields[1] != "18":  # people
            continue
        count = int(fields[3], 16)
        words[fields[0]] = [fields[4 + 2 * i] for i in range(count)]
        pointers = fields[5 + 2 * count:]
        parents[fields[0]] = [pointers[i + 1] for i in range(0, 4 * int(fields[4 + 2 * count]), 4) if pointers[i] == "@"]
    works = {}

    def is_worker(synset):
        if synset not in works:
            works[synset] = not kinds_of_workers.isdisjoint(words.get(synset, ()))
            works[synset] = works[synset] or any(is_worker(parent) for parent in parents.get(synset, ()))
        return works[synset]

    return sorted({word for synset in words if is_worker(synset) for word in words[synset]
                   if word.isalpha() and word.islower() and len(word) > 3})


def between_commas(file, heading=None):
    """What stands between commas in a list of ours; below one of its headings."""
    below = None
    for line in (OWN / file).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            below = line[1:].strip()
        elif heading in (None, below):
            yield from (word.strip() for word in line.split(",") if word.strip())


def main(out):
    missing = [str(p) for p in (PHP, RIG, ISO, ENGLISH, MEDICAL, WORDNET) if not p.exists()]
    if missing:
        sys.exit(f"make_words.py: {', '.join(missing)}: not there; run tools/install.sh")
    kinds = {}
    lists = {name: {} for name in ("male", "female", "family", "world_male", "world_female", "world_family", "towns",
                                   "world_towns", "regions", "countries", "jobs", "english")}
    where = {}
    origins = {}

    def add(word, kind):
        if word:
            kinds[word] = kinds.get(word, 0) | kind

    def name(word, kind, locale, listed):
        word = word.strip(" .'\"")
        if not word or len(word) > 40 or any(c.isdigit() for c in word):
            return
        where.setdefault((word, kind), set()).add(locale)
        add(word, kind)
        for part in re.split(r"[\s-]+", word):  # of Ernst-August, de la Cruz
            if len(part) > 2 and part[0].isupper():
                add(part, kind)
        if all(ord(c) < 0x250 for c in word) and word[0].isupper():
            lists[listed].setdefault(word)
            if listed.startswith("world_"):
                origin = locale if locale.startswith("en_") else locale.split("_")[0]
                origins.setdefault(origin, {"male": {}, "female": {}, "family": {}})[listed[6:]].setdefault(word)

    for locale in sorted(p for p in PHP.iterdir() if p.is_dir()):
        world = "" if locale.name in ("en_US", "en_GB", "en_CA", "en_AU", "en_NZ") else "world_"
        for array, words in sorted(php_lists(locale / "Person.php").items()):
            low = array.lower()
            if "format" in low or "title" in low or "suffix" in low or "prefix" in low:
                continue
            for word in words:
                if "first" in low or "male" in low and "last" not in low:
                    if "female" in low or "male" not in low:
                        name(word, FEMALE, locale.name, world + "female")
                    if "female" not in low:
                        name(word, MALE, locale.name, world + "male")
                elif "last" in low or "sur" in low or "middle" in low:
                    name(word, FAMILY, locale.name, world + "family")
        for array, words in sorted(php_lists(locale / "Address.php").items()):
            low = array.lower()
            for word in words:
                if "%" in word or "#" in word or any(c.isdigit() for c in word) or len(word) > 40:
                    continue
                if low in ("cityname", "citynames", "city", "cities", "towns", "town", "villages", "village"):
                    add(word, TOWN)
                    if all(ord(c) < 0x250 for c in word):
                        lists["world_towns"].setdefault(word)
                elif low in ("state", "states", "county", "country", "region", "regions", "province", "departments"):
                    add(word, REGION)
                elif low in ("streetsuffix", "streetprefix", "streetsuffixshort"):
                    for part in word.split():
                        if len(part) > 2:
                            add(part.strip("."), STREET)
                elif low in ("street", "streets", "streetname", "streetnames"):
                    for part in word.split():
                        if len(part) > 4 and part[0].isupper():
                            add(part, PROPER)
        company = php_lists(locale / "Company.php")
        if locale.name.startswith("en_"):
            for word in company.get("jobTitleFormat", []):
                for job in re.split(r" OR | or ", word):
                    lists["jobs"].setdefault(job)
                    add(job, JOB)
    for file, kind, listed in (("mnames", MALE, "male"), ("fnames", FEMALE, "female"), ("lnames", FAMILY, "family")):
        for line in (RIG / f"{file}.idx").read_text().split():
            word = line if line[0].isupper() and not line.isupper() else line.capitalize()
            name(word, kind, "rig", listed)
            where.setdefault((word, kind), set()).update("abcd")
    for line in (RIG / "locdata.idx").read_text().splitlines():
        town = line.rsplit(" ", 3)[0]
        lists["towns"].setdefault(town)
        add(town, TOWN)
    for country in json.loads((ISO / "iso_3166-1.json").read_text())["3166-1"]:
        for key in ("name", "common_name"):
            if key in country:
                word = country[key].split(",")[0].split("(")[0].strip()
                add(word, REGION)
                lists["countries"].setdefault(word)
    for part in json.loads((ISO / "iso_3166-2.json").read_text())["3166-2"]:
        nation = part["code"][:2]
        if nation in ("US", "CA", "AU", "GB", "DE", "ES", "IT", "FR", "AT", "CH", "NL", "BE", "IE", "IN", "MX"):
            word = part["name"].split("(")[0].split("[")[0].split(",")[0].strip()
            add(word, REGION)
            if nation == "US":
                lists["regions"].setdefault(word)
    for (word, kind), locales in where.items():
        if len(locales) > 3:
            add(word, FREQUENT)
    # Lists have Michael among women, too: a name is of one sex where three times as many lists say so.
    for word in {word for word, kind in where if kind in (MALE, FEMALE)}:
        male, female = (len(where.get((word, kind), set()) - set("bcd")) for kind in (MALE, FEMALE))
        if male and female and max(male, female) >= 3 * min(male, female):
            kinds[word] &= ~(FEMALE if male > female else MALE)
    small, large = set(), set()
    for line in ENGLISH.read_text(encoding="utf-8").split():
        word = line.removesuffix("'s")
        (large if word[0].isupper() else small).add(word)
    for word in small:
        add(word, ENGLISH_WORD)
    for word in sorted(w for w in small if 3 < len(w) < 11 and w.isascii() and w.isalpha()):
        lists["english"].setdefault(word)
    for word in large:
        add(word, CAPITAL if word.isupper() and len(word) > 1 else PROPER)
    for line in MEDICAL.read_text(encoding="utf-8", errors="replace").splitlines()[1:]:
        word = line.split("/")[0].strip()
        if len(word) > 2 and not any(c.isdigit() for c in word):
            add(word, EPONYM if word[0].isupper() and not word.isupper() else MEDICAL_WORD)
    for line in WORDNET.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.startswith(" "):  # its licence
            continue
        fields, _, gloss = line.partition(" | ")
        fields = fields.split(" ")
        lemmas = [fields[4 + 2 * i].replace("_", " ") for i in range(int(fields[3], 16))]
        place = fields[1] == "15" and re.search(r"\b(city|town|village|suburb|capital|port|resort)\b", gloss[:120])
        thing = fields[1] in ("06", "20", "26", "27")  # made, a plant, a state of health, a substance
        for lemma in lemmas:
            if place and lemma[0].isupper() and not lemma.isupper() and len(lemma) > 3:
                add(lemma, TOWN)
            named = kinds.get(lemma, 0) & (MALE | FEMALE | FAMILY)  # Kelly, Maria: made or sown, too
            if thing and lemma.isalpha() and len(lemma) > 3 and not named:
                add(lemma, EPONYM if lemma[0].isupper() else MEDICAL_WORD if fields[1] == "27" else ENGLISH_WORD)
    for job in jobs_of_wordnet():
        add(job, JOB)
    for line in (OWN / "medicine.txt").read_text(encoding="utf-8").splitlines():
        for word in line.split() if not line.startswith("#") else ():
            add(word, EPONYM if word[0].isupper() else MEDICAL_WORD)
    for word in between_commas("places.txt"):
        add(word, TOWN)
    for heading, kind in (("organisations", ORGANISATION), ("hospitals", HOSPITAL)):
        for word in between_commas("organisations.txt", heading):
            bare = word.removesuffix("'s").removesuffix("'")  # 's is no part of a word here
            for spelling in {word, bare, bare.replace("St. ", "St "), bare.replace(" & ", " and ")}:
                add(spelling, kind)
    for heading, kind in (("certain", JOB | CERTAIN_JOB), ("others", JOB)):
        for word in between_commas("jobs.txt", heading):
            add(word, kind)
    for heading, kind in (("family", FAMILY), ("given", MALE | FEMALE)):
        for word in between_commas("names.txt", heading):
            add(word, kind)
    table = {}
    for word, kind in kinds.items():
        value = hashed(word)
        table[value] = table.get(value, 0) | kind
    bits = max(10, (8 * len(table) // 5).bit_length())
    cells = [0] * (1 << bits)
    mask = (1 << bits) - 1
    for value, kind in sorted(table.items()):
        place = value & mask
        while cells[place]:
            place = (place + 1) & mask
        cells[place] = (value >> 16 << 16) | kind
    all_lists = list(lists.values())
    for _, names in sorted(origins.items()):
        if all(len(words) >= 30 for words in names.values()):
            all_lists += names.values()
    texts = ["\n".join(sorted(words)).encode() for words in all_lists]
    head = 24 + 2 * LETTERS + 8 * len(cells) + 8 * len(texts)
    blob = bytearray(b"PRWORDS1" + struct.pack("<4I", LETTERS, bits, len(texts), 0))
    blob += struct.pack(f"<{LETTERS}H", *FOLD) + struct.pack(f"<{len(cells)}Q", *cells)
    for text in texts:
        blob += struct.pack("<2I", head, len(text))
        head += len(text)
    for text in texts:
        blob += text
    out.mkdir(parents=True, exist_ok=True)
    (out / "words.bin").write_bytes(blob)
    (out / "words.S").write_text(
        ".section .rodata\n.balign 16\n.global pratique_words\npratique_words:\n"
        f'.incbin "{out / "words.bin"}"\n.global pratique_words_end\npratique_words_end:\n'
        '.section .note.GNU-stack,"",@progbits\n')
    print(f"{len(table)} words, names of {(len(all_lists) - len(lists)) // 3} origins; " + ", ".join(f"{k} {len(v)}" for k, v in lists.items()))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
