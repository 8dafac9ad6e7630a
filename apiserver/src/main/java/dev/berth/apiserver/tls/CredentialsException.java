package dev.berth.apiserver.tls;

import java.nio.file.Path;

/// A file with a key, a certificate or a token cannot be read, understood or written.
public final class CredentialsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Path file;

  CredentialsException(Path file, String message, Throwable cause) {
    super(message, cause);
    this.file = file;
  }

  static CredentialsException unreadable(Path file, Throwable cause) {
    return new CredentialsException(file, "read " + file + ": " + cause, cause);
  }

  static CredentialsException unwritable(Path file, Throwable cause) {
    return new CredentialsException(file, "write " + file + ": " + cause, cause);
  }

  /// The cause's own text is left out: it might quote the file.
  static CredentialsException damaged(Path file, Throwable cause) {
    return new CredentialsException(
        file,
        "read " + file + ": not what was written there; delete it, the next start makes a new one",
        cause);
  }

  /// The file in question.
  public Path file() {
    return file;
  }
}
