"""A slow, plain second implementation of the rules, used only to doubt the first one."""
