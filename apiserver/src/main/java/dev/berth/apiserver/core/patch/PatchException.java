package dev.berth.apiserver.core.patch;

/// A patch that is none, or that does not fit the object.
public final class PatchException extends Exception {
  private static final long serialVersionUID = 1;

  /// What is wrong.
  public enum Fault {
    /// It is not a patch of its type at all.
    MALFORMED,
    /// An operation cannot be carried out on this object.
    NOT_APPLICABLE,
    /// It has more operations than we accept.
    TOO_LARGE
  }

  private final Fault fault;
  private final String field;

  /// @param field operation and path, such as `[2]/spec/x`; empty: the whole patch
  PatchException(Fault fault, String field, String message) {
    super(message);
    this.fault = fault;
    this.field = field;
  }

  static PatchException malformed(String message) {
    return new PatchException(Fault.MALFORMED, "", message);
  }

  public Fault fault() {
    return fault;
  }

  public String field() {
    return field;
  }
}
