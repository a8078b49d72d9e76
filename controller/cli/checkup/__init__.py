"""What `felt doctor` looks at; every part works without the daemon and without systemd, and changes nothing."""
