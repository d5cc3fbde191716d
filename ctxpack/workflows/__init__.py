"""What is done with packs: ask a model, evaluate, refresh files, explain an absence, diagnose an installation."""
