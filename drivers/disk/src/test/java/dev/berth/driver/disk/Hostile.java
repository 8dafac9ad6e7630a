package dev.berth.driver.disk;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.csi.v1.VolumeCapability.MountVolume;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// Makes requests that nobody should make, from a seed: any field may be missing, and what is there
/// may be anything, among it what the driver knows.
final class Hostile {
  /// In every secret; must be found nowhere else.
  static final String SECRET = "S3CR3T";

  private static final String LONG = "x".repeat(5000);
  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "../../outside/kept",
          "..",
          "/",
          "/dev/null",
          "/proc/self/root",
          "a\0b",
          "a\nb\tc\\d",
          "\u202e\ud83d\ude00\u0000\u0085",
          "-o",
          "--help",
          "$(touch outside/made)",
          "'; touch outside/made; '",
          "%s%n%d",
          LONG,
          "x".repeat(128),
          "x".repeat(129),
          "ü".repeat(64),
          "vol-" + "a".repeat(24) + "-00000000",
          "snap-" + "a".repeat(24) + "-00000000",
          "ro,loop,errors=panic",
          "context=\"a,b\"");
  private static final List<Long> NUMBERS =
      List.of(
          0L,
          1L,
          -1L,
          4096L,
          1L << 24,
          (1L << 24) + 1,
          1L << 40,
          1L << 62,
          Long.MAX_VALUE,
          Long.MIN_VALUE);
  private static final List<String> KEYS =
      List.of(
          "pool",
          "allocation",
          "readIops",
          "writeBytesPerSecond",
          "csi.storage.k8s.io/ephemeral",
          "csi.storage.k8s.io/pvc/name",
          "csi.storage.k8s.io/serviceAccount.tokens",
          "topology.disk.berth.dev/zone",
          "size");
  private static final List<String> VALUES =
      List.of("thick", "thin", "1000", "-1", "1e9", "9223372036854775808", "true", "64Mi", "../x");

  /// Whose presence makes most requests senseless.
  private static final Set<String> RARE =
      Set.of(
          "accessibility_requirements",
          "volume_content_source",
          "accessible_topology",
          "starting_token");

  private final Random random;
  private final List<String> ids;
  private final Path staging;
  private final Path target;
  private final List<Path> places;

  /// @param ids of what exists
  /// @param staging where the first of these is staged
  /// @param target where it may be published
  /// @param places others, and links and detours to where nothing may be mounted
  Hostile(long seed, List<String> ids, Path staging, Path target, List<Path> places) {
    this.random = new Random(seed);
    this.ids = ids;
    this.staging = staging;
    this.target = target;
    this.places = places;
  }

  Message request(Message prototype) {
    var message = prototype.newBuilderForType();
    for (var field : prototype.getDescriptorForType().getFields()) {
      if (random.nextInt(10) < (RARE.contains(field.getName()) ? 8 : 1)) continue;
      if (field.isMapField()) {
        for (var i = Math.max(0, random.nextInt(5) - 2); i > 0; i--)
          message.addRepeatedField(field, entry(message, field));
      } else if (field.isRepeated()) {
        for (var i = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2); i > 0; i--)
          message.addRepeatedField(field, value(message, field));
      } else message.setField(field, value(message, field));
    }
    return message.build();
  }

  private Message entry(Message.Builder parent, FieldDescriptor field) {
    var entry = parent.newBuilderForField(field);
    var fields = field.getMessageType().getFields();
    var secret = field.getName().equals("secrets");
    entry.setField(fields.get(0), oneOf(random.nextInt(3) == 0 ? TEXTS : KEYS));
    var key = entry.getField(fields.get(0)).toString();
    entry.setField(
        fields.get(1),
        secret || key.endsWith("tokens")
            ? SECRET + random.nextInt()
            : oneOf(random.nextInt(3) == 0 ? TEXTS : VALUES));
    return entry.build();
  }

  private Object value(Message.Builder parent, FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case MESSAGE -> message(parent.newBuilderForField(field).build());
      case STRING -> text(field.getName());
      case BOOLEAN -> random.nextBoolean();
      case INT -> oneOf(NUMBERS).intValue();
      case LONG -> oneOf(NUMBERS);
      case ENUM -> enumeration(field);
      default -> throw new IllegalStateException("CSI has no field like " + field);
    };
  }

  /// Mostly sound where a fault would hide all that comes after it.
  private Message message(Message prototype) {
    if (random.nextInt(4) == 0) return request(prototype);
    return switch (prototype) {
      case VolumeCapability _ -> {
        var mode = Mode.forNumber(1 + random.nextInt(7));
        yield random.nextInt(4) == 0
            ? DiskWorld.block(mode)
            : DiskWorld.mount(mode).toBuilder()
                .setMount(
                    MountVolume.newBuilder()
                        .setFsType("ext4")
                        .addAllMountFlags(
                            random.nextInt(4) == 0 ? List.of(text("mount_flags")) : List.of()))
                .build();
      }
      case CapacityRange range ->
          range.toBuilder().setRequiredBytes((1L + random.nextInt(32)) << 20).build();
      default -> request(prototype);
    };
  }

  private EnumValueDescriptor enumeration(FieldDescriptor field) {
    return field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(10));
  }

  /// Half of the time what the driver knows, or it would never get further than to the first look.
  private String text(String field) {
    // Never a real place of this machine: a driver with a fault would do it harm.
    if (field.endsWith("path")) return place(field);
    if (random.nextInt(4) == 0) return oneOf(TEXTS);
    return switch (field) {
      case "fs_type" -> oneOf(List.of("", "ext4", "ext4", "zfs"));
      case "node_id" -> "n1";
      case "name" -> "name-" + random.nextInt(4);
      case "mount_flags" -> oneOf(List.of("noatime", "ro", "rw", "nosuch", SECRET));
      case "volume_mount_group" -> oneOf(List.of("", "1000", "-1", "4294967296", "root"));
      default -> oneOf(ids);
    };
  }

  private String place(String field) {
    if (random.nextInt(3) > 0)
      return (field.equals("staging_target_path") ? staging : target).toString();
    var place = oneOf(places).toString();
    return switch (random.nextInt(12)) {
      case 0 -> "";
      case 1 -> place + "\0";
      case 2 -> place + "/" + "x".repeat(random.nextInt(5000));
      case 3 -> place + "/../" + oneOf(TEXTS).replaceFirst("^/", "");
      default -> place;
    };
  }

  private <T> T oneOf(List<T> things) {
    return things.get(random.nextInt(things.size()));
  }
}
