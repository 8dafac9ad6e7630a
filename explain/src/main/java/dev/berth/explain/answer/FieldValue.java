package dev.berth.explain.answer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.object.Ref;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a field shows and what is waited for in it (XPL-01).
final class FieldValue {
  private static final Pattern PART = Pattern.compile("([^.\\[]+)|\\[([^\\]]+)\\]");

  /// Of fields that have one value at which the wait ends; of all others the sentence says it.
  private static final Map<String, JsonNode> WANTED =
      Map.of(
          "VolumeAttachment status.attached",
          BooleanNode.TRUE,
          "PersistentVolumeClaim status.phase",
          TextNode.valueOf("Bound"),
          "PersistentVolumeClaim spec.volumeName",
          TextNode.valueOf("set"),
          "Pod spec.nodeName",
          TextNode.valueOf("set"),
          "Pod spec.schedulingGates",
          TextNode.valueOf("empty"),
          "Node spec.unschedulable",
          BooleanNode.FALSE,
          "VolumeSnapshotContent status.readyToUse",
          BooleanNode.TRUE,
          "VolumeSnapshot status.readyToUse",
          BooleanNode.TRUE);

  private FieldValue() {}

  /// @param field as [Wait#field] names it; empty: whether the object is there
  static JsonNode seen(Optional<JsonNode> tree, String field) {
    if (field.isEmpty()) return TextNode.valueOf(tree.isPresent() ? "present" : "absent");
    JsonNode node = tree.orElse(MissingNode.getInstance());
    var parts = PART.matcher(field);
    while (parts.find()) node = node.path(parts.group(1) != null ? parts.group(1) : parts.group(2));
    return node;
  }

  /// Empty: only words tell it.
  static Optional<JsonNode> wanted(Wait wait, Optional<JsonNode> tree) {
    if (wait.field().isEmpty())
      return Optional.of(TextNode.valueOf(tree.isPresent() ? "absent" : "present"));
    return Optional.ofNullable(WANTED.get(named(wait.on()) + " " + wait.field()));
  }

  private static String named(Ref ref) {
    return ref.resource().kind();
  }
}
