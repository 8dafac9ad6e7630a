package dev.berth.linux.tool;

import java.util.Map;

/// What is on a block device.
public sealed interface Content {
  /// No signature of any kind: safe to format.
  record Blank() implements Content {}

  /// A file system.
  ///
  /// @param type as blkid names it, such as `ext4`; not always one that Berth makes
  /// @param label empty: none
  /// @param uuid empty: none
  record FileSystem(String type, String label, String uuid) implements Content {}

  /// Something else: a partition table, a RAID or LVM member, a swap area, encrypted data.
  ///
  /// @param type as blkid names it, such as `gpt`, `LVM2_member`
  /// @param id by which it is told from another of its type; empty: it has none
  record SomethingElse(String type, String id) implements Content {}

  /// Several signatures at once: blkid does not decide, neither should we.
  record Ambiguous(String words) implements Content {}

  /// Reads `blkid -p -o export`.
  static Content parse(Map<String, String> values) {
    var type = values.getOrDefault("TYPE", "");
    if ("filesystem".equals(values.get("USAGE")))
      return new FileSystem(
          type, values.getOrDefault("LABEL", ""), values.getOrDefault("UUID", ""));
    if (!type.isEmpty()) return new SomethingElse(type, values.getOrDefault("UUID", ""));
    var table = values.get("PTTYPE");
    return table == null
        ? new Blank()
        : new SomethingElse(table, values.getOrDefault("PTUUID", ""));
  }
}
