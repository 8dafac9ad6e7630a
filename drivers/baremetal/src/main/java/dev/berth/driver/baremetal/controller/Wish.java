package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Usage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What a class and a claim ask of a drive (BM-21, BM-22).
///
/// @param storageType upper-case word, as objects have it
/// @param type empty: any, the cheapest first
/// @param fsType empty: xfs where it fits, or raw
record Wish(String storageType, Optional<DriveType> type, String fsType, Wipe wipe, boolean block) {
  private static final Set<String> PARAMETERS =
      Set.of(
          "storageType",
          "fsType",
          "isPartitioned",
          "wipe",
          LocalVolume.PROBE,
          Marks.FAKE_ATTACH_MODE);
  private static final Set<String> GROUPS = Set.of("HDDLVG", "SSDLVG", "NVMELVG", "SYSLVG");

  /// mkfs.xfs refuses less (BM-242).
  private static final long SMALLEST_XFS = 300L << 20;

  /// mkfs.btrfs, likewise.
  private static final long SMALLEST_BTRFS = 110L << 20;

  /// Reads the parameters of a class.
  ///
  /// @throws Refusal INVALID for what makes no sense, WRONG_STATE for what this machine cannot do
  static Wish of(List<Usage> usages, Map<String, String> parameters) {
    for (var key : parameters.keySet())
      if (!PARAMETERS.contains(key))
        throw Refusal.invalid(
            "parameter %s is unknown; there are %s"
                .formatted(key, String.join(", ", PARAMETERS.stream().sorted().toList())));
    var word = parameters.getOrDefault("storageType", "ANY").toUpperCase(Locale.ROOT);
    // BM-221
    if (GROUPS.contains(word))
      throw Refusal.wrongState(
          "storageType %s needs volume groups, and this version of the driver has none; use ANY, HDD, SSD or NVME"
              .formatted(word));
    if ("true".equalsIgnoreCase(parameters.get("isPartitioned")))
      throw Refusal.invalid("isPartitioned is not supported yet: volumes are whole drives");
    if (!Set.of("true", "false").contains(parameters.getOrDefault(LocalVolume.PROBE, "true")))
      throw Refusal.invalid(LocalVolume.PROBE + " is true or false"); // BM-195
    var mode = parameters.getOrDefault(Marks.FAKE_ATTACH_MODE, "ro");
    if (!Set.of("ro", "rw").contains(mode))
      throw Refusal.invalid("fakeAttachMode %s: use ro or rw".formatted(mode));
    boolean block = usages.stream().anyMatch(Usage::block);
    if (block && !usages.stream().allMatch(Usage::block))
      throw Refusal.invalid("a volume is either mount or block, not both");
    return new Wish(
        DriveType.named(word).map(Enum::name).orElse("ANY"), // BM-21: unknown is ANY
        DriveType.named(word),
        block ? "" : fsType(usages, parameters.getOrDefault("fsType", "")),
        wipe(parameters),
        block);
  }

  private static Wipe wipe(Map<String, String> parameters) {
    var word = parameters.getOrDefault("wipe", "zero");
    return Wipe.named(word)
        .orElseThrow(() ->
            Refusal.invalid("wipe %s: use discard, zero, signatures or none".formatted(word)));
  }

  private static String fsType(List<Usage> usages, String ofClass) {
    var wanted = ofClass;
    for (var usage : usages)
      if (usage.access() instanceof Access.Mount(var type, var flags, _)) {
        for (var flag : flags)
          if (!flag.equals("noatime"))
            throw Refusal.invalid("of mount options only noatime is supported");
        if (type.isEmpty()) continue;
        if (!wanted.isEmpty() && !wanted.equals(type))
          throw Refusal.invalid("fsType %s and %s are both asked for".formatted(wanted, type));
        wanted = type;
      }
    if (!Set.of("", "ext4", "xfs", "btrfs").contains(wanted))
      throw Refusal.invalid("fsType %s is not supported, only btrfs, ext4, xfs".formatted(wanted));
    return wanted;
  }

  /// Whether a drive is of the kind that is asked for, and its file system fits on it.
  boolean accepts(Drive drive) {
    if (type.isPresent() && type.get() != drive.type()) return false;
    return drive.size()
        >= switch (fsType) {
          case "xfs" -> SMALLEST_XFS;
          case "btrfs" -> SMALLEST_BTRFS;
          default -> 0;
        };
  }

  /// What is made on a drive; empty: nothing, it is raw.
  String fsTypeOn(Drive drive) {
    if (block || !fsType.isEmpty()) return fsType;
    return drive.size() >= SMALLEST_XFS ? "xfs" : "ext4";
  }
}
