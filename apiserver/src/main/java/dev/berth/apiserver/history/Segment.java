package dev.berth.apiserver.history;

import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.Resource;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some writes to objects of one kind that follow each other, on disk.
public final class Segment {
  private final Resource resource;
  private final long last;
  private final Instant at;
  private final Generation file;
  private final long offset;
  private final int length;
  private final int size;

  /// For all who read it at about the same time.
  private WeakReference<@Nullable List<Written>> unpacked = new WeakReference<>(null);

  /// @param size see [#size]
  Segment(
      Resource resource,
      long last,
      Instant at,
      Generation file,
      long offset,
      int length,
      int size) {
    this.resource = resource;
    this.last = last;
    this.at = at;
    this.file = file;
    this.offset = offset;
    this.length = length;
    this.size = size;
  }

  /// Revision of the last of them.
  public long last() {
    return last;
  }

  /// When the last of them was written.
  public Instant at() {
    return at;
  }

  /// Bytes of the JSON of its objects: what it takes in memory.
  public int size() {
    return size;
  }

  /// Whether its file was given back.
  public boolean gone() {
    return file.closed();
  }

  /// @throws IOException if it is gone, or not what was kept
  public synchronized List<Written> read() throws IOException {
    var held = unpacked.get();
    if (held != null) return held;
    var read = Packed.unpack(resource, file.read(offset, length));
    unpacked = new WeakReference<>(read);
    return read;
  }
}
