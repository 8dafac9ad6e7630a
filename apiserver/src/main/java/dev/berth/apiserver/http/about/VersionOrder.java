package dev.berth.apiserver.http.about;

import java.util.Comparator;
import java.util.regex.Pattern;

/// Which version of a group clients should prefer: `v2` to `v1` to `v1beta2` to `v1alpha1` to names
/// that follow no rule (API-34).
final class VersionOrder {
  static final Comparator<String> PREFERRED_FIRST =
      Comparator.comparingInt(VersionOrder::stability)
          .thenComparing(Comparator.comparingInt(VersionOrder::major).reversed())
          .thenComparing(Comparator.comparingInt(VersionOrder::minor).reversed())
          .thenComparing(Comparator.naturalOrder());

  private static final Pattern VERSION =
      Pattern.compile("v([0-9]{1,6})(?:(alpha|beta)([0-9]{1,6}))?");

  private VersionOrder() {}

  private static int stability(String version) {
    var match = VERSION.matcher(version);
    if (!match.matches()) return 3;
    var word = match.group(2);
    return word == null ? 0 : word.equals("beta") ? 1 : 2;
  }

  private static int major(String version) {
    var match = VERSION.matcher(version);
    return match.matches() ? Integer.parseInt(match.group(1)) : 0;
  }

  private static int minor(String version) {
    var match = VERSION.matcher(version);
    return match.matches() && match.group(3) != null ? Integer.parseInt(match.group(3)) : 0;
  }
}
