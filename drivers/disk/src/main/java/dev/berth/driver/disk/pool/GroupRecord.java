package dev.berth.driver.disk.pool;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Snapshots that were cut together. With this record its members come into being, and go.
public record GroupRecord(
    String id, String name, List<String> memberIds, Instant cut, Map<String, String> parameters) {
  public GroupRecord {
    memberIds = List.copyOf(memberIds);
    parameters = Map.copyOf(parameters);
  }

  Map<String, String> values() {
    var values = new TreeMap<String, String>();
    values.put("id", id);
    values.put("name", name);
    values.put("members", String.join(",", memberIds));
    values.put("cut", cut.toString());
    parameters.forEach((key, value) -> values.put("parameter." + key, value));
    return values;
  }

  static GroupRecord of(Map<String, String> values) {
    return new GroupRecord(
        values.getOrDefault("id", ""),
        values.getOrDefault("name", ""),
        List.of(values.getOrDefault("members", "").split(",")),
        Instant.parse(values.getOrDefault("cut", "")),
        SnapshotRecord.parameters(values));
  }
}
