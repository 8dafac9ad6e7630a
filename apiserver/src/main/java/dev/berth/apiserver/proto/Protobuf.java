package dev.berth.apiserver.proto;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.berth.apiserver.schema.Schemas;
import dev.berth.apiserver.schema.Structure;
import dev.berth.kube.value.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Objects as `application/vnd.kubernetes.protobuf`: an envelope that names the kind, and in it the
/// kind's message.
public final class Protobuf {
  public static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

  private static final byte[] PREFIX = {'k', '8', 's', 0};

  /// Where the kind's message stands in the envelope.
  private static final int RAW = 2;

  /// Kinds that every group has.
  private static final Set<String> COMMON =
      Set.of("Status", "DeleteOptions", "PartialObjectMetadata");

  private Protobuf() {}

  /// An object or a list as upstream sends it.
  ///
  /// @param object of a built-in kind, conforming to it, with `kind` and `apiVersion`
  /// @throws IllegalArgumentException if nobody knows the kind's fields
  public static byte[] encode(ObjectNode object) {
    var kind = Json.text(object, "kind");
    var apiVersion = Json.text(object, "apiVersion");
    var message = message(apiVersion, kind).orElseThrow(() -> unknown(apiVersion, kind));
    return enveloped(apiVersion, kind, encoder -> encoder.message(object, message));
  }

  /// A list of objects, which are asked for one after the other.
  ///
  /// @param kind of an item
  /// @param metadata `ListMeta`
  /// @throws IllegalArgumentException if nobody knows the kind's fields
  public static byte[] encodeList(
      String apiVersion, String kind, ObjectNode metadata, Iterator<ObjectNode> items) {
    var structure = structure(apiVersion, kind).orElseThrow(() -> unknown(apiVersion, kind));
    var item = Message.of(structure);
    return enveloped(apiVersion, kind + "List", encoder -> encoder.list(metadata, items, item));
  }

  private static IllegalArgumentException unknown(String apiVersion, String kind) {
    return new IllegalArgumentException("no protobuf for " + apiVersion + " " + kind);
  }

  private static byte[] enveloped(String apiVersion, String kind, Consumer<Encoder> content) {
    var out = new Output();
    begin(out, apiVersion, kind);
    int raw = out.begin(RAW);
    content.accept(new Encoder(out));
    out.end(raw);
    end(out);
    return out.toBytes();
  }

  private static void begin(Output out, String apiVersion, String kind) {
    out.raw(PREFIX);
    int meta = out.begin(1);
    out.text(1, apiVersion);
    out.text(2, kind);
    out.end(meta);
  }

  /// Upstream's, which are always empty here.
  private static void end(Output out) {
    out.text(3, "");
    out.text(4, "");
  }

  /// Writes the list that [#encodeList] makes, without ever having the whole of it: as the length
  /// of all stands before the first, each item is encoded twice.
  ///
  /// @param items the same each time that they are gone through
  /// @throws IllegalArgumentException if nobody knows the kind's fields
  public static void writeList(
      OutputStream to,
      String apiVersion,
      String kind,
      ObjectNode metadata,
      Iterable<ObjectNode> items)
      throws IOException {
    var structure = structure(apiVersion, kind).orElseThrow(() -> unknown(apiVersion, kind));
    var item = Message.of(structure);
    var out = new Output();
    var encoder = new Encoder(out);
    encoder.listMeta(metadata);
    var meta = out.toBytes();
    long length = meta.length;
    for (var each : items) {
      out.clear();
      encoder.message(each, item);
      length += 1 + Output.lengthOf(out.size()) + out.size();
    }
    out.clear();
    begin(out, apiVersion, kind + "List");
    out.tag(RAW, Output.DELIMITED);
    out.varint(length);
    out.raw(meta);
    out.writeTo(to);
    for (var each : items) {
      out.clear();
      int begin = out.begin(2);
      encoder.message(each, item);
      out.end(begin);
      out.writeTo(to);
    }
    out.clear();
    end(out);
    out.writeTo(to);
  }

  /// Whether objects of a kind can be sent so.
  public static boolean knows(String apiVersion, String kind) {
    return message(apiVersion, kind).isPresent();
  }

