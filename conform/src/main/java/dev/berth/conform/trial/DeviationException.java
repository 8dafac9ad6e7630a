package dev.berth.conform.trial;

import java.io.Serial;

/// The driver does not do what the specification asks.
public final class DeviationException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final String expected;
  private final String found;

  /// @param expected what the specification asks for
  /// @param found what there was instead
  public DeviationException(String expected, String found) {
    super("expected " + expected + "; " + found);
    this.expected = onOneLine(expected);
    this.found = onOneLine(found);
  }

  /// Messages of the protocol have a line for each field.
  private static String onOneLine(String words) {
    return words.strip().replaceAll("\\s*\n\\s*", " ");
  }

  public String expected() {
    return expected;
  }

  public String found() {
    return found;
  }
}
