package dev.berth.apiserver.store;

/// The disk did not do what it was asked; the message says what, where and how to mend it.
public final class StoreException extends Exception {
  private static final long serialVersionUID = 1;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
