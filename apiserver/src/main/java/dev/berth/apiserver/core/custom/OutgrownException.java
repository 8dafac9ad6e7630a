package dev.berth.apiserver.core.custom;

/// The defaults of its schema would make more of an object than anybody may send.
public final class OutgrownException extends RuntimeException {
  private static final long serialVersionUID = 1;

  OutgrownException() {
    super("the defaults of its schema make the object larger than any may be");
  }
}
