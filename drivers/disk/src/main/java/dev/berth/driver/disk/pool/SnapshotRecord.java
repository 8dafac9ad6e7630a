package dev.berth.driver.disk.pool;

import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Snapshot.Kind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// A snapshot as it stands on disk.
///
/// @param name the caller's name, or [#memberName]
/// @param sectorBytes that of its volume, and of all that is made from it
/// @param kind of its volume; empty: a record that names none, of which nothing is refused
/// @param groupId the group without which this member does not exist
public record SnapshotRecord(
    String id,
    String name,
    String volumeId,
    long sizeBytes,
    int sectorBytes,
    Instant cut,
    Optional<Kind> kind,
    Optional<String> groupId,
    Map<String, String> parameters) {
  private static final String PARAMETER = "parameter.";

  public SnapshotRecord {
    parameters = Map.copyOf(parameters);
  }

  /// The name of a group's member. No caller can give a snapshot such a name: none holds a U+0000
  /// (ERR-12), and names are what snapshots are found by.
  public static String memberName(String group, String volumeId) {
    return group + "\0" + volumeId;
  }

  public Snapshot snapshot() {
    return new Snapshot(id, name, volumeId, parameters, kind, sizeBytes, cut, true, groupId);
  }

  Map<String, String> values() {
    var values = new TreeMap<String, String>();
    values.put("id", id);
    values.put("name", name);
    values.put("volume", volumeId);
    values.put("size", Long.toString(sizeBytes));
    values.put(Disk.SECTOR, Integer.toString(sectorBytes));
    values.put("cut", cut.toString());
    kind.ifPresent(it -> values.put("kind", it.name()));
    groupId.ifPresent(group -> values.put("group", group));
    parameters.forEach((key, value) -> values.put(PARAMETER + key, value));
    return values;
  }

  static SnapshotRecord of(Map<String, String> values) {
    return new SnapshotRecord(
        values.getOrDefault("id", ""),
        values.getOrDefault("name", ""),
        values.getOrDefault("volume", ""),
        Long.parseLong(values.getOrDefault("size", "0")),
        Disk.sector(values),
        Instant.parse(values.getOrDefault("cut", "")),
        Optional.ofNullable(values.get("kind")).map(Kind::valueOf),
        Optional.ofNullable(values.get("group")),
        parameters(values));
  }

  static Map<String, String> parameters(Map<String, String> values) {
    return values.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(PARAMETER))
        .collect(
            Collectors.toMap(
                entry -> entry.getKey().substring(PARAMETER.length()), Map.Entry::getValue));
  }
}
