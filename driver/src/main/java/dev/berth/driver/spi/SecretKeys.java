package dev.berth.driver.spi;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Which secrets a driver needs, call by call (SEC-05): told when it starts, and asked for before
/// the driver is called.
///
/// ValidateVolumeCapabilities, ListSnapshots, GetSnapshot and GetVolumeGroupSnapshot may bring
/// secrets too; a driver does not get them, and has to answer these from what it knows by itself
/// (SEC-01).
///
/// A caller may send one map to all calls, so a key means the same thing in each of them.
///
/// @param needed a call that is not in it needs none
public record SecretKeys(Map<Call, Set<String>> needed) {
  public static final SecretKeys NONE = new SecretKeys(Map.of());

  /// Calls that bring secrets to a driver.
  public enum Call {
    CREATE_VOLUME("CreateVolume"),
    DELETE_VOLUME("DeleteVolume"),
    PUBLISH_VOLUME("ControllerPublishVolume"),
    UNPUBLISH_VOLUME("ControllerUnpublishVolume"),
    EXPAND_VOLUME("ControllerExpandVolume"),
    MODIFY_VOLUME("ControllerModifyVolume"),
    CREATE_SNAPSHOT("CreateSnapshot"),
    DELETE_SNAPSHOT("DeleteSnapshot"),
    CREATE_GROUP("CreateVolumeGroupSnapshot"),
    DELETE_GROUP("DeleteVolumeGroupSnapshot"),
    METADATA_ALLOCATED("GetMetadataAllocated"),
    METADATA_DELTA("GetMetadataDelta"),
    NODE_STAGE("NodeStageVolume"),
    NODE_PUBLISH("NodePublishVolume"),
    NODE_EXPAND("NodeExpandVolume");

    private final String rpc;

    Call(String rpc) {
      this.rpc = rpc;
    }

    @Override
    public String toString() {
      return rpc;
    }
  }

  public SecretKeys {
    needed =
        needed.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(Map.Entry::getKey, it -> Set.copyOf(it.getValue())));
    needed.forEach((call, keys) -> keys.forEach(key -> check(call, key)));
  }

  private static void check(Call call, String key) {
    if (!isKey(key))
      throw new IllegalArgumentException(
          "%s: a secret cannot have the key %s; use letters, digits, '-', '_' and '.'"
              .formatted(call, key));
  }

  /// Whether a secret can have this key.
  public static boolean isKey(String text) {
    return text.matches("[A-Za-z0-9._-]+");
  }

  /// These, and more for one call.
  public SecretKeys with(Call call, String... keys) {
    var all = new EnumMap<Call, Set<String>>(Call.class);
    all.putAll(needed);
    all.put(call, Set.of(keys));
    return new SecretKeys(all);
  }

  /// What is missing of what a call needs; empty: nothing.
  public Optional<Set<String>> missing(Call call, Set<String> given) {
    var missing = new TreeSet<>(needed.getOrDefault(call, Set.of()));
    missing.removeAll(given);
    return missing.isEmpty() ? Optional.empty() : Optional.of(missing);
  }

  /// For people: `CreateVolume: password, user; NodeStageVolume: password`.
  @Override
  public String toString() {
    return new EnumMap<>(needed)
        .entrySet().stream()
            .map(it -> it.getKey() + ": " + String.join(", ", new TreeSet<>(it.getValue())))
            .collect(Collectors.joining("; "));
  }
}
