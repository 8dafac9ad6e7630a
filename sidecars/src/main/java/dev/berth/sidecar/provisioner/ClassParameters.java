package dev.berth.sidecar.provisioner;

import dev.berth.sidecar.secret.ClassKeys;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A class's parameters, parted into ours and the driver's (PROV-34, PROV-35).
///
/// @param fsType file system that the class names; empty: none
/// @param forDriver what the driver is sent
record ClassParameters(String fsType, Map<String, String> forDriver) {
  ClassParameters {
    forDriver = Map.copyOf(forDriver);
  }

  /// What is wrong with the parameters, for people; empty: nothing.
  static Optional<String> complaint(Map<String, String> parameters) {
    if (parameters.keySet().stream().filter(ClassParameters::namesFsType).count() > 1)
      return Optional.of("the file system type is given more than once");
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
  static ClassParameters of(Map<String, String> parameters) {
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
