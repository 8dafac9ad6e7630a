package dev.berth.sidecar.provisioner.topology;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/// Spreads the claims of a StatefulSet over segments: by the hash of the set's name, shifted by the
/// replica's number (PROV-88).
public final class NameSpread {
  private static final Pattern NUMBERED = Pattern.compile("(.*)-(\\d{1,10})");
  private static final int OFFSET_BASIS = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private NameSpread() {}

  /// Which of `count` segments a claim starts at.
  public static int start(String claimName, int count) {
    var set = claimName;
    int number = 0;
    var match = NUMBERED.matcher(claimName);
    if (match.matches() && Long.parseLong(match.group(2)) <= 0xffff_ffffL) {
      set = match.group(1).substring(match.group(1).lastIndexOf('-') + 1);
      number = Integer.parseUnsignedInt(match.group(2));
    }
    return Integer.remainderUnsigned(fnv1(set) + number, count);
  }

  /// 32-bit FNV-1, not FNV-1a.
  static int fnv1(String text) {
    int hash = OFFSET_BASIS;
    for (byte octet : text.getBytes(StandardCharsets.UTF_8)) hash = hash * PRIME ^ (octet & 0xff);
    return hash;
  }
}
