"""How far one result is from another, and how sharp an attention is."""

import torch


def nmse(result: torch.Tensor, golden: torch.Tensor) -> float:
    """Normalised mean square error: sum (result - golden)^2 / sum golden^2."""
    result, golden = result.double(), golden.double()
    return float(((result - golden) ** 2).sum() / (golden**2).sum())


def max_over_rms(result: torch.Tensor, golden: torch.Tensor) -> float:
    """The largest deviation, in units of the golden's root mean square."""
    result, golden = result.double(), golden.double()
    return float((result - golden).abs().max() / (golden**2).mean().sqrt())


def relative_entropy(probabilities: torch.Tensor) -> torch.Tensor:
    """Entropy of each attention row over that of uniform attention to the same keys, mean over rows.

    probabilities: [heads, queries, keys], rows sum to 1, keys that are masked hold exactly 0.
    Returns [heads]; 1 is uniform, 0 looks at one key only. Rows with one key are left out.
    """
    p = probabilities.double()
    keys = (p > 0).sum(-1)
    entropy = -(p * torch.where(p > 0, p, 1.0).log()).sum(-1)
    rows = keys[0] > 1
    return (entropy[:, rows] / keys[:, rows].double().log()).mean(-1)
