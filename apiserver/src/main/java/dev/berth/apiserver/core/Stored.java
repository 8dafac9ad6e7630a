package dev.berth.apiserver.core;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.ObjectKey;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// One object at one revision, immutable, with its JSON text made at most once for everybody who
/// sends or stores it.
public final class Stored {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectNode object;
  private final ObjectKey key;
  private final long revision;
  private volatile byte @Nullable [] json;

  /// @param object whole and final, `kind` and `apiVersion` first, its `metadata.resourceVersion`
  ///   that of `revision`
  Stored(ObjectNode object, long revision) {
    var meta = object.path("metadata");
    this.object = object;
    this.key = ObjectKey.of(Json.text(meta, "namespace"), Json.text(meta, "name"));
    this.revision = revision;
  }

  /// Not to be changed.
  public ObjectNode object() {
    return object;
  }

  public ObjectKey key() {
    return key;
  }

  public long revision() {
    return revision;
  }

  public String uid() {
    return Json.text(object.path("metadata"), "uid");
  }

  /// The object as JSON in UTF-8. Not to be changed.
  public byte[] json() {
    var text = json;
    if (text == null) {
      try {
        text = JSON.writeValueAsBytes(object);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("a JSON tree has a text: " + key, e);
      }
      json = text;
    }
    return text;
  }

  /// Writes the object's JSON as an item of a list of built-in objects: without `kind` and
  /// `apiVersion`, which the list has for all (API-53).
  public void writeItem(OutputStream out) throws IOException {
    var text = json();
    out.write('{');
    int start = itemStart();
    out.write(text, start, text.length - start);
  }

  /// Where what follows `{"kind":"…","apiVersion":"…",` begins; neither value needs escapes.
  private int itemStart() {
    return "{\"kind\":\"\",\"apiVersion\":\"\",".length()
        + Json.text(object, "kind").length()
        + Json.text(object, "apiVersion").length();
  }

  @Override
  public String toString() {
    return key + "@" + revision;
  }
}
