"""``python -m ctxpack`` is the same as ``ctxpack``."""

from ctxpack.cli import main

main()
