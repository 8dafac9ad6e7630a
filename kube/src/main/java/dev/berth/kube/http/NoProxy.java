package dev.berth.kube.http;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Servers that are asked directly, as Go's clients read `NO_PROXY`: `*`, a name with what is below
/// it, `.name` or `*.name` only for that, an address, or a range of them; names and addresses may
/// have a port.
record NoProxy(List<String> entries) {
  NoProxy {
    entries =
        entries.stream()
            .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
            .filter(entry -> !entry.isEmpty())
            .toList();
  }

  /// @param host an address of IPv6 perhaps in brackets
  boolean names(String host, int port) {
    var name = host.toLowerCase(Locale.ROOT).replaceAll("[\\[\\]]", "");
    var address = address(name);
    return isLocal(name, address)
        || entries.stream().anyMatch(entry -> names(entry, name, address, port));
  }

  /// Whatever it says: a proxy elsewhere would reach another machine by that name.
  private static boolean isLocal(String name, Optional<InetAddress> address) {
    return name.equals("localhost") || address.filter(InetAddress::isLoopbackAddress).isPresent();
  }

  private static boolean names(String entry, String name, Optional<InetAddress> address, int port) {
    if (entry.equals("*")) return true;
    int slash = entry.indexOf('/');
    if (slash >= 0) return address.filter(it -> isIn(it, entry, slash)).isPresent();
    boolean whole = address(entry).isPresent(); // an address of IPv6 has colons
    int colon = whole ? -1 : entry.lastIndexOf(':');
    var wanted = (colon < 0 ? entry : entry.substring(0, colon)).replaceAll("[\\[\\]]", "");
    if (colon >= 0 && !entry.substring(colon + 1).equals(Integer.toString(port))) return false;
    var wantedAddress = address(wanted);
    if (wantedAddress.isPresent()) return wantedAddress.equals(address);
    var bare = wanted.startsWith("*.") ? wanted.substring(1) : wanted;
    if (bare.isEmpty()) return false;
    return bare.startsWith(".")
        ? name.endsWith(bare)
        : name.equals(bare) || name.endsWith("." + bare);
  }

  private static boolean isIn(InetAddress address, String range, int slash) {
    var first = address(range.substring(0, slash)).map(InetAddress::getAddress);
    var bits = range.substring(slash + 1);
    var bytes = address.getAddress();
    if (first.isEmpty() || first.get().length != bytes.length || !bits.matches("[0-9]{1,3}"))
      return false;
    int length = Integer.parseInt(bits);
    if (length > bytes.length * 8) return false;
    int whole = length / 8;
    if (!Arrays.equals(bytes, 0, whole, first.get(), 0, whole)) return false;
    int rest = length % 8;
    return rest == 0 || ((bytes[whole] ^ first.get()[whole]) & 0xFF) >> (8 - rest) == 0;
  }

  /// Looks nothing up.
  private static Optional<InetAddress> address(String text) {
    if (!text.matches("[0-9]+\\.[0-9.]+|[0-9a-f:]*:[0-9a-f:.]*")) return Optional.empty();
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException none) {
      return Optional.empty();
    }
  }
}
