package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// A VolumeAttachment: that a volume be attached to a node.
///
/// @param attacher the driver whose attacher acts on it
/// @param volumeName empty: the volume is inline
/// @param inline the volume that its source describes, nameless; empty: it describes none
/// @param metadata what the driver told at attaching (`status.attachmentMetadata`)
public record Attachment(
    Meta meta,
    String attacher,
    String nodeName,
    String volumeName,
    Optional<Volume> inline,
    boolean attached,
    Map<String, String> metadata,
    Optional<Failure> attachError,
    Optional<Failure> detachError)
    implements KubeObject {
  public Attachment {
    metadata = Map.copyOf(metadata);
  }

  /// @param code gRPC status code as a number, where the driver gave one
  public record Failure(String message, Instant time, OptionalInt code) {}

  static Attachment of(JsonNode object) {
    var spec = object.path("spec");
    var status = object.path("status");
    return new Attachment(
        Meta.of(object),
        Json.text(spec, "attacher"),
        Json.text(spec, "nodeName"),
        Json.text(spec.path("source"), "persistentVolumeName"),
        inline(spec.path("source").path("inlineVolumeSpec")),
        status.path("attached").asBoolean(),
        Json.texts(status.path("attachmentMetadata")),
        failure(status.path("attachError")),
        failure(status.path("detachError")));
  }

  private static Optional<Volume> inline(JsonNode spec) {
    if (!spec.isObject()) return Optional.empty();
    var volume = JsonNodeFactory.instance.objectNode();
    volume.set("spec", spec);
    return Optional.of(Volume.of(volume));
  }

  private static Optional<Failure> failure(JsonNode error) {
    if (error.isMissingNode() || error.isNull()) return Optional.empty();
    return Optional.of(
        new Failure(
            Json.text(error, "message"),
            Json.instant(error, "time").orElse(Instant.EPOCH),
            error.has("errorCode")
                ? OptionalInt.of(error.path("errorCode").asInt())
                : OptionalInt.empty()));
  }

  public Ref ref() {
    return Ref.of(Resources.ATTACHMENTS, meta);
  }

  /// Name of the attachment of a volume to a node (AD-02); every component finds it by this name.
  public static String name(String handle, String driver, String nodeName) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      var text = handle + driver + nodeName;
      return "csi-"
          + HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
