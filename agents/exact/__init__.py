"""Small games solved exactly: trees over the play kernels, CFR+, best responses."""
