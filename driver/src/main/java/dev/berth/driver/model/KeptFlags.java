package dev.berth.driver.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeSet;

/// Mount flags as a driver keeps them: one word that tells whether others are the same, and not
/// what they are, as they may hold secrets.
final class KeptFlags {
  private static final String MARK = "sha256:";

  /// The word for these flags, in whatever order; none for none. Kept ones are it already.
  static List<String> of(List<String> flags) {
    if (flags.isEmpty() || isKept(flags)) return flags;
    var digest = sha256();
    for (var flag : new TreeSet<>(flags)) {
      digest.update(flag.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0); // so that "ab" is not "a" and "b"; no mount takes one in a flag
    }
    return List.of(MARK + HexFormat.of().formatHex(digest.digest()));
  }

  /// Whether two mean the same, each kept or not.
  static boolean same(List<String> some, List<String> others) {
    return of(some).equals(of(others));
  }

  private static boolean isKept(List<String> flags) {
    return flags.size() == 1 && flags.getFirst().startsWith(MARK);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private KeptFlags() {}
}
