package dev.berth.node.image.archive;

import java.io.IOException;

/// An image cannot be taken as it is; the message says to people why, and what would be.
public final class BrokenImageException extends IOException {
  private static final long serialVersionUID = 1;

  public BrokenImageException(String message) {
    super(message);
  }
}
