package dev.berth.apiserver.core.kind.network;

import dev.berth.apiserver.core.field.Field;
import java.util.regex.Pattern;

/// Addresses of the Internet protocols, as texts; nothing is looked up.
final class Addresses {
  private static final Pattern V4 =
      Pattern.compile("((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.(?!$)|$)){4}");
  private static final Pattern V6 = Pattern.compile("(?=.*:)[0-9a-fA-F:]{2,39}(:[0-9.]{7,15})?");

  private Addresses() {}

  /// Says what is wrong with one.
  static void check(Field address) {
    if (!V4.matcher(address.text()).matches() && !isV6(address.text()))
      address.invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
  }

  static boolean isV4(String text) {
    return V4.matcher(text).matches();
  }

  private static boolean isV6(String text) {
    if (!V6.matcher(text).matches() || text.contains(":::")) return false;
    int shortened = text.indexOf("::");
    if (shortened >= 0 && text.indexOf("::", shortened + 1) >= 0) return false;
    var parts = text.split(":", -1);
    for (var part : parts) if (part.length() > 4 && !part.contains(".")) return false;
    return shortened >= 0 ? parts.length <= 9 : parts.length == 8;
  }
}
