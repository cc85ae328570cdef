"""What the vision tower holds after each of its stages."""

import torch


def vision_stages(model, prompt) -> dict[str, torch.Tensor]:
    """Pictures one after the other, patches and tokens row by row.

    vision.embedding [patches, D]: patch embedding plus position embedding; vision.block.I [patches, D]: after block I;
    vision.projector [tokens, H]: averaged, normed and projected.
    """
    tower = model.model.vision_tower
    stages: dict[str, torch.Tensor] = {}

    def keep(name: str):
        def hook(module, arguments, output):
            stages[name] = output.flatten(0, 1)

        return hook

    handles = [tower.embeddings.register_forward_hook(keep("vision.embedding"))]
    handles += [b.register_forward_hook(keep(f"vision.block.{i}")) for i, b in enumerate(tower.encoder.layers)]
    handles.append(model.model.multi_modal_projector.register_forward_hook(keep("vision.projector")))
    try:
        model.model.get_image_features(prompt.pixel_values, return_dict=True)
    finally:
        for handle in handles:
            handle.remove()
    return stages
