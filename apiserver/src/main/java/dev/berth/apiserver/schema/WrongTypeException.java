package dev.berth.apiserver.schema;

/// A value is not of its field's type.
public final class WrongTypeException extends Exception {
  private static final long serialVersionUID = 1;

  /// @param path of the value, such as `spec.accessModes`
  WrongTypeException(String path, String expected, String found) {
    super(path + ": expected " + expected + ", found " + found);
  }
}
