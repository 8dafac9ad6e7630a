package dev.berth.apiserver.history;

import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/// Writes to objects of one kind as bytes. An object before a write and after it stand side by
/// side, where a compressor sees how little they differ.
final class Packed {
  private static final byte CAME = 1;
  private static final byte CHANGED = 2;
  private static final byte WENT = 3;

  private Packed() {}

  static byte[] pack(List<Written> all) {
    var bytes = new ByteArrayOutputStream();
    var deflater = new Deflater(Deflater.BEST_SPEED);
    try (var out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
      out.writeInt(all.size());
      for (var written : all) write(out, written);
    } catch (IOException e) {
      throw new IllegalStateException("memory can be written to", e);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  /// Bytes of the JSON of all objects.
  static int size(List<Written> all) {
    return all.stream().mapToInt(Packed::size).sum();
  }

  private static int size(Written written) {
    return switch (written) {
      case Written.Put(_, var before, var after) ->
          after.size() + before.map(Stored::size).orElse(0);
      case Written.Removed(_, var before, var last) -> before.size() + last.size();
    };
  }

  private static void write(DataOutputStream out, Written written) throws IOException {
    switch (written) {
      case Written.Put(_, var before, var after) -> {
        out.writeByte(before.isPresent() ? CHANGED : CAME);
        writeKey(out, after.key());
        if (before.isPresent()) write(out, before.get());
        write(out, after);
      }
      case Written.Removed(_, var before, var last) -> {
        out.writeByte(WENT);
        writeKey(out, last.key());
        write(out, before);
        write(out, last);
      }
    }
  }

  private static void writeKey(DataOutputStream out, ObjectKey key) throws IOException {
    out.writeUTF(key.namespace());
    out.writeUTF(key.name());
  }

  private static void write(DataOutputStream out, Stored stored) throws IOException {
    out.writeLong(stored.created());
    out.writeLong(stored.revision());
    out.writeInt(stored.json().length);
    out.write(stored.json());
  }

  /// @throws IOException if they are no writes that were packed
  static List<Written> unpack(Resource resource, byte[] bytes) throws IOException {
    try (var in = new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      int count = in.readInt();
      var all = new ArrayList<Written>();
      for (int i = 0; i < count; i++) all.add(read(in, resource));
      return List.copyOf(all);
    }
  }

  private static Written read(DataInputStream in, Resource resource) throws IOException {
    byte form = in.readByte();
    var key = ObjectKey.of(in.readUTF(), in.readUTF());
    return switch (form) {
      case CAME -> new Written.Put(resource, Optional.empty(), read(in, key));
      case CHANGED -> new Written.Put(resource, Optional.of(read(in, key)), read(in, key));
      case WENT -> new Written.Removed(resource, read(in, key), read(in, key));
      default -> throw new IOException("a write of an unknown form, " + form);
    };
  }

  private static Stored read(DataInputStream in, ObjectKey key) throws IOException {
    long created = in.readLong();
    long revision = in.readLong();
    int length = in.readInt();
    var json = in.readNBytes(length);
    if (json.length < length) throw new IOException("an object ends too early");
    return Stored.ofJson(key, created, revision, json);
  }
}
