package dev.berth.node.image.archive;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/// What a stream holds when it is decompressed, if it is compressed, as far as there is room for
/// it.
public final class Unpacked extends InputStream { // and no filter: those skip without reading
  private static final int BUFFER = 64 * 1024;

  private final InputStream content;
  private final String name;
  private final Room room;
  private long length;

  private Unpacked(InputStream content, String name, Room room) {
    this.content = content;
    this.name = name;
    this.room = room;
  }

  /// @param name of what is read, for people
  /// @throws BrokenImageException it is compressed in a way that is not known here
  public static Unpacked of(InputStream packed, String name, Room room) throws IOException {
    var begin = new BufferedInputStream(packed, BUFFER);
    begin.mark(4);
    var magic = begin.readNBytes(4);
    begin.reset();
    if (isZstd(magic))
      throw new BrokenImageException(
          name
              + " is compressed with zstd, which is not read here; write the image with gzip, as"
              + " `skopeo copy --dest-compress-format gzip` does");
    return new Unpacked(isGzip(magic) ? gunzipped(begin, name) : begin, name, room);
  }

  static boolean isGzip(byte[] magic) {
    return magic.length >= 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b;
  }

  private static boolean isZstd(byte[] magic) {
    return magic.length == 4
        && (magic[0] & 0xff) == 0x28
        && (magic[1] & 0xff) == 0xb5
        && (magic[2] & 0xff) == 0x2f
        && (magic[3] & 0xff) == 0xfd;
  }

  private static InputStream gunzipped(InputStream packed, String name) throws IOException {
    try {
      return new GZIPInputStream(packed, BUFFER);
    } catch (EOFException | ZipException wrong) {
      throw new BrokenImageException(name + " is no gzip after all: " + wrong.getMessage());
    }
  }

  /// Bytes that have been read.
  public long length() {
    return length;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    try {
      int read = content.read(bytes, offset, length);
      if (read > 0) {
        this.length += read;
        room.take(read);
      }
      return read;
    } catch (EOFException | ZipException wrong) {
      throw new BrokenImageException(
          "%s ends in the middle, or is damaged: %s".formatted(name, wrong.getMessage()));
    }
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
