package dev.berth.conform.trial;

/// What the volumes of a run are used as.
public enum Access {
  MOUNT,
  BLOCK
}
