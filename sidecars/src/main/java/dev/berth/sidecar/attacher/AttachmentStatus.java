package dev.berth.sidecar.attacher;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.OptionalInt;

/// Writes the status of attachments: each of these one merge patch of the subresource.
final class AttachmentStatus {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Api api;

  AttachmentStatus(Api api) {
    this.api = api;
  }

  /// ATT-39. What went wrong at an earlier detaching stays.
  ///
  /// @param metadata the driver's, for the node
  void attached(ObjectKey attachment, Map<String, String> metadata) {
    var status = JSON.objectNode().put("attached", true);
    if (!metadata.isEmpty()) metadata.forEach(status.putObject("attachmentMetadata")::put);
    status.putNull("attachError");
    patch(attachment, status);
  }

  /// ATT-59.
  void detached(ObjectKey attachment) {
    patch(
        attachment,
        JSON.objectNode()
            .put("attached", false)
            .putNull("detachError")
            .putNull("attachmentMetadata"));
  }

  /// @param code gRPC's number of what the driver answered; empty: it was not the driver (ATT-46)
  void attachError(ObjectKey attachment, String message, OptionalInt code, Instant now) {
    patch(attachment, failure("attachError", message, code, now));
  }

  void detachError(ObjectKey attachment, String message, OptionalInt code, Instant now) {
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

  private void patch(ObjectKey attachment, ObjectNode status) {
    var body = JSON.objectNode();
    body.set("status", status);
    api.patchStatus(Resources.ATTACHMENTS, attachment, Patch.merge(body));
  }
}
