package dev.berth.driver.serve;

import dev.berth.csi.v1.VolumeCapability;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Wire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// Whether the fields of a request are there and well formed; every complaint is INVALID and names
/// the field.
final class Fields {
  private static final int LONGEST_TEXT = 128;
  private static final int LARGEST_MAP = 4096;

  /// There are a few modes, each of a device or of a folder: who names more repeats itself.
  private static final int MOST_CAPABILITIES = 100;

  private static final int LONGEST_PATH = 4096;
  private static final int LONGEST_NAME = 255;

  /// Control characters that a name must not hold (ERR-12).
  private static final Pattern FORBIDDEN_IN_NAME =
      Pattern.compile("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F]");

  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  /// TOP-03.
  private static final Pattern TOPOLOGY_KEY =
      Pattern.compile(
          "([A-Za-z0-9]([A-Za-z0-9.-]{0,61}[A-Za-z0-9])?/)?"
              + "[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  private static final Pattern TOPOLOGY_VALUE =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  static void present(String field, String value) {
    if (value.isEmpty()) throw missing(field);
  }

  static void present(String field, boolean isThere) {
    if (!isThere) throw missing(field);
  }

  static void present(String field, Collection<?> values) {
    if (values.isEmpty()) throw missing(field);
  }

  private static Refusal missing(String field) {
    return Refusal.invalid(field + " is missing");
  }

  /// The caller's name for a new thing.
  static void name(String field, String name) {
    present(field, name);
    if (bytes(name) > LONGEST_TEXT)
      throw Refusal.invalid(
          "%s has %d bytes, more than %d".formatted(field, bytes(name), LONGEST_TEXT));
    if (FORBIDDEN_IN_NAME.matcher(name).find())
      throw Refusal.invalid(field + " holds control characters");
  }

  /// Whether a driver can have given out this id.
  static boolean canBeId(String id) {
    return !id.isEmpty() && bytes(id) <= LONGEST_TEXT && !FORBIDDEN_IN_NAME.matcher(id).find();
  }

  /// Text for a log: whatever is in it, it begins no line of its own.
  static String line(@Nullable String text) {
    return text == null ? "" : CONTROL.matcher(text).replaceAll("?");
  }

  /// Somebody's text in a message of ours: not longer than a line, and on one.
  static String shown(String text) {
    var line = line(text);
    return line.length() <= LONGEST_TEXT ? line : line.substring(0, LONGEST_TEXT) + "…";
  }

  /// How a volume is to be used; the texts in it are not too large (ERR-10).
  static Usage usage(VolumeCapability capability) {
    var usage = Wire.usage(capability);
    if (usage.access() instanceof Access.Mount mount) checkSizes(mount);
    return usage;
  }

  /// How a volume is to be used, each way once.
  static List<Usage> usages(List<VolumeCapability> capabilities) {
    if (capabilities.size() > MOST_CAPABILITIES)
      throw Refusal.invalid(
          "volume_capabilities are %d, more than %d"
              .formatted(capabilities.size(), MOST_CAPABILITIES));
    return capabilities.stream().map(Fields::usage).distinct().toList();
  }

  private static void checkSizes(Access.Mount mount) {
    if (bytes(mount.fsType()) > LONGEST_TEXT)
      throw Refusal.invalid("fs_type is longer than it can be");
    if (bytes(mount.group()) > LONGEST_TEXT)
      throw Refusal.invalid("volume_mount_group is longer than it can be");
    if (mount.flags().stream().mapToInt(Fields::bytes).sum() > LARGEST_MAP)
      throw Refusal.invalid("mount_flags have more than %d bytes".formatted(LARGEST_MAP));
  }

  /// Refuses if there is an objection.
  ///
  /// @param as how this call refuses (ERR-05)
  static void noObjection(Optional<String> objection, Function<String, Refusal> as) {
    if (objection.isPresent()) throw as.apply(objection.get());
  }

  static void map(String field, Map<String, String> map) {
    if (isTooLarge(map))
      throw Refusal.invalid(
          "%s has %d bytes, more than %d".formatted(field, mapBytes(map), LARGEST_MAP));
  }

  static boolean isTooLarge(Map<String, String> map) {
    return mapBytes(map) > LARGEST_MAP;
  }

  /// A place on this machine, made by the caller or to be made by us.
  static Path path(String field, String value) {
    present(field, value);
    try {
      var path = Path.of(value);
      if (!path.isAbsolute()) throw Refusal.invalid(field + " is relative: " + path);
      if (!path.equals(path.normalize()))
        throw Refusal.invalid(field + " leads over '.' or '..': " + path);
      if (bytes(value) >= LONGEST_PATH || longestName(path) > LONGEST_NAME)
        throw Refusal.invalid(field + " is longer than a path can be");
      return resolved(path);
    } catch (InvalidPathException wrong) {
      throw Refusal.invalid(field + " is not a path: " + wrong.getReason());
    }
  }

  /// The same place as the kernel's list of mounts names it: without links on the way. The place
  /// itself may not be there yet, or be a dead mount; it is not touched.
  ///
  /// This holds for the moment of the look: a folder on the way that is replaced by a link later is
  /// followed by whoever uses the path. Only those who may write to these folders can do that.
  private static Path resolved(Path path) {
    var folder = path.getParent();
    if (folder == null) return path;
    try {
      return folder.toRealPath().resolve(path.getFileName());
    } catch (IOException _) {
      return path; // its caller has not made it: the driver will say so
    }
  }

  private static int longestName(Path path) {
    return StreamSupport.stream(path.spliterator(), false)
        .mapToInt(name -> bytes(name.toString()))
        .max()
        .orElse(0);
  }

  /// A path that is only looked up: whatever is not one of ours is simply not there.
  static Path lookedUp(String field, String value) {
    present(field, value);
    try {
      return resolved(Path.of(value));
    } catch (InvalidPathException wrong) {
      throw Refusal.invalid(field + " is not a path: " + wrong.getReason());
    }
  }

  static void topology(Topology topology) {
    if (!isTopology(topology))
      throw Refusal.invalid("topology %s is malformed".formatted(topology));
  }

  static boolean isTopology(Topology topology) {
    return topology.segments().entrySet().stream()
        .allMatch(segment ->
            TOPOLOGY_KEY.matcher(segment.getKey()).matches()
                && TOPOLOGY_VALUE.matcher(segment.getValue()).matches());
  }

  private static int mapBytes(Map<String, String> map) {
    return map.entrySet().stream()
        .mapToInt(entry -> bytes(entry.getKey()) + bytes(entry.getValue()))
        .sum();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private Fields() {}
}
