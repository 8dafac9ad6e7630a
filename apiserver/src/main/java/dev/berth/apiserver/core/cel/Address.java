package dev.berth.apiserver.core.cel;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// An IP address, without zone; no IPv4 address within IPv6.
///
/// @param family 4 or 6
/// @param bits its 32 or 128 bits
public record Address(int family, BigInteger bits) {
  private static final Pattern FOUR = Pattern.compile("((0|[1-9][0-9]{0,2})(\\.(?=[0-9])|$)){4}");
  private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");
  private static final int GROUPS = 8;

  /// @throws IllegalArgumentException if it is none
  public static Address parse(String text) {
    if (FOUR.matcher(text).matches()) return new Address(4, four(text));
    int gap = text.indexOf("::");
    if (text.length() > 45 || !text.contains(":")) throw unreadable(text);
    var front = groups(gap < 0 ? text : text.substring(0, gap));
    var back = gap < 0 ? List.<Integer>of() : groups(text.substring(gap + 2));
    int missing = GROUPS - front.size() - back.size();
    if (gap < 0 ? missing != 0 : missing < 1) throw unreadable(text);
    var bits = BigInteger.ZERO;
    for (int i = 0; i < GROUPS; i++) {
      int group = 0;
      if (i < front.size()) group = front.get(i);
      else if (i >= front.size() + missing) group = back.get(i - front.size() - missing);
      bits = bits.shiftLeft(16).or(BigInteger.valueOf(group));
    }
    if (bits.shiftRight(32).equals(BigInteger.valueOf(0xffff))) throw unreadable(text);
    return new Address(6, bits);
  }

  private static BigInteger four(String text) {
    long bits = 0;
    for (var part : text.split("\\.", -1)) {
      int number = Integer.parseInt(part);
      if (number > 255) throw unreadable(text);
      bits = bits << 8 | number;
    }
    return BigInteger.valueOf(bits);
  }

  /// Of 16 bits each; an IPv4 address at the end is two.
  private static List<Integer> groups(String text) {
    var groups = new ArrayList<Integer>();
    if (text.isEmpty()) return groups;
    var parts = text.split(":", -1);
    for (int i = 0; i < parts.length; i++) {
      if (i == parts.length - 1 && FOUR.matcher(parts[i]).matches()) {
        long bits = four(parts[i]).longValue();
        groups.add((int) (bits >> 16));
        groups.add((int) (bits & 0xffff));
      } else if (GROUP.matcher(parts[i]).matches()) {
        groups.add(Integer.parseInt(parts[i], 16));
      } else {
        throw unreadable(text);
      }
    }
    return groups;
  }

  private static IllegalArgumentException unreadable(String text) {
    return new IllegalArgumentException(
        "IP Address \"%s\" parse error during conversion from string".formatted(text));
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
