package dev.berth.apiserver.core.cel;

import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.regex.Pattern;

/// An IP address, without zone; no IPv4 address within IPv6.
///
/// @param family 4 or 6
/// @param bits its 32 or 128 bits
record Address(int family, BigInteger bits) {
  private static final Pattern FOUR = Pattern.compile("((0|[1-9][0-9]{0,2})(\\.(?=[0-9])|$)){4}");
  private static final Pattern SIX = Pattern.compile("[0-9a-fA-F:.]{2,45}");
  private static final int GROUPS = 8;

  /// @throws IllegalArgumentException if it is none
  static Address parse(String text) {
    try {
      if (FOUR.matcher(text).matches()) return of(Inet4Address.ofLiteral(text));
      if (SIX.matcher(text).matches() && text.contains(":")) {
        var read = Inet6Address.ofLiteral(text);
        if (read instanceof Inet6Address && !text.matches("(?i)::ffff:[0-9.]+")) return of(read);
      }
    } catch (IllegalArgumentException unreadable) {
      // as for all others
    }
    throw new IllegalArgumentException(
        "IP Address \"%s\" parse error during conversion from string".formatted(text));
  }

  private static Address of(InetAddress read) {
    var bytes = read.getAddress();
    return new Address(bytes.length == 4 ? 4 : 6, new BigInteger(1, bytes));
  }

  int length() {
    return family == 4 ? 32 : 128;
  }

  /// Whether the first bits are those of `network`.
  private boolean isIn(String network) {
    return Network.parse(network).contains(this);
  }

  boolean isUnspecified() {
    return bits.signum() == 0;
  }

  boolean isLoopback() {
    return isIn(family == 4 ? "127.0.0.0/8" : "::1/128");
  }

  boolean isLinkLocalMulticast() {
    return family == 4 ? isIn("224.0.0.0/24") : isAnyMulticast() && scope() == 2;
  }

  private int scope() {
    return bits.shiftRight(112).intValue() & 0xf;
  }

  private boolean isAnyMulticast() {
    return isIn(family == 4 ? "224.0.0.0/4" : "ff00::/8");
  }

  boolean isLinkLocalUnicast() {
    return isIn(family == 4 ? "169.254.0.0/16" : "fe80::/10");
  }

  boolean isGlobalUnicast() {
    boolean broadcast = family == 4 && bits.bitCount() == length();
    return !broadcast
        && !isUnspecified()
        && !isLoopback()
        && !isAnyMulticast()
        && !isLinkLocalUnicast();
  }

  /// In the one form that everybody writes (RFC 5952).
  @Override
  public String toString() {
    var text = new StringBuilder();
    if (family == 4) {
      for (int shift = 24; shift >= 0; shift -= 8)
        text.append(bits.shiftRight(shift).intValue() & 0xff).append(shift > 0 ? "." : "");
      return text.toString();
    }
    int start = longestRun();
    int end = start + run(start);
    for (int i = 0; i < GROUPS; i++) {
      if (i == start && end - start > 1) {
        text.append("::");
        i = end - 1;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') text.append(':');
      text.append(Integer.toHexString(group(i)));
    }
    return text.toString();
  }

  private int group(int index) {
    return bits.shiftRight(16 * (GROUPS - 1 - index)).intValue() & 0xffff;
  }

  /// How many zeroes there are from a group on.
  private int run(int from) {
    int length = 0;
    while (from + length < GROUPS && group(from + length) == 0) length++;
    return length;
  }

  private int longestRun() {
    int best = 0;
    for (int i = 1; i < GROUPS; i++) if (run(i) > run(best)) best = i;
    return best;
  }
}