  /// What a client sent.
  ///
  /// @param apiVersion what it is unless it says itself
  /// @param kind likewise
  public static ObjectNode decode(byte[] bytes, String apiVersion, String kind)
      throws UnreadableException {
    if (bytes.length == 0) throw new UnreadableException("empty data");
    if (!Arrays.equals(bytes, 0, Math.min(bytes.length, PREFIX.length), PREFIX, 0, PREFIX.length))
      throw new UnreadableException(
          "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
    if (bytes.length == PREFIX.length) throw new UnreadableException("empty body");
    try {
      var envelope = Envelope.read(bytes);
      return object(
          envelope,
          envelope.apiVersion.isEmpty() ? apiVersion : envelope.apiVersion,
          envelope.kind.isEmpty() ? kind : envelope.kind);
    } catch (InvalidProtocolBufferException | JsonProcessingException broken) {
      throw new UnreadableException(String.valueOf(broken.getMessage()));
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes at hand are read", impossible);
    }
  }

  private static ObjectNode object(Envelope envelope, String apiVersion, String kind)
      throws IOException, UnreadableException {
    var message = message(apiVersion, kind);
    if (message.isEmpty())
      throw new UnreadableException(
          "no kind \"%s\" is registered for version \"%s\"".formatted(kind, apiVersion));
    var object = JsonNodeFactory.instance.objectNode();
    object.put("kind", kind).put("apiVersion", apiVersion);
    new Decoder(envelope.raw, 0, envelope.raw.length).read(message.get(), object);
    return object;
  }

  private static Optional<Message> message(String apiVersion, String kind) {
    var structure = structure(apiVersion, kind);
    if (structure.isPresent()) return structure.map(Message::of);
    return kind.endsWith("List")
        ? structure(apiVersion, kind.substring(0, kind.length() - "List".length()))
            .map(Message::listOf)
        : Optional.empty();
  }

  private static Optional<Structure> structure(String apiVersion, String kind) {
    return COMMON.contains(kind)
        ? Optional.of(Schemas.structure(kind))
        : Schemas.of(apiVersion, kind);
  }

  /// One event of a watch, with its length before it.
  ///
  /// @param object as [#encode] made it
  public static byte[] frame(String type, byte[] object) {
    var out = new Output();
    out.text(1, type);
    int raw = out.begin(2);
    out.bytes(1, object);
    out.end(raw);
    var event = out.toBytes();
    int length = event.length;
    var frame = new byte[Integer.BYTES + length];
    for (int i = 0; i < Integer.BYTES; i++)
      frame[i] = (byte) (length >>> Byte.SIZE * (Integer.BYTES - 1 - i));
    System.arraycopy(event, 0, frame, Integer.BYTES, length);
    return frame;
  }

  /// Reads what [#frame] wrote, but for the length.
  ///
  /// @return `type` and `object`, as in JSON
  public static ObjectNode event(byte[] message) throws UnreadableException {
    var event = JsonNodeFactory.instance.objectNode();
    var object = new byte[0];
    try {
      var in = CodedInputStream.newInstance(message);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag())
        switch (tag) {
          case 1 << 3 | 2 -> event.put("type", in.readString());
          case 2 << 3 | 2 -> object = in.readByteArray();
          default -> pass(in, tag);
        }
      var extension = CodedInputStream.newInstance(object);
      for (int tag = extension.readTag(); tag != 0; tag = extension.readTag())
        if (tag == (1 << 3 | 2)) event.set("object", decode(extension.readByteArray(), "", ""));
        else pass(extension, tag);
    } catch (IOException broken) {
      throw new UnreadableException(String.valueOf(broken.getMessage()));
    }
    return event;
  }

  private static void pass(CodedInputStream in, int tag) throws IOException {
    if (!in.skipField(tag))
      throw new InvalidProtocolBufferException("a group ends that has not begun");
  }

  /// `runtime.Unknown`.
  private static final class Envelope {
    final String apiVersion;
    final String kind;
    final byte[] raw;

    private Envelope(String apiVersion, String kind, byte[] raw) {
      this.apiVersion = apiVersion;
      this.kind = kind;
      this.raw = raw;
    }

    static Envelope read(byte[] bytes) throws IOException {
      var in = CodedInputStream.newInstance(bytes, PREFIX.length, bytes.length - PREFIX.length);
      var meta = JsonNodeFactory.instance.objectNode();
      var raw = new byte[0];
      for (int tag = in.readTag(); tag != 0; tag = in.readTag())
        switch (tag) {
          case 1 << 3 | 2 -> meta(in.readByteArray(), meta);
          case 2 << 3 | 2 -> raw = in.readByteArray();
          default -> pass(in, tag);
        }
      return new Envelope(Json.text(meta, "apiVersion"), Json.text(meta, "kind"), raw);
    }

    private static void meta(byte[] bytes, ObjectNode to) throws IOException {
      var in = CodedInputStream.newInstance(bytes);
      for (int tag = in.readTag(); tag != 0; tag = in.readTag())
        switch (tag) {
          case 1 << 3 | 2 -> to.put("apiVersion", in.readString());
          case 2 << 3 | 2 -> to.put("kind", in.readString());
          default -> pass(in, tag);
        }
    }
  }
}
