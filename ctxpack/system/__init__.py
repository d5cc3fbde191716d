"""The system around ctxpack: git, programs, files, plug-ins, tokenizers, time."""
