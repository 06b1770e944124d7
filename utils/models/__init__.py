"""Every dataclass and enum that crosses a boundary; behaviour lives elsewhere."""
