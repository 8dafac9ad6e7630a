package dev.berth.node.plugin;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A version of the registration API as a plugin offers it: `1.0.0`, `v1.2`.
public record PluginVersion(int major, int minor, int patch) implements Comparable<PluginVersion> {
  private static final int SPOKEN = 1;

  private static final Pattern TEXT =
      Pattern.compile("v?(\\d{1,6})(?:\\.(\\d{1,6}))?(?:\\.(\\d{1,6}))?");

  private static final Comparator<PluginVersion> ORDER =
      Comparator.comparingInt(PluginVersion::major)
          .thenComparingInt(PluginVersion::minor)
          .thenComparingInt(PluginVersion::patch);

  /// NREG-05: the newest that is not above 1 must be a 1.x; what cannot be read does not count.
  static Optional<PluginVersion> newest(List<String> offered) {
    return offered.stream()
        .flatMap(text -> parse(text).stream())
        .filter(version -> version.major == SPOKEN)
        .max(ORDER);
  }

  private static Optional<PluginVersion> parse(String text) {
    var matcher = TEXT.matcher(text);
    if (!matcher.matches()) return Optional.empty();
    return Optional.of(
        new PluginVersion(
            number(matcher.group(1)), number(matcher.group(2)), number(matcher.group(3))));
  }

  private static int number(@Nullable String digits) {
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  @Override
  public int compareTo(PluginVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major + "." + minor + "." + patch;
  }
}
