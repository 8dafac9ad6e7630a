package dev.berth.driver.disk.file;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/// Ids of what we make: `vol-HASH-RANDOM`. The hash is that of the caller's name, so the same name
/// leads to the same record without an index; the random part makes an id that is never used again.
public final class Ids {
  private static final String DIGITS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int HASH_LENGTH = 24;
  private static final Pattern ID = Pattern.compile("[a-z]+-([a-z2-7]{24})-[0-9a-f]{8}");
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,100}");

  /// 120 bits of the hash of a name, in characters that any file system keeps apart.
  public static String hash(String name) {
    byte[] digest;
    try {
      digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    var text = new StringBuilder(HASH_LENGTH);
    long bits = 0;
    var count = 0;
    for (var i = 0; text.length() < HASH_LENGTH; i++) {
      bits = (bits << 8) | (digest[i] & 0xff);
      for (count += 8; count >= 5 && text.length() < HASH_LENGTH; count -= 5)
        text.append(DIGITS.charAt((int) (bits >> (count - 5)) & 31));
    }
    return text.toString();
  }

  /// A new id for what has this name.
  public static String fresh(String kind, String name) {
    var random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    return kind + "-" + hash(name) + "-" + random;
  }

  /// The hash in an id; empty: not one of our ids.
  public static Optional<String> hashIn(String id) {
    var matcher = ID.matcher(id);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /// A text of somebody else as the name of a file: itself where that is harmless.
  public static String fileName(String text) {
    return PLAIN.matcher(text).matches() ? text : "-" + hash(text);
  }

  private Ids() {}
}
