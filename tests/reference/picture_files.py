"""The picture files of tests/data/vision: every format and kind that is read, and what Pillow and transformers make of
them. Used by vision_goldens.py.
"""

import hashlib
import json
import shutil
import struct
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps
from transformers.image_transforms import convert_to_rgb

DATA = Path(__file__).resolve().parents[1] / "data" / "vision"
PICTURES = DATA / "pictures"
ORIENTATION = 0x0112


def sha256(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def dump(name, value):
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    (DATA / name).write_text(text.replace("},{", "},\n{").replace("],[", "],\n[") + "\n")


def photo(width, height, channels=3, seed=3):
    """Smooth waves with a little noise: something that a lossy format can keep."""
    noise = np.random.default_rng(seed)
    y, x = np.mgrid[0:height, 0:width]
    waves = [127 + 100 * np.sin(x / 7 + k) * np.cos(y / (9 + k)) for k in range(channels)]
    return np.clip(np.stack(waves, -1) + noise.normal(0, 6, (height, width, channels)), 0, 255).astype(np.uint8)


def noise(seed, *shape, high=256, dtype=np.uint8):
    return np.random.default_rng(seed).integers(0, high, shape, dtype=dtype)


def rgb_of(path):
    """The reference: Pillow, turned upright, and transformers' conversion (alpha on white)."""
    return convert_to_rgb(ImageOps.exif_transpose(Image.open(path)), return_numpy=True)


class Collection:
    def __init__(self):
        self.entries = []

    def add(self, name, expected=None, orientation=1):
        """Records pictures/`name`; `expected` only where Pillow is known to be wrong."""
        rgb = rgb_of(PICTURES / name) if expected is None else expected
        self.entries.append({"file": name, "width": rgb.shape[1], "height": rgb.shape[0], "orientation": orientation,
                             "sha256": sha256(rgb), "first": rgb.reshape(-1)[:12].tolist()})

    def save(self, name, image, expected=None, orientation=1, **options):
        image.save(PICTURES / name, **options)
        self.add(name, expected, orientation)

    def write(self, name, data, expected=None, orientation=1):
        (PICTURES / name).write_bytes(data)
        self.add(name, expected, orientation)


def exif(orientation):
    block = Image.Exif()
    block[ORIENTATION] = orientation
    return block


def jpegs(pictures):
    image = Image.fromarray(photo(67, 45))
    for sampling, label in enumerate(["444", "422", "420"]):
        for progressive in (False, True):
            name = f"rgb_{label}{'_progressive' if progressive else ''}.jpg"
            pictures.save(name, image, quality=83, subsampling=sampling, progressive=progressive)
    pictures.save("rgb_411.jpg", image, quality=83, subsampling="4:1:1")
    pictures.save("one_pixel.jpg", Image.fromarray(photo(1, 1)))
    pictures.save("optimised.jpg", image, quality=30, optimize=True)
    pictures.save("restart_markers.jpg", image, restart_marker_blocks=3)
    pictures.save("stored_as_rgb.jpg", image, keep_rgb=True)
    pictures.save("grey.jpg", image.convert("L"))
    pictures.save("grey_progressive.jpg", image.convert("L"), progressive=True)
    pictures.save("larger.jpg", Image.fromarray(photo(301, 203)), quality=75)
    data = (PICTURES / "rgb_420.jpg").read_bytes()
    pictures.write("bytes_after_the_end.jpg", data + b"\0trailing\xff\xd8\xff" * 9)
    pictures.write("filled_before_a_marker.jpg", data[:2] + b"\xff\xff\xff" + data[2:])
    pictures.write("named_as_png.png", data)
    xmp = b'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description tiff:Orientation="6"/>'
    pictures.write("oriented_by_xmp.jpg", data[:2] + b"\xff\xe1" + struct.pack(">H", len(xmp) + 2) + xmp + data[2:],
                   orientation=6)
    for kind, endian in (("II", "<"), ("MM", ">")):
        block = b"Exif\0\0" + kind.encode() + struct.pack(endian + "HIHHHIHHI", 42, 8, 1, ORIENTATION, 3, 1, 8, 0, 0)
        pictures.write(f"exif_{kind}.jpg", data[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + data[2:],
                       orientation=8)


def cmyk_jpegs(pictures):
    image = Image.fromarray(photo(67, 45, 4), "CMYK")
    pictures.save("cmyk.jpg", image, quality=90)
    pictures.save("cmyk_progressive.jpg", image, quality=90, progressive=True)
    data = bytearray((PICTURES / "cmyk.jpg").read_bytes())
    adobe = data.find(b"\xff\xee\x00\x0eAdobe")
    assert adobe > 0
    data[adobe + 15] = 2  # the colour transform: the same data read as YCCK
    pictures.write("ycck.jpg", bytes(data))
    del data[adobe:adobe + 16]
    pictures.write("cmyk_without_adobe_marker.jpg", bytes(data))
    pictures.save("cmyk_420.jpg", image, quality=90, subsampling=2)
    data = bytearray((PICTURES / "cmyk_420.jpg").read_bytes())
    data[data.find(b"\xff\xee\x00\x0eAdobe") + 15] = 2
    pictures.write("ycck_420.jpg", bytes(data))


def oriented(pictures):
    image = Image.fromarray(photo(37, 25))
    for orientation in range(1, 9):
        block = exif(orientation)
        pictures.save(f"oriented_{orientation}.jpg", image, exif=block, orientation=orientation)
        pictures.save(f"oriented_{orientation}.png", image.quantize(16), exif=block, orientation=orientation)
        pictures.save(f"oriented_{orientation}.webp", image, exif=block, orientation=orientation, quality=60)
        pictures.save(f"oriented_{orientation}.tif", image, exif=block, orientation=orientation,
                      compression="tiff_deflate")


def png(width, height, depth, color_type, rows, palette=None, transparency=None, interlaced=False, extra=b""):
    """A PNG of unfiltered rows (a list of bytes)."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, interlaced)
    out = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra
    out += chunk(b"PLTE", palette) if palette else b""
    out += chunk(b"tRNS", transparency) if transparency else b""
    return out + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))) + chunk(b"IEND", b"")


def adam7(pixels):
    """Rows of the seven small pictures; `pixels` is [height, width, bytes]."""
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    return [row.tobytes() for x, y, dx, dy in passes for row in pixels[y::dy, x::dx] if row.size]


def on_white(samples, alpha):
    samples, alpha = samples.astype(int), alpha.astype(int)[..., None]
    return ((samples * alpha + 255 * (255 - alpha) + 127) // 255).astype(np.uint8)


def grey_to_rgb(grey):
    return np.repeat(grey[..., None], 3, -1)


def pngs(pictures):
    rgba = photo(31, 22, 4)
    image = Image.fromarray(rgba[..., :3])
    grey_alpha = Image.merge("LA", [Image.fromarray(rgba[..., 0]), Image.fromarray(rgba[..., 3])])
    pictures.save("rgb.png", image)
    pictures.save("rgba.png", Image.fromarray(rgba))
    pictures.save("grey_alpha.png", grey_alpha)
    pictures.save("grey.png", image.convert("L"))
    pictures.save("one_bit.png", image.convert("1"))
    pictures.save("grey_transparent_value.png", Image.fromarray(rgba[..., 0]), transparency=int(rgba[0, 0, 0]))
    pictures.save("rgb_transparent_value.png", image, transparency=tuple(int(v) for v in rgba[0, 0, :3]))
    for colors in (2, 4, 16, 200):
        palette = image.quantize(colors)
        pictures.save(f"palette_{colors}.png", palette)
        pictures.save(f"palette_{colors}_transparent.png", palette, transparency=bytes([0, 100, 255, 30][:colors]))
    alpha = noise(1, 256, 256)
    alpha[:, :] = np.arange(256)[:, None]
    values = np.repeat(np.arange(256, dtype=np.uint8)[None, :], 256, 0)
    pictures.save("all_alphas.png", Image.merge("LA", [Image.fromarray(values), Image.fromarray(alpha)]))

    wide = noise(2, 9, 11, 4, high=65536, dtype=np.uint16)
    high = (wide >> 8).astype(np.uint8)
    rows = [row.astype(">u2").tobytes() for row in wide]
    pictures.write("rgba_16_bit.png", png(11, 9, 16, 6, rows), on_white(high[..., :3], high[..., 3]))
    rows = [row[:, :3].astype(">u2").tobytes() for row in wide]
    pictures.write("rgb_16_bit.png", png(11, 9, 16, 2, rows), high[..., :3])
    rows = [row[:, 0].astype(">u2").tobytes() for row in wide]
    pictures.write("grey_16_bit.png", png(11, 9, 16, 0, rows), grey_to_rgb(high[..., 0]))
    rows = [row[:, :2].astype(">u2").tobytes() for row in wide]
    pictures.write("grey_alpha_16_bit.png", png(11, 9, 16, 4, rows),
                   on_white(grey_to_rgb(high[..., 0]), high[..., 1]))
    for depth in (2, 4):
        small = noise(depth, 9, 16, high=1 << depth)
        packed = [bytes(np.packbits(((row[:, None] >> np.arange(depth - 1, -1, -1)) & 1).reshape(-1))) for row in small]
        expected = grey_to_rgb(small * (255 // ((1 << depth) - 1)))
        pictures.write(f"grey_{depth}_bit.png", png(16, 9, depth, 0, packed), expected)

    for width, height in [(31, 22), (1, 1), (3, 5), (5, 1)]:
        pixels = noise(7, height, width, 3)
        pictures.write(f"interlaced_{width}x{height}.png", png(width, height, 8, 2, adam7(pixels), interlaced=True))
    indices = noise(8, 9, 11)
    palette = noise(9, 30).tobytes()
    expected = np.repeat(np.arange(256, dtype=np.uint8)[:, None], 3, 1)
    expected[:10] = np.frombuffer(palette, np.uint8).reshape(10, 3)
    pictures.write("palette_too_short.png", png(11, 9, 8, 3, [row.tobytes() for row in indices], palette),
                   expected[indices])
    xmp = b"XML:com.adobe.xmp\0\0\0\0\0<tiff:Orientation>3</tiff:Orientation>"
    text = struct.pack(">I", len(xmp)) + b"iTXt" + xmp + struct.pack(">I", zlib.crc32(b"iTXt" + xmp))
    pictures.write("oriented_by_xmp.png", png(11, 9, 8, 2, [row.tobytes() for row in noise(10, 9, 11, 3)], extra=text),
                   orientation=3)


def webps(pictures):
    rgba = Image.fromarray(photo(31, 22, 4))
    image = rgba.convert("RGB")
    pictures.save("lossy.webp", image, quality=80)
    pictures.save("lossy_alpha.webp", rgba, quality=80)
    pictures.save("lossless.webp", image, lossless=True)
    pictures.save("lossless_alpha.webp", rgba, lossless=True, exact=True)
    pictures.save("larger.webp", Image.fromarray(photo(301, 203)), quality=60)


def bmp(width, height, bits, rows, compression=0, palette=b"", masks=(), header=40, top_down=False):
    body = b"".join(row + bytes(-len(row) % 4) for row in rows)
    if header == 12:
        info = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        colors = len(palette) // 4
        info = struct.pack("<IiiHHIIiiII", header, width, -height if top_down else height, 1, bits, compression,
                           len(body), 2835, 2835, colors, 0)
        info += struct.pack(f"<{len(masks)}I", *masks)
        if header > 40:
            info += bytes(header - len(info))
    offset = 14 + len(info) + len(palette)
    return b"BM" + struct.pack("<IHHI", offset + len(body), 0, 0, offset) + info + palette + body


def bmps(pictures):
    image = Image.fromarray(photo(31, 22))
    for mode in ("1", "L", "RGB"):
        pictures.save(f"mode_{mode}.bmp", image.convert(mode))
    pictures.save("palette.bmp", image.quantize(50))
    width, height, rgb_masks = 13, 7, (0xFF0000, 0xFF00, 0xFF)
    four = [row.tobytes() for row in noise(11, height, width, 4)]
    two = [row.tobytes() for row in noise(12, height, width, 2)]
    three = [row.tobytes() for row in noise(13, height, width, 3)]
    pictures.write("24_top_down.bmp", bmp(width, height, 24, three, top_down=True))
    pictures.write("24_os2.bmp", bmp(width, height, 24, three, header=12))
    pictures.write("32.bmp", bmp(width, height, 32, four))
    pictures.write("32_masks.bmp", bmp(width, height, 32, four, 3, masks=rgb_masks))
    pictures.write("32_alpha.bmp", bmp(width, height, 32, four, 3, masks=(*rgb_masks, 0xFF000000), header=108))
    pictures.write("32_rgba_alpha.bmp",
                   bmp(width, height, 32, four, 3, masks=(*rgb_masks[::-1], 0xFF000000), header=124))
    pictures.write("16_555.bmp", bmp(width, height, 16, two))
    pictures.write("16_565.bmp", bmp(width, height, 16, two, 3, masks=(0xF800, 0x7E0, 0x1F)))
    palette = noise(14, 1024).tobytes()
    pictures.write("4.bmp", bmp(width, height, 4, [row.tobytes() for row in noise(15, height, 7)], palette=palette[:64]))
    runs = [bytes([5, i + 1, 0, 4, 9, 8, 7, 6, 4, 200, 0, 0]) for i in range(height - 1)]
    pictures.write("rle8.bmp", bmp(width, height, 8, [b"".join(runs) + bytes([13, 9, 0, 1])], 1, palette=palette))
    runs = [bytes([5, 0x12, 0, 5, 0x98, 0x76, 0x50, 0, 3, 0x3C, 0, 0]) for _ in range(height)]
    pictures.write("rle4.bmp", bmp(width, height, 4, [b"".join(runs) + b"\0\1"], 2, palette=palette[:64]))


def gif(width, height, background, frame, transparent=None, local_palette=None):
    """A GIF with 8 colours, its code table cleared so often that no code grows."""
    x, y, frame_width, frame_height, pixels = frame
    codes, bits = [], 0
    for i, pixel in enumerate(pixels):
        codes += [8, pixel] if i % 6 == 0 else [pixel]
    codes.append(9)
    for i, code in enumerate(codes):
        bits |= code << (4 * i)
    data = bits.to_bytes((len(codes) * 4 + 7) // 8, "little")
    out = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x92, background, 0) + noise(16, 24).tobytes()
    if transparent is not None:
        out += b"\x21\xf9\x04" + struct.pack("<BHBB", 1, 0, transparent, 0)
    out += b"\x2c" + struct.pack("<HHHHB", x, y, frame_width, frame_height, 0x82 if local_palette else 0)
    out += local_palette or b""
    return out + b"\x03" + bytes([len(data)]) + data + b"\0\x3b"


def gifs(pictures):
    image = Image.fromarray(photo(31, 22))
    pictures.save("palette.gif", image.quantize(200))
    pictures.save("interlaced.gif", image.quantize(20), interlace=1)
    pictures.save("grey.gif", image.convert("L"))
    frames = [Image.fromarray(photo(31, 22, seed=seed)) for seed in range(3)]
    pictures.save("animated.gif", frames[0], save_all=True, append_images=frames[1:])
    pixels = noise(17, 30, high=8).tolist()
    for background in (0, 3):
        for transparent in (None, 0, 2):
            for part in (False, True):
                frame = (2, 1, 6, 5, pixels) if part else (0, 0, 6, 5, pixels)
                size = (10, 9) if part else (6, 5)
                name = f"background_{background}_transparent_{transparent}{'_part' if part else ''}.gif"
                pictures.write(name, gif(*size, background, frame, transparent))
    local = noise(18, 24).tobytes()
    pictures.write("own_palette.gif", gif(6, 5, 0, (0, 0, 6, 5, pixels), 2, local))
    pictures.write("own_palette_part.gif", gif(9, 8, 3, (1, 1, 6, 5, pixels), None, local))


def tiffs(pictures):
    rgba = photo(31, 22, 4)
    image = Image.fromarray(rgba[..., :3])
    wide = (rgba[..., 0].astype(np.uint16) << 8) | noise(19, 22, 31)
    kinds = {"one_bit": image.convert("1"), "grey": image.convert("L"), "palette": image.quantize(50), "rgb": image,
             "rgba": Image.fromarray(rgba), "cmyk": Image.fromarray(rgba, "CMYK"), "grey_16_bit": Image.fromarray(wide)}
    compressions = [None, "tiff_lzw", "tiff_deflate", "packbits"]
    for i, (kind, picture) in enumerate(kinds.items()):
        expected = grey_to_rgb((wide >> 8).astype(np.uint8)) if kind == "grey_16_bit" else None
        for compression in {compressions[i % 4], "tiff_lzw"}:
            pictures.save(f"{kind}_{compression or 'plain'}.tif", picture, expected, compression=compression)
    for fax in ("group3", "group4"):  # as scanners write
        pictures.save(f"one_bit_{fax}.tif", kinds["one_bit"], compression=fax)
    pictures.save("rgb_jpeg.tif", image, compression="jpeg")
    pictures.save("big_endian.tif", image, big_endian=True)


def make_pictures():
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir(parents=True)
    pictures = Collection()
    for make in (jpegs, cmyk_jpegs, oriented, pngs, webps, bmps, gifs, tiffs):
        make(pictures)
    dump("pictures.json", pictures.entries)
