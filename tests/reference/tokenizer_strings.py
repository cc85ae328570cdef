"""The texts on which tokenizers are compared: many scripts, white space, emoji, code, damage."""

import random
import unicodedata

SENTENCES = [
    "The quick brown fox jumps over the lazy dog. It's 3 o'clock, and they've gone; I'LL see we'Ve DON'T.",
    "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Straße, Größe, ẞ.",
    "Voix ambiguë d'un cœur qui, au zéphyr, préfère les jattes de kiwis. L'été où l'on naît.",
    "El pingüino Wenceslao hizo kilómetros bajo exhaustiva lluvia y frío, ¿añoraba a su querido cachorro?",
    "Příliš žluťoučký kůň úpěl ďábelské ódy. Zażółć gęślą jaźń.",
    "Pijamalı hasta yağız şoföre çabucak güvendi. İstanbul'da ılık ırmak.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю. Їжак, ґанок, щастя.",
    "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Τάχιστη αλώπηξ βαφής ψημένη γη. ΆΣΣΟΣ ς",
    "Բել դղյակի ձախ ժամն օֆ ազգությանը ցպահանջ չճշտած վնաս էր եւ փառք։",
    "ღმერთსი შემვედრე, ნუთუ კვლა დამხსნას სოფლისა შრომასა. ᲓᲔᲓᲐ",
    "עטלף אבק נס דרך מזגן שהתפוצץ כי חם. שָׁלוֹם עֲלֵיכֶם",
    "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق. السَّلَامُ عَلَيْكُمْ ١٢٣",
    "زن شجاع، ایران پژوه گفت: «می‌خواهم کتاب‌ها را ببینم». ۱۴۰۲",
    "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश करने वाले विष्णुवतार भगवान श्रीराम। क़लम १२३",
    "ঊনিশে কার্তিক রাত্র সাড়ে আট ঘটিকায় ভৈরবনিবাসী ব্যাংকের ক্ষুদ্র ঋণগ্রস্ত। ড়ঢ়য়",
    "யாமறிந்த மொழிகளிலே தமிழ்மொழி போல் இனிதாவது எங்கும் காணோம். கொ கௌ",
    "తెలుగు భాష మధురమైనది. ఆంధ్ర ప్రదేశ్ ౧౨౩", "ಕನ್ನಡ ನಾಡು ನುಡಿ. ಕೊ ೧೨", "മലയാളം അക്ഷരമാല. ന്റെ ൧൨", "ગુજરાતી ભાષા સરસ છે", "ਪੰਜਾਬੀ ਬੋਲੀ ਸ਼ੇਰ ਗ਼", "ଓଡ଼ିଆ ଭାଷା", "සිංහල භාෂාව ශ්‍රී ලංකා",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน น้ำ ๑๒๓", "ພາສາລາວ ຂ້ອຍຮັກເຈົ້າ", "មនុស្សទាំងអស់កើតមកមានសេរីភាព", "သီဟိုဠ်မှ ဉာဏ်ကြီးရှင်သည် အာယုဝဍ္ဎနဆေးညွှန်းစာ",
    "བོད་སྐད་ཀྱི་ཡི་གེ། ༡༢༣ གཉྫ", "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ᠌ a\u180eb \u180e", "ፊደል አማርኛ ቋንቋ ፩፪፫", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ꭰꭱꭲ", "ᐃᓄᒃᑎᑐᑦ ᓴᐃᒪ", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "ߒߞߏ ߁߂߃", "𐌰𐌱𐌲 𐍈𐌽𐌰 Gothic",
    "道可道,非常道。名可名,非常名。无名天地之始;有名万物之母。中文分词测试", "繁體中文測試:鬱、龜、齉;「引號」與——破折號……", "いろはにほへと ちりぬるを わかよたれそ つねならむ。カタカナ、ﾊﾝｶｸ、㍿、々〆ヶ", "がぎぐ ガギグ か\u3099き\u3099 ハ\u309a ㌀ ①②③ ⅷ",
    "다람쥐 헌 쳇바퀴에 타고파. 한글 맞춤법 검사", "ㄱㄴㄷ \u1112\u1161\u11ab\u1100\u1173\u11af ﾡ", "Tiếng Việt: Chữ Quốc ngữ, ặ ẫ ỡ ự Đường phố Hà Nội",
    "😀😃 👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🇨🇭🇩🇪🇯🇵 1️⃣#️⃣ ☕️ ❤️‍🔥 🫠🪿🩷", "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋, α ∧ ¬β, ∑_{i=0}^{n} i² ≤ ∞, ℵ₀, x⁻¹, ½⅓¾ ٤", "ＦＵＬＬ　ＷＩＤＴＨ １２３ ｆｕｌｌ", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝒯𝑒𝓍𝓉 𝟙𝟚𝟛 ᶠᵒᵒ ₁₂ ﬁ ﬂ ſ 'ſ", "a\u0300\u0316\u0301 q\u0307\u0323 \u0344 \u1e9b\u0323 \u212b\u2126\u212a \u0958 \u2adc Z\u0351\u036b\u0343\u032aA\u030a\u0324L\u0321\u0363G\u0321O\u033d",
]

