"""Font files of Debian packages: one list to train with, one held out for the evaluation."""

import functools
import random

from PIL import ImageFont

ROOT = "/usr/share/fonts/"

# Debian packages: fonts-dejavu-core fonts-liberation2 fonts-freefont-ttf
# fonts-roboto-unhinted fonts-open-sans fonts-cantarell fonts-crosextra-caladea fonts-hack
# fonts-comfortaa fonts-quicksand fonts-urw-base35 fonts-cabin fonts-b612 fonts-sil-gentium-basic
TRAINING_FONTS = [
    "truetype/dejavu/DejaVuSans.ttf",
    "truetype/dejavu/DejaVuSans-Bold.ttf",
    "truetype/dejavu/DejaVuSerif.ttf",
    "truetype/dejavu/DejaVuSerif-Bold.ttf",
    "truetype/dejavu/DejaVuSansMono.ttf",
    "truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "truetype/liberation2/LiberationSans-Regular.ttf",
    "truetype/liberation2/LiberationSans-Bold.ttf",
    "truetype/liberation2/LiberationSerif-Regular.ttf",
    "truetype/liberation2/LiberationSerif-Bold.ttf",
    "truetype/liberation2/LiberationMono-Regular.ttf",
    "truetype/liberation2/LiberationMono-Bold.ttf",
    "truetype/freefont/FreeSans.ttf",
    "truetype/freefont/FreeSerifBold.ttf",
    "truetype/freefont/FreeMonoBold.ttf",
    "truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf",
    "truetype/roboto/unhinted/RobotoTTF/Roboto-Bold.ttf",
    "truetype/open-sans/OpenSans-Regular.ttf",
    "truetype/open-sans/OpenSans-Bold.ttf",
    "opentype/cantarell/Cantarell-Regular.otf",
    "opentype/cantarell/Cantarell-Bold.otf",
    "truetype/crosextra/Caladea-Regular.ttf",
    "truetype/crosextra/Caladea-Bold.ttf",
    "truetype/hack/Hack-Regular.ttf",
    "truetype/hack/Hack-Bold.ttf",
    "truetype/comfortaa/Comfortaa-Bold.ttf",
    "truetype/quicksand/Quicksand-Medium.ttf",
    "truetype/quicksand/Quicksand-Bold.ttf",
    "opentype/urw-base35/URWBookman-Light.otf",
    "opentype/urw-base35/URWBookman-Demi.otf",
    "opentype/urw-base35/URWGothic-Demi.otf",
    "opentype/urw-base35/C059-Roman.otf",
    "opentype/urw-base35/P052-Bold.otf",
    "opentype/cabin/Cabin-Regular.otf",
    "opentype/cabin/Cabin-Bold.otf",
    "opentype/b612/B612-Regular.otf",
    "opentype/b612/B612-Bold.otf",
    "truetype/gentium-basic/GenBasR.ttf",
    "truetype/gentium-basic/GenBasB.ttf",
]

# Debian packages: fonts-lato fonts-go. Families that no training picture has.
HELD_OUT_FONTS = [
    "truetype/lato/Lato-Regular.ttf",
    "truetype/lato/Lato-Bold.ttf",
    "fonts-go/Go-Regular.ttf",
    "fonts-go/Go-Bold.ttf",
    "fonts-go/Go-Mono.ttf",
    "fonts-go/Go-Mono-Bold.ttf",
]


@functools.lru_cache(maxsize=4096)
def load_font(path: str, size_px: int) -> ImageFont.FreeTypeFont:
    """The font at an em size in pixels; `path` is relative to the font root."""
    return ImageFont.truetype(ROOT + path, size_px, layout_engine=ImageFont.Layout.BASIC)


def sample_font(fonts: list[str], size_px: int, rng: random.Random) -> ImageFont.FreeTypeFont:
    """One of `fonts` at the given size."""
    return load_font(rng.choice(fonts), size_px)
