package dev.berth.node.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import dev.berth.node.image.archive.BrokenImageException;
import dev.berth.node.image.archive.Digest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// An image that is here.
///
/// @param id digest of its config
/// @param names by which pods know it, in order; empty: it is kept only for who runs from it
/// @param manifest digest of its manifest, if it came with one
/// @param layers names of their folders, the lowest first
/// @param bytes that its layers have unpacked to
/// @param imported when it was
public record StoredImage(
    Digest id,
    List<ImageName> names,
    Optional<Digest> manifest,
    ImageConfig config,
    List<String> layers,
    long bytes,
    Instant imported) {
  public StoredImage {
    names = List.copyOf(names);
    layers = List.copyOf(layers);
  }

  /// As `status.containerStatuses[].imageID` has it.
  public String reference() {
    return id.toString();
  }

  /// What is noted of it, but for the names.
  ///
  /// @param config as its author wrote it
  static ObjectNode note(
      JsonNode config, Optional<Digest> manifest, List<String> layers, long bytes, Instant now) {
    var note = JsonNodeFactory.instance.objectNode();
    note.put("imported", now.toString()).put("bytes", bytes);
    manifest.ifPresent(digest -> note.put("manifest", digest.toString()));
    var list = note.putArray("layers");
    layers.forEach(list::add);
    note.set("config", config);
    return note;
  }

  static StoredImage of(Digest id, List<ImageName> names, JsonNode note)
      throws BrokenImageException {
    var manifest = Json.optionalText(note, "manifest");
    return new StoredImage(
        id,
        names,
        manifest.isPresent() ? Optional.of(Digest.parse(manifest.get())) : Optional.empty(),
        ImageConfig.of(note.path("config")),
        Json.list(note.path("layers"), JsonNode::asText),
        note.path("bytes").asLong(),
        Instant.parse(Json.text(note, "imported")));
  }
}
