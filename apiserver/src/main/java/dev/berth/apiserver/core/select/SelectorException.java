package dev.berth.apiserver.core.select;

/// A selector that cannot be read, or that asks for a field that cannot be selected by.
public final class SelectorException extends Exception {
  private static final long serialVersionUID = 1;

  SelectorException(String message) {
    super(message);
  }
}
