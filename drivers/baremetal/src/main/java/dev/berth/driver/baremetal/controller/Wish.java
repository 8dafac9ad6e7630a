package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// What a class and a claim ask of a drive (BM-21, BM-22).
///
/// @param storageType upper-case word, as objects have it
/// @param type empty: any, the cheapest first
/// @param fsType empty: xfs where it fits, or raw
/// @param layout how the volume will lie on its drive
record Wish(
    String storageType,
    Optional<DriveType> type,
    String fsType,
    Wipe wipe,
    boolean block,
    Layout layout) {
  private static final Set<String> PARAMETERS =
      Set.of(
          "storageType",
          "fsType",
          "isPartitioned",
          "wipe",
          LocalVolume.PROBE,
          Marks.FAKE_ATTACH_MODE);

  /// An ext4 has hardly any room for files below.
  private static final long SMALLEST_SHARED = 1L << 20;

  /// Class `SHARED`, or with the kind of drive before it, such as `HDDSHARED` (BM-210).
  private static final String SHARED = "SHARED";

  /// A volume on a shared drive is a multiple of this many bytes.
  private static final long UNIT = 1L << 20;

  /// Its size if nobody says one.
  private static final long USUAL = 1L << 30;

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
          "storageType %s needs volume groups of LVM, and so the kernel's device mapper (CONFIG_BLK_DEV_DM), for which the driver has no back end; storageType SHARED puts several volumes on one drive without it"
              .formatted(word));
    if (!Set.of("true", "false").contains(parameters.getOrDefault(LocalVolume.PROBE, "true")))
      throw Refusal.invalid(LocalVolume.PROBE + " is true or false"); // BM-195
    var mode = parameters.getOrDefault(Marks.FAKE_ATTACH_MODE, "ro");
    if (!Set.of("ro", "rw").contains(mode))
      throw Refusal.invalid("fakeAttachMode %s: use ro or rw".formatted(mode));
    boolean shared = word.endsWith(SHARED);
    if (shared) word = word.substring(0, word.length() - SHARED.length());
    boolean block = usages.stream().anyMatch(Usage::block);
    if (block && !usages.stream().allMatch(Usage::block))
      throw Refusal.invalid("a volume is either mount or block, not both");
    var type = DriveType.named(word);
    var kind = type.map(Enum::name).orElse(shared ? "" : "ANY"); // BM-21: unknown is ANY
    var wipe = wipe(parameters);
    // BM-119: the image of one goes with it, and the last one's drive is wiped
    if (shared && wipe == Wipe.NONE)
      throw Refusal.invalid(
          "wipe none leaves a whole drive to whoever looks into it, and a volume of storageType"
              + " SHARED has none of its own; use zero");
    return new Wish(
        shared ? kind + SHARED : kind,
        type,
        block ? "" : fsType(usages, parameters.getOrDefault("fsType", "")),
        wipe,
        block,
        layout(shared, "true".equalsIgnoreCase(parameters.get("isPartitioned"))));
  }

  /// BM-21, BM-110.
  private static Layout layout(boolean shared, boolean partitioned) {
    if (shared) return Layout.SHARE;
    return partitioned ? Layout.PARTITION : Layout.DRIVE;
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

  boolean shared() {
    return layout == Layout.SHARE;
  }

  /// How many bytes a volume of this kind could have of a drive now; 0: none.
  long offered(Drive drive) {
    if (!fits(drive)) return 0;
    long bytes = shared() ? drive.room() / UNIT * UNIT : drive.available() ? drive.size() : 0;
    return bytes - aside() >= smallest() ? bytes : 0;
  }

  /// Whether a drive is of the kind.
  boolean fits(Drive drive) {
    return type.isEmpty() || type.get() == drive.type();
  }

  /// Bytes of a drive that a partition leaves for its table.
  private long aside() {
    return layout == Layout.PARTITION ? 2L << 20 : 0;
  }

  /// How many bytes a volume gets of a drive that offers so many; empty: it does not fit.
  OptionalLong size(SizeRange wanted, long offered) {
    if (!shared())
      return wanted.contains(offered) ? OptionalLong.of(offered) : OptionalLong.empty();
    var chosen = wanted.choose(Math.max(smallest(), Math.min(USUAL, offered)), UNIT);
    return chosen.isPresent() && chosen.getAsLong() >= smallest() && chosen.getAsLong() <= offered
        ? chosen
        : OptionalLong.empty();
  }

  private long smallest() {
    return switch (fsType) {
      case "xfs" -> SMALLEST_XFS;
      case "btrfs" -> SMALLEST_BTRFS;
      default -> shared() && !block ? SMALLEST_SHARED : 1;
    };
  }

  /// What is made on a volume of this size; empty: nothing, it is raw.
  String fsTypeOf(long bytes) {
    if (block || !fsType.isEmpty()) return fsType;
    return bytes - aside() >= SMALLEST_XFS ? "xfs" : "ext4";
  }
}
