package dev.berth.apiserver.core.kind.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.kind.Rules;
import java.time.Instant;
import java.util.List;

/// VolumeAttachments (API-101).
public final class AttachmentRules implements Rules {
  private static final int MOST_METADATA_BYTES = 256 << 10;
  private static final int MOST_MESSAGE_BYTES = 1024;
  private static final String EXACTLY_ONE =
      "must specify exactly one of inlineVolumeSpec and persistentVolumeName";

  @Override
  public boolean versionlessUpdate() {
    return false;
  }

  @Override
  public List<String> keptByStatusWrite() {
    return List.of("labels", "annotations", "finalizers", "ownerReferences");
  }

  @Override
  public void start(ObjectNode attachment, Instant now) {
    attachment.putObject("status").put("attached", false);
  }

  @Override
  public void check(Field attachment) {
    var spec = attachment.at("spec");
    VolumeSources.checkDriverName(spec.at("attacher"));
    spec.at("nodeName").demand();
    var source = spec.at("source");
    var name = source.at("persistentVolumeName");
    var inline = source.at("inlineVolumeSpec");
    if (!name.isSet() && !inline.isSet()) source.required(EXACTLY_ONE);
    if (name.isSet() && inline.isSet()) source.forbidden(EXACTLY_ONE);
    if (name.isSet() && name.isEmpty())
      name.required("must specify non empty persistentVolumeName");
    if (inline.isSet()) checkInline(inline);
  }

  /// A volume that stands in a pod and was translated for its CSI driver (MIG-110).
  private static void checkInline(Field spec) {
    if (!spec.at("csi").isSet()) spec.at("csi").required("must specify CSI");
    spec.at("accessModes").demand();
    for (var field : List.of("claimRef", "capacity", "nodeAffinity", "storageClassName"))
      if (!spec.at(field).isEmpty())
        spec.at(field).forbidden("may not be specified in the context of inline volumes");
    var policy = spec.at("persistentVolumeReclaimPolicy");
    if (!policy.isEmpty() && !policy.is("Retain"))
      policy.forbidden("may only be \"Retain\" in the context of inline volumes");
    var mode = spec.at("volumeMode");
    if (!mode.isEmpty() && !mode.is("Filesystem"))
      mode.forbidden("may not specify volumeMode in the context of inline volumes");
  }

  @Override
  public void checkChange(Field attachment, Field stored) {
    attachment.at("spec").immutable(stored.at("spec"));
  }

  @Override
  public void checkStatus(Field attachment) {
    var status = attachment.at("status");
    var metadata = status.at("attachmentMetadata");
    long bytes = 0;
    for (var key : metadata.names())
      bytes += MetadataRules.bytes(key) + MetadataRules.bytes(metadata.key(key).text());
    if (bytes > MOST_METADATA_BYTES) metadata.tooLong(MOST_METADATA_BYTES);
    for (var error : List.of(status.at("attachError"), status.at("detachError"))) {
      if (MetadataRules.bytes(error.at("message").text()) > MOST_MESSAGE_BYTES)
        error.at("message").tooLong(MOST_MESSAGE_BYTES);
      if (error.at("errorCode").node().asInt() < 0)
        error.at("errorCode").invalid("must be greater than or equal to 0");
    }
  }
}
