package dev.berth.apiserver.backup;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The digest that backups are known by.
final class Digests {
  private Digests() {}

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
