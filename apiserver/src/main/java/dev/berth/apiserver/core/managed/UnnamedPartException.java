package dev.berth.apiserver.core.managed;

/// A part cannot be told apart from others, or its name cannot be read.
final class UnnamedPartException extends Exception {
  private static final long serialVersionUID = 1;

  UnnamedPartException(String why) {
    super(why);
  }
}
