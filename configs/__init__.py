"""The experiments as YAML files, shipped with the package; see `experiments.config.find_config`."""
