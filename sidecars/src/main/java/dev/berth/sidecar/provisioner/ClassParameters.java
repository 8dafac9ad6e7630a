package dev.berth.sidecar.provisioner;

import dev.berth.sidecar.secret.ClassKeys;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A class's parameters, parted into ours and the driver's (PROV-34, PROV-35).
///
/// @param fsType file system that the class names; empty: none
/// @param forDriver what the driver is sent
public record ClassParameters(String fsType, Map<String, String> forDriver) {
  public ClassParameters {
    forDriver = Map.copyOf(forDriver);
  }

  /// That two parameters name a file system, for people; empty: they do not (PROV-34).
  static Optional<String> twoFileSystems(Map<String, String> parameters) {
    return parameters.keySet().stream().filter(ClassParameters::namesFsType).count() > 1
        ? Optional.of(
            "fstype specified in parameters with both \"fstype\" and \"%s\" keys"
                .formatted(ClassKeys.FS_TYPE))
        : Optional.empty();
  }

  /// A parameter that nobody understands, for people; empty: there is none (PROV-35).
  static Optional<String> unknownKey(Map<String, String> parameters) {
    return parameters.keySet().stream()
        .filter(key -> key.startsWith(ClassKeys.PREFIX) && !ClassKeys.known(key))
        .sorted()
        .findFirst()
        .map(key ->
            "found unknown parameter key \""
                + key
                + "\" with reserved namespace "
                + ClassKeys.PREFIX);
  }

  /// Reads parameters without a complaint.
  public static ClassParameters of(Map<String, String> parameters) {
    var forDriver = new TreeMap<String, String>();
    parameters.forEach((key, value) -> {
      if (!key.startsWith(ClassKeys.PREFIX)) forDriver.put(key, value);
    });
    var fsType =
        parameters.entrySet().stream()
            .filter(parameter -> namesFsType(parameter.getKey()))
            .map(Map.Entry::getValue)
            .findFirst();
    return new ClassParameters(fsType.orElse(""), forDriver);
  }

  private static boolean namesFsType(String key) {
    return key.equals(ClassKeys.FS_TYPE) || key.equalsIgnoreCase("fstype");
  }
}
