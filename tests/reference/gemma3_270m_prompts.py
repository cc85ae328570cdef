"""Twenty prompts for the real Gemma-3 270M: several scripts, code, figures, white space, four past its window of 512."""

ENGLISH = (
    "The lighthouse keeper had not spoken to anyone for eleven days when the boat came round the headland. He put down "
    "his book, wiped his hands and went out on the gallery. The sea was flat and grey, and the engine could be heard "
    "long before the hull was more than a dark line under the cliffs."
)
SCIENCE = (
    "Water boils at a lower temperature on a mountain than at sea level, because the pressure of the air is lower there. "
    "At three thousand metres it is about ninety degrees Celsius; an egg therefore takes"
)
LAW = (
    "Article 4. The parties shall inform each other without delay of any circumstance that may affect the performance of "
    "this agreement. Notices shall be given in writing. A party that fails to give notice in time shall bear the damage "
    "that could have been avoided, unless"
)
DIALOGUE = (
    '"Where did you put the keys?" asked Anna.\n"On the table, where they always are," said Peter without looking up.\n'
    '"They aren\'t there."\n"Then ask'
)
GERMAN = "Im Frühjahr, wenn der Schnee in den Bergen schmilzt, steigt der Fluss so hoch, dass die alte Brücke gesperrt wird. Die Bauern"
FRENCH = "La ville s'était endormie sous la neige ; seules quelques fenêtres brillaient encore au bord du canal, où l'on entendait"
RUSSIAN = "Столица России — Москва. Город стоит на берегах реки, и каждый год его посещают миллионы людей, чтобы увидеть"
GREEK = "Η θάλασσα ήταν ήρεμη εκείνο το πρωί και οι ψαράδες ετοίμαζαν τα δίχτυα τους για"
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で"
CHINESE = "春天来了，河边的柳树发出了新芽，孩子们在草地上放风筝，老人们坐在长椅上"
KOREAN = "오늘은 날씨가 맑아서 친구와 함께 공원에 갔습니다. 우리는 점심을 먹고"
ARABIC = "كانت المدينة القديمة محاطة بسور عال، وفي وسطها سوق كبير يبيع فيه التجار"
HINDI = "भारत एक विशाल देश है जहाँ अनेक भाषाएँ बोली जाती हैं और हर राज्य की अपनी"
THAI_EMOJI = "วันนี้อากาศดีมาก เราไปเที่ยวทะเลกัน 🏖️👨‍👩‍👧‍👦 e\u0301te\u0301 ☕️"
PYTHON = '''def longest_common_prefix(words):
    """Return the longest string that all words begin with."""
    if not words:
        return ""
    prefix = words[0]
    for word in words[1:]:
        while not word.startswith(prefix):
            prefix = prefix[:-1]
    return prefix


def test_longest_common_prefix():
    assert longest_common_prefix(["flower", "flow", "flight"]) == "'''
CPP = """template <typename T>
class Stack {
 public:
\tvoid push(T value) { items_.push_back(std::move(value)); }
\tT pop() {
\t\tif (items_.empty()) throw std::out_of_range("empty");
"""
TABLE = "\n".join(f"| {n:3} | {n * n:6} | {n**3:9} |" for n in range(7, 40))

PROMPTS = {
    "capital": "The capital of France is",
    "english": ENGLISH,
    "science": SCIENCE,
    "dialogue": DIALOGUE,
    "german": GERMAN,
    "french": FRENCH,
    "russian": RUSSIAN,
    "greek": GREEK,
    "japanese": JAPANESE,
    "chinese": CHINESE,
    "korean": KOREAN,
    "arabic": ARABIC,
    "hindi": HINDI,
    "thai_emoji": THAI_EMOJI,
    "python": PYTHON,
    "cpp": CPP,
    "long_table": TABLE,
    "long_prose": "\n\n".join([LAW, ENGLISH, SCIENCE, DIALOGUE, FRENCH, LAW.upper(), GERMAN, DIALOGUE, ENGLISH.upper(), LAW, SCIENCE]),
    "long_scripts": "\n".join([RUSSIAN, GREEK, JAPANESE, CHINESE, KOREAN, ARABIC, HINDI, THAI_EMOJI, GERMAN, FRENCH, SCIENCE] * 2),
    "long_code": "\n\n\n".join([PYTHON, CPP, TABLE[:400], CPP, PYTHON.replace("prefix", "suffix"), ENGLISH, PYTHON]),
}
