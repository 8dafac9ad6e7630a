package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.value.Json;

/// How much of a drive a new volume could have (BM-12, BM-80): for people and for schedulers. It is
/// derived from the drive, whose object alone decides who gets it (BM-81).
///
/// @param location `UUID` of the drive, which is the object's name, too
/// @param size bytes; 0: none
public record AvailableCapacity(
    Meta meta, String location, String nodeId, String storageClass, long size)
    implements KubeObject {
  static AvailableCapacity read(JsonNode tree) {
    var spec = tree.path("spec");
    return new AvailableCapacity(
        Meta.of(tree),
        Json.text(spec, "Location"),
        Json.text(spec, "NodeId"),
        Json.text(spec, "storageClass"),
        spec.path("Size").asLong());
  }

  /// A new object for a drive.
  public static ObjectNode draft(Drive drive, String storageClass, long size) {
    var capacity =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", BareMetalKinds.CAPACITIES.apiVersion())
            .put("kind", BareMetalKinds.CAPACITIES.kind());
    var metadata = capacity.putObject("metadata").put("name", drive.uuid());
    // BM-160: whose node has gone for good is deleted by a person, and so is this then
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", BareMetalKinds.DRIVES.apiVersion())
        .put("kind", BareMetalKinds.DRIVES.kind())
        .put("name", drive.uuid())
        .put("uid", drive.meta().uid());
    capacity
        .putObject("spec")
        .put("Location", drive.uuid())
        .put("NodeId", drive.nodeId())
        .put("storageClass", storageClass)
        .put("Size", size);
    return capacity;
  }
}
