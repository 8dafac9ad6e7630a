package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.text;
import static dev.berth.apiserver.table.Column.truth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.value.Json;
import java.util.stream.Stream;

/// Volumes, claims to them, their classes and where they are attached.
final class VolumeTables {
  static final Layout VOLUME =
      Layout.of(
          Cells.name(),
          text("Capacity", "How much it holds", volume -> size(volume.path("spec"))),
          text(
              "Access Modes",
              "How it may be mounted",
              volume -> Cells.accessModes(volume.path("spec").path("accessModes"))),
          text(
              "Reclaim Policy",
              "What becomes of it without its claim",
              Cells.at("/spec/persistentVolumeReclaimPolicy")),
          text("Status", "Where in its life it stands", Cells::phase),
          text("Claim", "The claim that has it", VolumeTables::claim),
          text("StorageClass", "Class that it belongs to", Cells::storageClass),
          attributesClass(),
          text("Reason", "Why it is in a bad state", Cells.at("/status/reason")),
          age(),
          volumeMode());

  static final Layout CLAIM =
      Layout.of(
          Cells.name(),
          text("Status", "Where in its life it stands", Cells::phase),
          text("Volume", "The volume that it has", Cells.at("/spec/volumeName")),
          text("Capacity", "How much its volume holds", claim -> size(given(claim))),
          text(
              "Access Modes",
              "How its volume may be mounted",
              claim -> Cells.accessModes(given(claim).path("accessModes"))),
          text("StorageClass", "Class that it asks for", Cells::storageClass),
          attributesClass(),
          age(),
          volumeMode());

  static final Layout STORAGE_CLASS =
      Layout.of(
          text("Name", "The class's name", VolumeTables::className).asName(),
          text("Provisioner", "Who makes its volumes", Cells.at("/provisioner")),
          text(
              "ReclaimPolicy",
              "What becomes of its volumes without their claims",
              Cells.at("/reclaimPolicy", "Delete")),
          text(
              "VolumeBindingMode",
              "When a claim gets its volume",
              Cells.at("/volumeBindingMode", "Immediate")),
          truth(
                  "AllowVolumeExpansion",
                  "Whether its volumes may grow",
                  sc -> sc.path("allowVolumeExpansion").asBoolean())
              .asText(),
          age());

  static final Layout ATTRIBUTES_CLASS =
      Layout.of(
          text("Name", "The class's name", VolumeTables::className).asName(),
          text("DriverName", "The driver that knows its parameters", Cells.at("/driverName")),
          age());

  static final Layout ATTACHMENT =
      Layout.of(
          Cells.name(),
          text("Attacher", "The driver that attaches", Cells.at("/spec/attacher")).asName(),
          text("PV", "What is attached", Cells.at("/spec/source/persistentVolumeName")),
          text("Node", "Where to", Cells.at("/spec/nodeName")),
          truth(
              "Attached",
              "Whether it is attached now",
              attachment -> attachment.path("status").path("attached").asBoolean()),
          age());

  /// No age: the object is written over and over.
  private VolumeTables() {}

  private static Column attributesClass() {
    return text(
        "VolumeAttributesClass",
        "Class of the attributes that may change",
        Cells.at("/spec/volumeAttributesClassName", Cells.UNSET));
  }

  private static Column volumeMode() {
    return text(
            "VolumeMode", "File system or block device", Cells.at("/spec/volumeMode", Cells.UNSET))
        .wide();
  }

  /// What a claim was given: nothing before it has a volume.
  private static JsonNode given(JsonNode claim) {
    return Json.text(claim.path("spec"), "volumeName").isEmpty()
        ? MissingNode.getInstance()
        : claim.path("status");
  }

  private static String size(JsonNode holder) {
    return holder.isMissingNode() ? "" : holder.path("capacity").path("storage").asText("0");
  }

  private static String claim(JsonNode volume) {
    var claim = volume.path("spec").path("claimRef");
    return claim.isObject() ? Json.text(claim, "namespace") + "/" + Json.text(claim, "name") : "";
  }

  private static String className(JsonNode storageClass) {
    boolean isDefault =
        Stream.of(Annotations.DEFAULT_CLASS, Annotations.BETA_DEFAULT_CLASS)
            .flatMap(key -> Cells.annotation(storageClass, key))
            .anyMatch("true"::equals);
    return Cells.nameOf(storageClass) + (isDefault ? " (default)" : "");
  }
}
