package dev.berth.driver.baremetal.manager.loopback;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.kube.value.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/// What the configuration file of the loopback back end says of one node (BM-58): upstream's file,
/// with `driveCount` drives of which those in `drives` are as they are described there.
record LoopbackPlan(List<LoopbackDrive> drives) {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final String VENDOR = "Test";
  private static final String PRODUCT = "Loopback";
  private static final String SIZE = "101Mi";
  private static final int COUNT = 3;
  private static final int MOST = 256;
  private static final Pattern SERIAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Set<String> WORDS =
      Set.of("defaultDrivePerNodeCount", "defaultDriveSize", "nodes");
  private static final Set<String> NODE_WORDS = Set.of("nodeID", "driveCount", "drives");
  private static final Set<String> DRIVE_WORDS =
      Set.of(
          "serialNumber", "vid", "pid", "size", "removed", "unasked", "health", "driveType", "led");

  LoopbackPlan {
    drives = List.copyOf(drives);
  }

  /// Reads the file.
  ///
  /// @param node which node's part is wanted
  /// @throws IllegalArgumentException for anything that makes no sense, with the place
  static LoopbackPlan parse(String text, String node) {
    JsonNode tree;
    try {
      tree = YAML.readTree(text);
    } catch (JsonProcessingException wrong) {
      throw new IllegalArgumentException("it is no YAML: " + wrong.getOriginalMessage(), wrong);
    }
    check(tree, WORDS, "the file");
    int count = Fields.count(tree, "defaultDrivePerNodeCount", COUNT, MOST);
    long size = bytes(tree, "defaultDriveSize", SIZE);
    JsonNode described = YAML.createArrayNode();
    var nodes = new HashSet<String>();
    for (var each : Fields.list(tree, "nodes")) {
      check(each, NODE_WORDS, "a node");
      var id = Fields.text(each, "nodeID", "");
      if (id.isEmpty()) throw new IllegalArgumentException("a node has no nodeID");
      if (!nodes.add(id))
        throw new IllegalArgumentException("nodeID %s is there twice".formatted(id));
      var listed = Fields.list(each, "drives");
      int wanted = Fields.count(each, "driveCount", Math.max(count, listed.size()), MOST);
      if (!id.equals(node)) continue;
      count = wanted;
      described = listed;
    }
    var drives = new ArrayList<LoopbackDrive>();
    for (var each : described) drives.add(drive(each, node, drives.size(), size));
    while (drives.size() < count)
      drives.add(drive(YAML.createObjectNode(), node, drives.size(), size));
    var serials = new HashSet<String>();
    for (var drive : drives)
      if (!serials.add(drive.identity().serial()))
        throw new IllegalArgumentException(
            "two drives of node %s have serial number %s"
                .formatted(node, drive.identity().serial()));
    return new LoopbackPlan(drives);
  }

  /// The nodes that the file names, in its order.
  static List<String> nodes(String text) {
    parse(text, "");
    try {
      var nodes = new ArrayList<String>();
      for (var each : Fields.list(YAML.readTree(text), "nodes"))
        nodes.add(Fields.text(each, "nodeID", ""));
      return nodes;
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("it has just been read", impossible);
    }
  }

  private static LoopbackDrive drive(JsonNode tree, String node, int place, long usualSize) {
    check(tree, DRIVE_WORDS, "a drive");
    var serial = Fields.text(tree, "serialNumber", serial(node, place));
    // it is a part of the image's name
    if (!SERIAL.matcher(serial).matches())
      throw new IllegalArgumentException(
          "serialNumber '%s': use letters, digits, '-', '_' and '.'".formatted(serial));
    var identity =
        new DriveIdentity(
            Fields.text(tree, "vid", VENDOR), Fields.text(tree, "pid", PRODUCT), serial);
    return new LoopbackDrive(
        identity,
        bytes(tree, "size", Long.toString(usualSize)),
        Fields.flag(tree, "removed"),
        !Fields.flag(tree, "unasked"),
        word(tree, "health", "GOOD", Health::named),
        word(tree, "driveType", "HDD", DriveType::named),
        led(Fields.text(tree, "led", "0")));
  }

  /// Of several test nodes on one machine no two have a drive with one serial number.
  private static String serial(String node, int place) {
    var sum = new CRC32();
    sum.update((node + "/" + place).getBytes(StandardCharsets.UTF_8));
    return "LOOPBACK" + sum.getValue();
  }

  private static long bytes(JsonNode tree, String field, String usual) {
    var text = Fields.text(tree, field, usual);
    try {
      long bytes = Quantity.parse(text).toLong();
      if (bytes >= 1 << 20 && bytes % 512 == 0) return bytes;
    } catch (ArithmeticException | IllegalArgumentException _) {
      // refused below, in words that name the field
    }
    throw new IllegalArgumentException(
        "%s %s: a size like 64Mi, at least 1Mi, in whole blocks of 512 bytes"
            .formatted(field, text));
  }

  private static Led led(String text) {
    return switch (text) {
      case "0" -> Led.OFF;
      case "1" -> Led.ON;
      case "2" -> Led.NOT_AVAILABLE;
      case String other -> throw new IllegalArgumentException("led %s: 0, 1 or 2".formatted(other));
    };
  }

  private static <T> T word(
      JsonNode tree, String field, String usual, Function<String, Optional<T>> read) {
    var text = Fields.text(tree, field, usual);
    return read.apply(text)
        .orElseThrow(() -> new IllegalArgumentException("%s '%s'".formatted(field, text)));
  }

  private static void check(JsonNode tree, Set<String> words, String what) {
    if (tree.isMissingNode() || tree.isNull()) return;
    if (!tree.isObject()) throw new IllegalArgumentException(what + " is not an object");
    for (var field : tree.properties())
      if (!words.contains(field.getKey()))
        throw new IllegalArgumentException(
            "%s has an unknown field %s; there are %s"
                .formatted(
                    what, field.getKey(), String.join(", ", words.stream().sorted().toList())));
  }
}
