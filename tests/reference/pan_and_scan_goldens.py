"""Gemma-3's pan and scan as transformers' own processor does it: token ids and pixel values of one long picture, and the
crop counts of many sizes.

    python tests/reference/pan_and_scan_goldens.py

Reads tests/data/gemma3/tiny-v5 and tests/data/pictures/large.png, writes tests/data/gemma3/pan_and_scan.{json,safetensors}.
"""

import json
import pathlib

import numpy
from PIL import Image
from safetensors.numpy import save_file
from transformers import AutoProcessor
from transformers.models.gemma3.image_processing_pil_gemma3 import Gemma3ImageProcessorPil

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
SIZES = [(1000, 500), (500, 1300), (719, 600), (720, 600), (2000, 300), (1100, 257), (300, 400), (513, 256), (511, 256),
         (256, 256), (257, 1285), (4032, 3024), (768, 512), (640, 512), (512, 640), (3000, 600), (900, 256)]


def crop_shapes(width, height):
    picture = numpy.zeros((3, height, width), dtype=numpy.uint8)
    crops = Gemma3ImageProcessorPil().pan_and_scan(picture, 256, 4, 1.2)
    return [[int(crop.shape[2]), int(crop.shape[1])] for crop in crops]


def main():
    processor = AutoProcessor.from_pretrained(DATA / "gemma3" / "tiny-v5")
    messages = [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "What is in this picture?"}]}]
    prompt = processor.apply_chat_template(messages, add_generation_prompt=True)
    picture = Image.open(DATA / "pictures" / "large.png").convert("RGB")
    inputs = processor(text=prompt, images=[[picture]], do_pan_and_scan=True, return_tensors="np",
                       add_special_tokens=False)
    save_file({"pixel_values": numpy.ascontiguousarray(inputs["pixel_values"], dtype=numpy.float32)},
              DATA / "gemma3" / "pan_and_scan.safetensors")
    sizes = [{"width": w, "height": h, "crops": crop_shapes(w, h)} for w, h in SIZES]
    golden = {"text": "What is in this picture?", "picture": "large.png", "ids": inputs["input_ids"][0].tolist(),
              "sizes": sizes}
    (DATA / "gemma3" / "pan_and_scan.json").write_text(json.dumps(golden) + "\n")
    print(inputs["pixel_values"].shape, len(golden["ids"]), [len(s["crops"]) for s in sizes])


if __name__ == "__main__":
    main()
