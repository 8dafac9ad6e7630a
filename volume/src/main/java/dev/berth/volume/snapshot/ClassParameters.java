package dev.berth.volume.snapshot;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A snapshot class's parameters as its driver sees them (SNAP-15).
public final class ClassParameters {
  /// All keys that are not for the driver start so.
  public static final String PREFIX = "csi.storage.k8s.io/";

  private ClassParameters() {}

  /// Those that the driver sees.
  public static Map<String, String> forDriver(Map<String, String> parameters) {
    var own = new LinkedHashMap<>(parameters);
    own.keySet().removeIf(key -> key.startsWith(PREFIX));
    return own;
  }

  /// A reserved key that nobody knows; empty: there is none.
  public static Optional<String> unknown(Map<String, String> parameters) {
    return parameters.keySet().stream()
        .filter(key -> key.startsWith(PREFIX))
        .filter(key ->
            Arrays.stream(ClassSecrets.Use.values())
                .flatMap(use -> Stream.of(use.nameKey(), use.namespaceKey()))
                .noneMatch(key::equals))
        .sorted()
        .findFirst();
  }

  /// What is said of such a key.
  public static String reserved(String key) {
    return "found unknown parameter key \"%s\" with reserved namespace %s".formatted(key, PREFIX);
  }
}
