package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Meta;
import dev.berth.kube.value.Json;

/// A volume's part of a drive that several volumes share (BM-210): an entry of the drive's
/// `spec.Shares`.
///
/// @param volume as `namespace/name`
/// @param uid of that volume's object: one of the same name is another
/// @param size bytes that are its own, whether it uses them or not
/// @param left whether the volume has gone while the drive was out of reach: its bytes are still
///   there, and go when the drive is back (BM-102)
public record Share(String volume, String uid, long size, boolean left) {
  static Share read(JsonNode tree) {
    return new Share(
        Json.text(tree, "Volume"),
        Json.text(tree, "UID"),
        tree.path("Size").asLong(),
        tree.path("Left").asBoolean());
  }

  /// A volume's new share.
  public static Share of(Meta volume, long size) {
    return new Share(volume.key().toString(), volume.uid(), size, false);
  }

  boolean isOf(Meta of) {
    return !left && uid.equals(of.uid()) && volume.equals(of.key().toString());
  }

  /// As the drive's object has it.
  public ObjectNode write() {
    var tree =
        JsonNodeFactory.instance
            .objectNode()
            .put("Volume", volume)
            .put("UID", uid)
            .put("Size", size);
    if (left) tree.put("Left", true);
    return tree;
  }
}
