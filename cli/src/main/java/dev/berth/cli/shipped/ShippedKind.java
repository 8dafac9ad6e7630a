package dev.berth.cli.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/// A CustomResourceDefinition of ours, as its file has it (API-02). Its spec holds every default
/// that a server would fill in, so that it comes back from one as it is here.
///
/// @param name such as `volumesnapshots.snapshot.storage.k8s.io`
/// @param text its YAML
public record ShippedKind(String name, String text) {
  /// By what we know on a server a definition that nobody but us has changed: the [#mark] of its
  /// spec, as we wrote it.
  static final String MARK = "berth.dev/shipped";

  private static final int MARK_BYTES = 8;

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /// All of them.
  public static List<ShippedKind> all() {
    return List.of(
        read("volumesnapshotclasses.snapshot.storage.k8s.io"),
        read("volumesnapshotcontents.snapshot.storage.k8s.io"),
        read("volumesnapshots.snapshot.storage.k8s.io"),
        read("volumegroupsnapshotclasses.groupsnapshot.storage.k8s.io"),
        read("volumegroupsnapshotcontents.groupsnapshot.storage.k8s.io"),
        read("volumegroupsnapshots.groupsnapshot.storage.k8s.io"),
        read("referencegrants.gateway.networking.k8s.io"));
  }

  private static ShippedKind read(String name) {
    try (var file = ShippedKind.class.getResourceAsStream(name + ".yaml")) {
      if (file == null) throw new IllegalStateException("there is no definition of " + name);
      return new ShippedKind(name, new String(file.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// As it is created: with its mark.
  ObjectNode object() {
    try {
      var object = (ObjectNode) YAML.readTree(text);
      object.withObject("metadata").withObject("annotations").put(MARK, mark(object.path("spec")));
      return object;
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// Whether nobody but us has changed a definition.
  static boolean isOurs(JsonNode definition) {
    var mark = Json.text(definition.path("metadata").path("annotations"), MARK);
    return mark.equals(mark(definition.path("spec")));
  }

  /// Short for a spec, the same in whatever order its fields stand.
  static String mark(JsonNode spec) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var all = digest.digest(ordered(spec).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(all, 0, MARK_BYTES);
    } catch (NoSuchAlgorithmException never) {
      throw new IllegalStateException("every JDK has SHA-256", never);
    }
  }

  private static String ordered(JsonNode node) {
    if (node.isArray()) return Json.list(node, ShippedKind::ordered).toString();
    if (!node.isObject()) return node.toString();
    var fields = new TreeMap<String, String>();
    node.properties().forEach(field -> fields.put(field.getKey(), ordered(field.getValue())));
    return fields.toString();
  }
}