CODE = [
    "def main():\n\tpass\n\n\nif __name__ == '__main__':\n    main()\n", "for (int i = 0; i < n; ++i) { a[i] += b[i] * 2.5e-3f; } // done\r\n\r\n", "#include <vector>\ntemplate <typename T> T f(T&& x) { return std::move(x); }",
    "SELECT * FROM t WHERE a='x''y' AND b>=10;--c", "<div class=\"a b\" id='x'>&nbsp;&#x27;</div>\n\n<!-- c -->", "{\"a\": [1, 2.0, -3e+10, null], \"b\\n\": \"\\u00e9\"}", "https://user:pw@example.com:8080/a/b.c?d=e&f=%20g#h mailto:a.b+c@d-e.co.uk",
    "C:\\Users\\x\\y.txt /usr/lib/x86_64-linux-gnu/libc.so.6", "git commit -m \"fix: it's\" && rm -rf ./build || true", "x=${HOME:-/root}; echo $((1+2)) `ls` $'a\\tb'", "fn f<'a>(s: &'a str) -> Option<&'a str> { s.split('\\'').next() }", "| a | b |\n|---|:-:|\n| 1 | 2 |\n", "# Title\n\n* item 1\n  * item 2\n\n1. one\n\n```c\nint x;\n```\n",
    "\\begin{equation} E = mc^2 \\label{eq:1} \\end{equation}", "0x1F 0b1010 1_000_000 3.14159 1e-9 1,234,567.89 $99.99 50% #42 +49 (0)30 12-34", "2024-02-29T23:59:59Z 12:30 1/2 3:4 v1.2.3-rc.4+b5 192.168.0.1 fe80::1", "a.b.c... !!! ??? ---- ==== ____ **** ///// ::::: ;;;;", "camelCaseName PascalCase snake_case SCREAMING_CASE kebab-case x1y2z3", "[{\"bbox_2d\": [12, 345, 678, 999], \"label\": \"red circle\"}]",
]

CONTROLS = ["\0", "a\0b", "\x01\x02", "\x07\x08", "\x0b\x0c", "\x1b[31mred\x1b[0m", "\x7f", "\x80\x9f", "a\x85b", "\x1c\x1d\x1e\x1f", "\ufeffbom", "a\u200bb\u200c\u200d", "\u202eabc\u202c", "\u2028\u2029", "\ufffd", "\ufffe\uffff", "\U0010ffff\U000f0000", "\ue000", "\u00ad-\u00ad", "a\u2060b", "\ufe0f\u20e3", "\U000e0001\U000e0041", "\u034f"]

