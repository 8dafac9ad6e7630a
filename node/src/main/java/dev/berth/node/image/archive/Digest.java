package dev.berth.node.image.archive;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// What content is known by.
///
/// @param algorithm `sha256` or `sha512`
/// @param hex lower-case
public record Digest(String algorithm, String hex) {
  public Digest {
    boolean right =
        switch (algorithm) {
          case "sha256" -> hex.matches("[0-9a-f]{64}");
          case "sha512" -> hex.matches("[0-9a-f]{128}");
          case String _ -> false;
        };
    if (!right) throw new IllegalArgumentException("no digest");
  }

  /// @param text as `sha256:` and 64 hex digits
  public static Digest parse(String text) throws BrokenImageException {
    int colon = text.indexOf(':');
    try {
      return new Digest(text.substring(0, Math.max(0, colon)), text.substring(colon + 1));
    } catch (IllegalArgumentException wrong) {
      throw new BrokenImageException(
          "\"%s\" is no digest: sha256: and 64 digits, or sha512: and 128"
              .formatted(text.length() > 200 ? text.substring(0, 200) : text));
    }
  }

  public static Digest of(byte[] content) {
    var digest = new Digest("sha256", "0".repeat(64)).begin();
    return new Digest("sha256", HexFormat.of().formatHex(digest.digest(content)));
  }

  public static Digest of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /// A reckoning whose result, if the content is this one's, [#fits].
  MessageDigest begin() {
    try {
      return MessageDigest.getInstance(algorithm.replace("sha", "SHA-"));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has both", impossible);
    }
  }

  boolean fits(MessageDigest reckoned) {
    return HexFormat.of().formatHex(reckoned.digest()).equals(hex);
  }

  @Override
  public String toString() {
    return algorithm + ":" + hex;
  }
}
