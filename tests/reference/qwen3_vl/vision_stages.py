"""What the vision tower holds after each of its stages."""

import torch


def vision_stages(model, prompt) -> dict[str, torch.Tensor]:
    """Rows in the processor's order (merge blocks), pictures one after the other.

    vision.embedding [patches, D]: patch embedding plus position embedding; vision.block.I [patches, D]: after block I;
    vision.merger [tokens, H]; vision.deepstack.K [tokens, H].
    """
    tower = model.model.visual
    stages: dict[str, torch.Tensor] = {}

    def keep(name: str):
        def hook(module, arguments, output):
            stages[name] = output

        return hook

    def keep_input(module, arguments):
        stages["vision.embedding"] = arguments[0]

    handles = [tower.blocks[0].register_forward_pre_hook(keep_input)]
    handles += [block.register_forward_hook(keep(f"vision.block.{i}")) for i, block in enumerate(tower.blocks)]
    handles.append(tower.merger.register_forward_hook(keep("vision.merger")))
    handles += [m.register_forward_hook(keep(f"vision.deepstack.{k}")) for k, m in enumerate(tower.deepstack_merger_list)]
    try:
        tower(prompt.pixel_values.to(tower.dtype), grid_thw=prompt.grids, return_dict=True)
    finally:
        for handle in handles:
            handle.remove()
    return stages
