package dev.berth.sidecar.attacher;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Revision;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalInt;

/// Writes the status of attachments: each of these one patch of the subresource. Nothing is taken
/// for granted but that the attachment is the one that was seen: what arrives late must not say of
/// another one of its name that it is attached (AD-63).
final class AttachmentStatus {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Api api;

  AttachmentStatus(Api api) {
    this.api = api;
  }

  /// ATT-39. What went wrong at an earlier detaching stays.
  ///
  /// @param metadata the driver's, for the node
  void attached(Revision attachment, Map<String, String> metadata) {
    var status = JSON.objectNode().put("attached", true);
    if (!metadata.isEmpty()) metadata.forEach(status.putObject("attachmentMetadata")::put);
    status.putNull("attachError");
    patch(attachment, status);
  }

  /// ATT-59.
  void detached(Revision attachment) {
    patch(
        attachment,
        JSON.objectNode()
            .put("attached", false)
            .putNull("detachError")
            .putNull("attachmentMetadata"));
  }

  /// @param code gRPC's number of what the driver answered; empty: it was not the driver (ATT-46)
  void attachError(Revision attachment, String message, OptionalInt code, Instant now) {
    patch(attachment, failure("attachError", message, code, now));
  }

  void detachError(Revision attachment, String message, OptionalInt code, Instant now) {
    patch(attachment, failure("detachError", message, code, now));
  }

  private static ObjectNode failure(String field, String message, OptionalInt code, Instant now) {
    var status = JSON.objectNode();
    var error =
        status
            .putObject(field)
            .put("message", message)
            .put("time", now.truncatedTo(ChronoUnit.SECONDS).toString());
    if (code.isPresent()) error.put("errorCode", code.getAsInt());
    else error.putNull("errorCode"); // an earlier one must not stay beside another message
    return status;
  }

  private void patch(Revision attachment, ObjectNode status) {
    var body = JSON.objectNode();
    body.putObject("metadata").put("uid", attachment.uid());
    body.set("status", status);
    api.patchStatus(Resources.ATTACHMENTS, attachment.key(), Patch.strategic(body));
  }
}
