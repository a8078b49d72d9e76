"""The scripts here are for the trees that the recipes make, not for this one."""

collect_ignore_glob = ["*.felt"]
