package dev.berth.apiserver.backup;

/// A file is not the backup that it should be, or cannot be restored here; the message says what is
/// wrong, and what to do.
public final class BackupException extends Exception {
  private static final long serialVersionUID = 1;

  BackupException(String message) {
    super(message);
  }

  BackupException(String message, Throwable cause) {
    super(message, cause);
  }
}
