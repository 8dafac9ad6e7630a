package dev.berth.apiserver.store;

import java.nio.file.Path;
import java.sql.SQLException;

/// What SQLite's failures mean for people: what is wrong with the file, and what to do (STORE-02).
final class Damage {
  private static final int BUSY = 5;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int NO_DATABASE = 26;

  private Damage() {}

  /// @param what was tried, such as `read`
  static StoreException failure(String what, Path file, SQLException e) {
    return switch (e.getErrorCode() & 0xff) {
      case BUSY ->
          new StoreException(file + " is in use by another process; stop that one first", e);
      case CORRUPT -> of(file, "its pages are not what they were, or some are missing", e);
      case NO_DATABASE -> of(file, "it does not begin as a database does", e);
      case FULL ->
          new StoreException("cannot " + what + " " + file + ": the disk is full; make room", e);
      default -> new StoreException("cannot " + what + " " + file + ": " + e.getMessage(), e);
    };
  }

  /// @param finding what is wrong with it
  static StoreException of(Path file, String finding) {
    return new StoreException(words(file, finding));
  }

  private static StoreException of(Path file, String finding, SQLException e) {
    return new StoreException(words(file, finding), e);
  }

  private static String words(Path file, String finding) {
    return "%s is damaged: %s; put a backup in its place with `berth restore --replace`, or move the folder %s away to start empty"
        .formatted(file, finding, file.toAbsolutePath().resolveSibling(""));
  }
}
