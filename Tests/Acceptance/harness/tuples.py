"""Random requests for signatures, with texts of the kinds that often break signing code."""
import random
import string
import unicodedata
import uuid

ALPHABETS = {
    "ascii": string.ascii_letters + string.digits + "._-+@ ",
    "latin": "äöüßÄÖÜéèêñçøåÅæŒÿ",
    "other scripts": "日本語中文한국어кирилицаعربيעבריתไทยहिन्दी",
    "emoji": "😀🎉👩‍👩‍👧‍👦🇩🇪❤️🧑🏽‍💻",
    "invisible": "\u200b\u200d\u2062\u2064\u00ad\ufeff\u202e\u3000",
    "astral": "𝔘𝔫𝔦𝔠𝔬𝔡𝔢𐍈𝄞",
    "json": "\"\\/\b\f\n\r\t\u0001\u001f\u007f<>&'",
}


def text(randomness, longest=40):
    """A random text of 1 to `longest` code points. Its accented letters are composed or decomposed at random."""
    alphabet = randomness.choice(list(ALPHABETS.values()))
    value = "".join(randomness.choice(alphabet) for _ in range(randomness.randint(1, longest)))
    value = unicodedata.normalize(randomness.choice(["NFC", "NFD"]), value)
    return value[:255]


def username(randomness):
    """A random field 5: a UUID in upper or lower case, an empty text, a text of the greatest length, or any other text."""
    kind = randomness.randrange(8)
    token = str(uuid.UUID(int=randomness.getrandbits(128)))
    if kind == 0:
        return ""
    if kind == 1:
        return token
    if kind == 2:
        return token.upper()
    if kind == 3:
        return "".join(randomness.choice("aéÅ😀漢") for _ in range(255))
    return text(randomness)


def tuples(count, seed):
    """Random requests, in the form in which the signing probe reads them."""
    randomness = random.Random(seed)
    for _ in range(count):
        yield {
            "bundleId": text(randomness, 60),
            "keyId": "".join(randomness.choice(string.ascii_uppercase + string.digits) for _ in range(10)),
            "productId": text(randomness, 255),
            "offerId": text(randomness),
            "applicationUsername": username(randomness),
            "nonce": str(uuid.UUID(int=randomness.getrandbits(128), version=4)),
            "timestamp": randomness.choice([0, 1, 1698148900000, randomness.randrange(10**12, 2 * 10**12), 2**53 - 1]),
        }
