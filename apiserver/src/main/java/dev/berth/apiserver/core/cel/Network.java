package dev.berth.apiserver.core.cel;

import java.math.BigInteger;

/// A range of IP addresses: an address, of which the first bits count.
record Network(Address address, int prefix) {
  /// @param text such as `10.0.0.0/8`
  /// @throws IllegalArgumentException if it is none
  static Network parse(String text) {
    int slash = text.indexOf('/');
    var length = text.substring(slash + 1);
    if (slash > 0 && length.matches("0|[1-9][0-9]{0,2}")) {
      var address = Address.parse(text.substring(0, slash));
      int prefix = Integer.parseInt(length);
      if (prefix <= address.length()) return new Network(address, prefix);
    }
    throw new IllegalArgumentException(
        "network address parse error during conversion from string: \"%s\"".formatted(text));
  }

  private BigInteger first(Address of) {
    return of.bits().shiftRight(of.length() - prefix);
  }

  boolean contains(Address other) {
    return other.family() == address.family() && first(other).equals(first(address));
  }

  boolean contains(Network other) {
    return other.prefix >= prefix && contains(other.address);
  }

  /// With all other bits zero.
  Network masked() {
    int rest = address.length() - prefix;
    var bits = address.bits().shiftRight(rest).shiftLeft(rest);
    return new Network(new Address(address.family(), bits), prefix);
  }

  @Override
  public String toString() {
    return address + "/" + prefix;
  }
}