SPACES = [" ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u3000", "\u2003", "\u1680", "\u2028", "\u0085", "\x0b", "\x0c", "\u200b", "\u180e", "\u2581"]

ADDED = ["<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|image_pad|>", "<|vision_start|>", "<|vision_end|>", "<think>", "</think>", "<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|file_sep|>", "<bos>", "<eos>", "<start_of_turn>", "<end_of_turn>", "<start_of_image>", "<image_soft_token>", "<unused5>", "<table>", "</h1>", "[multimodal]", "<mask>", "<unk>", "<0x41>", "<|begin_of_text|>", "<|eot_id|>"]


def plain_texts() -> list[str]:
    """About 2,000 different texts, the same on every run."""
    rng = random.Random(20)
    texts = ["", *SENTENCES, *CODE, *CONTROLS]
    for sentence in SENTENCES:
        texts += [unicodedata.normalize("NFD", sentence), unicodedata.normalize("NFKD", sentence), sentence.upper(), sentence.lower(), sentence.title()]
        words = sentence.split(" ")
        for _ in range(6):
            texts.append(" ".join(rng.choices(words, k=rng.randint(1, 4))))
    for space in SPACES:
        for n in [*range(1, 9), 15, 16, 17, 30, 31, 32, 33, 62, 63, 70]:
            texts += [space * n, f"a{space * n}b"]
    texts += [f"{' ' * n}x" for n in range(1, 71)] + [f"{' ' * n}\n" for n in (1, 2, 5)]
    for _ in range(150):
        texts.append("".join(rng.choice([*SPACES[:9], "x", "1", ".", "\u4e2d"]) for _ in range(rng.randint(2, 14))))
    for token in ADDED:
        texts += [token, f"a {token} b", f"{token}{token}", f"x{token}y", token[:-1], token[1:], f"{token[:3]} {token[3:]}", f" {token}\n", token.upper(), f"<{token}>", "e" + token + "\u0301"]
    for _ in range(60):
        texts.append("".join(rng.choice([*ADDED, " ", "\n", "a", "<", "|", ">", "<|", "|>"]) for _ in range(rng.randint(2, 9))))
    for _ in range(120):  # any assigned characters beside each other
        texts.append("".join(_any_character(rng) for _ in range(rng.randint(1, 16))))
    for _ in range(80):  # letters with many marks in any order
        texts.append("".join(rng.choice("aeosEUkd\u05d0\u0915") + "".join(chr(rng.choice(_MARKS)) for _ in range(rng.randint(0, 5))) for _ in range(rng.randint(1, 5))))
    pool = [*SENTENCES, *CODE, *CONTROLS]
    for _ in range(200):
        pieces = []
        for _ in range(rng.randint(2, 5)):
            text = rng.choice(pool)
            start = rng.randrange(len(text))
            pieces.append(text[start : start + rng.randint(1, 25)])
        texts.append(rng.choice(["", " ", "\n", "\t"]).join(pieces))
    for _ in range(60):
        texts.append("".join(rng.choice("0123456789") for _ in range(rng.randint(1, 25))) + rng.choice(["", "a", ".", "\u0664", "\u00bd"]))
    for length in (40, 64, 65, 128, 200):
        texts += ["a" * length, "ab" * (length // 2), "\u4e2d" * length, "!" * length, "=-" * (length // 2), "A" * length, "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))]
    unique = list(dict.fromkeys(texts))
    return [t for t in unique if not any(0xD800 <= ord(c) < 0xE000 for c in t)]


def many_texts(wanted: int) -> list[str]:
    """plain_texts(), and mixtures of all that is in them until there are `wanted` different ones."""
    rng = random.Random(21)
    texts = dict.fromkeys(plain_texts())
    pool = [text for text in texts if text]
    blocks = [(0x20, 0x250), (0x370, 0x530), (0x5D0, 0x780), (0x900, 0x1200), (0x1E00, 0x2070), (0x3040, 0x3100), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0x1F300, 0x1FAF0)]
    while len(texts) < wanted:
        if rng.random() < 0.5:  # words of one script
            first, last = rng.choice(blocks)
            letters = [c for c in (chr(rng.randrange(first, last)) for _ in range(12)) if unicodedata.category(c) != "Cn"]
            words = ["".join(rng.choices(letters, k=rng.randint(1, 6))) for _ in range(rng.randint(1, 4))] if letters else []
            texts[rng.choice([" ", "  ", "\n", "\u00a0", "-"]).join(words)] = None
        else:
            pieces = []
            for _ in range(rng.randint(2, 4)):
                text = rng.choice(pool)
                start = rng.randrange(len(text))
                pieces.append(text[start : start + rng.randint(1, 14)])
            texts["".join(pieces)] = None
    return list(texts)


_MARKS = [0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x30A, 0x30C, 0x31B, 0x323, 0x327, 0x328, 0x331, 0x345, 0x5B0, 0x5BC, 0x93C, 0x94D, 0x3099, 0x1DF6, 0x1DF9, 0x20D2, 0x20E3]


def _any_character(rng: random.Random) -> str:
    while True:
        c = chr(rng.choice([rng.randrange(0x20, 0x250), rng.randrange(0x20, 0x3000), rng.randrange(0x10000), rng.randrange(0x10000, 0x32400), rng.randrange(0x1F000, 0x1FB00)]))
        if unicodedata.category(c) not in ("Cn", "Cs"):
            return c


def long_texts() -> list[tuple[str, int]]:
    """(unit, times): the text is the unit repeated"""
    return [("a", 10_000), ("ab", 5_000), ("abcdefghij", 1_500), ("\u4e2d", 4_000), (" ", 10_000), ("\n", 5_000), ("!", 10_000), ("e\u0301", 4_000), ("\u0e01\u0e33", 3_000), ("The cat sat. ", 1_000), ("\U0001f468\u200d\U0001f469\u200d", 800), ("7", 3_000), ("\0", 2_000), ("supercalifragilistic", 600), (" \n", 3_000), ("<|im_end|>", 500), ("\U00031350", 2_000), ("\u0301", 3_000)]


def invalid_utf8() -> list[bytes]:
    rng = random.Random(21)
    cases = [b"\xff", b"a\xffb", b"\xc3", b"\xc3(", b"\xe4\xb8", b"\xe4\xb8x", b"\xf0\x9f\x98", b"\xf0\x9f\x98 ", b"\xed\xa0\x80", b"\xed\xb0\x80x", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\x80\x80\x80", b"ok \xe4\xb8\xad \xe4\xb8", b"\xf0\x80\x80\x80", b"\xfe\xff", b"a\xcc", b"<|im_\xff|>", b"\xf1\x80\x80\xe1\x80\xc3", "caf\u00e9".encode("latin-1"), "\u4f60\u597d".encode("gbk"), "Hi".encode("utf-16")]
    while len(cases) < 150:
        raw = bytearray(rng.choice(SENTENCES).encode()[: rng.randint(4, 60)])
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(raw))
            if rng.random() < 0.5:
                raw[at] = rng.randrange(256)
            else:
                del raw[at]
            if not raw:
                raw = bytearray(b"\xc2")
        cases.append(bytes(raw))
    return cases


def code_point_texts():
    """(first, texts): every code point of planes 0 to 3 and 14, 4,096 at a time, between letters, digits and marks"""
    for plane in (0, 1, 2, 3, 14):
        for first in range(plane << 16, (plane + 1) << 16, 0x1000):
            points = [chr(c) for c in range(first, first + 0x1000) if not 0xD800 <= c < 0xE000]
            yield first, ["".join(f"a{c}1 " for c in points), "".join(f"a\u0301{c}\u0327 {c}\u0301" for c in points)]
