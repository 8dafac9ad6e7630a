package dev.berth.driver.serve;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Topology;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;

/// Whether the fields of a request are there and well formed; every complaint is INVALID and names
/// the field.
final class Fields {
  private static final int LONGEST_TEXT = 128;
  private static final int LARGEST_MAP = 4096;
  private static final int LONGEST_PATH = 4096;

  /// Control characters that a name must not hold (ERR-12).
  private static final Pattern FORBIDDEN_IN_NAME =
      Pattern.compile("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F]");

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

  static void map(String field, Map<String, String> map) {
    var size = mapBytes(map);
    if (size > LARGEST_MAP)
      throw Refusal.invalid("%s has %d bytes, more than %d".formatted(field, size, LARGEST_MAP));
  }

  /// A place on this machine, made by the caller or to be made by us.
  static Path path(String field, String value) {
    present(field, value);
    try {
      var path = Path.of(value);
      if (!path.isAbsolute()) throw Refusal.invalid(field + " is relative: " + path);
      if (!path.equals(path.normalize()))
        throw Refusal.invalid(field + " leads over '.' or '..': " + path);
      if (bytes(value) > LONGEST_PATH)
        throw Refusal.invalid(field + " is longer than a path can be");
      return path;
    } catch (InvalidPathException wrong) {
      throw Refusal.invalid(field + " is not a path: " + wrong.getReason());
    }
  }

  /// A path that is only looked up: whatever is not one of ours is simply not there.
  static Path lookedUp(String field, String value) {
    present(field, value);
    try {
      return Path.of(value);
    } catch (InvalidPathException wrong) {
      throw Refusal.invalid(field + " is not a path: " + wrong.getReason());
    }
  }

  static void topology(Topology topology) {
    topology
        .segments()
        .forEach((key, value) -> {
          if (!TOPOLOGY_KEY.matcher(key).matches() || !TOPOLOGY_VALUE.matcher(value).matches())
            throw Refusal.invalid("topology segment %s=%s is malformed".formatted(key, value));
        });
  }

  /// What a driver gives out: a violation is the driver's fault, so the caller gets INTERNAL with
  /// words for its developer (ERR-11).
  static void outgoing(String what, String value) {
    if (value.isEmpty() || bytes(value) > LONGEST_TEXT)
      throw new Refusal(
          Refusal.Reason.FAILED,
          "the driver's %s has %d bytes, 1 to %d are allowed"
              .formatted(what, bytes(value), LONGEST_TEXT));
  }

  static void outgoing(String what, Map<String, String> map) {
    if (mapBytes(map) > LARGEST_MAP)
      throw new Refusal(
          Refusal.Reason.FAILED,
          "the driver's %s has %d bytes, more than %d".formatted(what, mapBytes(map), LARGEST_MAP));
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
