package dev.berth.apiserver.core.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.proto.Protobuf;
import dev.berth.apiserver.schema.EmptyTexts;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.HeldJson;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One object at one revision, immutable. Once its JSON text is made, that is what is kept: the
/// tree, several times as large, lives as long as somebody holds it, and is made again for who asks
/// later.
public final class Stored {
  private static final ObjectMapper JSON = HeldJson.mapper().build();
  private static final ObjectReader READER = JSON.readerFor(ObjectNode.class);

  private static final byte[] OWNERS = "ownerReferences".getBytes(StandardCharsets.UTF_8);
  private static final byte[] EMPTY = ":\"\"".getBytes(StandardCharsets.UTF_8);

  /// Of `kind`, `apiVersion` and their values.
  private static final int QUOTES_BEFORE_ITEM = 8;

  private static final WeakReference<byte @Nullable []> NO_MESSAGE = new WeakReference<>(null);

  private final ObjectKey key;
  private final long created;
  private final long revision;

  /// The tree as long as there is no text; at least one of the two is there.
  private volatile @Nullable ObjectNode untold;

  private volatile byte @Nullable [] json;
  private volatile WeakReference<@Nullable ObjectNode> tree;

  /// For all who are sent it at about the same time; empty as long as nobody is.
  private volatile WeakReference<byte @Nullable []> message = NO_MESSAGE;

  private Stored(
      ObjectKey key,
      long created,
      long revision,
      @Nullable ObjectNode object,
      byte @Nullable [] json) {
    this.key = key;
    this.created = created;
    this.revision = revision;
    this.untold = object;
    this.json = json;
    this.tree = new WeakReference<>(object);
  }

  /// @param object whole and final, `kind` and `apiVersion` first, its `metadata.resourceVersion`
  ///   that of `revision`
  public static Stored of(ObjectKey key, long created, long revision, ObjectNode object) {
    return new Stored(key, created, revision, object, null);
  }

  /// As it was [#json] of an object at its `revision`.
  public static Stored ofJson(ObjectKey key, long created, long revision, byte[] json) {
    return new Stored(key, created, revision, null, json);
  }

  /// The same object, of another revision.
  public Stored at(long other) {
    return of(key, created, other, withVersion(object(), other));
  }

  /// A copy that shares all but its metadata.
  private static ObjectNode withVersion(ObjectNode object, long revision) {
    var meta = JsonNodeFactory.instance.objectNode();
    object
        .path("metadata")
        .properties()
        .forEach(field -> meta.set(field.getKey(), field.getValue()));
    meta.set("resourceVersion", TextNode.valueOf(Long.toString(revision)));
    var copy = JsonNodeFactory.instance.objectNode();
    object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
    copy.set("metadata", meta);
    return copy;
  }

  /// Not to be changed.
  public ObjectNode object() {
    var held = tree.get();
    if (held != null) return held;
    var made = parse(); // nobody holds it: there is a text
    tree = new WeakReference<>(made);
    return made;
  }

  private ObjectNode parse() {
    try {
      return READER.readValue(json());
    } catch (IOException e) {
      throw new IllegalStateException("the stored text of " + this + " is no JSON object", e);
    }
  }

  public ObjectKey key() {
    return key;
  }

  /// Revision at which the object was created: of all objects that ever were, this one.
  public long created() {
    return created;
  }

  /// Revision at which it became what it is.
  public long revision() {
    return revision;
  }

  public String uid() {
    return Json.text(object().path("metadata"), "uid");
  }

  /// Whether the object has `ownerReferences`. May err on the side of yes as long as nobody has
  /// asked for the tree: at a start, objects are not parsed for this.
  public boolean hasOwners() {
    var held = tree.get();
    return held == null ? mentions(OWNERS) : held.path("metadata").has("ownerReferences");
  }

  /// Whether a field of it may have an empty text. The object is not parsed for this either.
  boolean mayHaveEmptyTexts() {
    var held = tree.get();
    return held == null ? mentions(EMPTY) : EmptyTexts.hasAny(held);
  }

  private boolean mentions(byte[] word) {
    var text = json();
    for (int i = 0; i <= text.length - word.length; i++)
      if (text[i] == word[0] && Arrays.equals(text, i, i + word.length, word, 0, word.length))
        return true;
    return false;
  }

  /// The object as JSON in UTF-8. Not to be changed.
  public byte[] json() {
    var text = json;
    return text == null ? write() : text;
  }

  /// The object in Kubernetes' protobuf. Not to be changed.
  public byte[] protobuf() {
    var held = message.get();
    if (held != null) return held;
    var made = Protobuf.encode(object());
    message = new WeakReference<>(made);
    return made;
  }

  /// Whether the object's text begins with `text`.
  boolean begins(byte[] text) {
    var own = json();
    return own.length >= text.length && Arrays.equals(own, 0, text.length, text, 0, text.length);
  }

  /// Bytes of the text that is kept; 0: none is made yet.
  public int size() {
    var text = json;
    return text == null ? 0 : text.length;
  }

  private synchronized byte[] write() {
    var text = json;
    if (text != null) return text; // another thread was first
    try {
      text = JSON.writeValueAsBytes(untold);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(this + " has no JSON text", e);
    }
    json = text;
    untold = null;
    return text;
  }

  /// Writes the object's JSON as an item of a list of built-in objects: without `kind` and
  /// `apiVersion`, which the list has for all (API-53).
  public void writeItem(OutputStream out) throws IOException {
    var text = json();
    out.write('{');
    int start = itemStart(text);
    out.write(text, start, text.length - start);
  }

  /// Where what follows `{"kind":"…","apiVersion":"…",` begins; neither value has a quote in it.
  /// The tree is not asked: a large list would make as many trees.
  private static int itemStart(byte[] text) {
    int start = 0;
    for (int quotes = 0; quotes < QUOTES_BEFORE_ITEM; start++) if (text[start] == '"') quotes++;
    return start + 1; // the comma
  }

  @Override
  public String toString() {
    return key + "@" + revision;
  }
}
