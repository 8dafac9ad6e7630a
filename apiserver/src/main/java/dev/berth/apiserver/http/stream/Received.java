package dev.berth.apiserver.http.stream;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// What has come and is not read yet, as one stream. Who brings more than a little waits.
final class Received extends InputStream {
  private static final byte[] END = new byte[0];

  private final BlockingQueue<byte[]> pieces = new ArrayBlockingQueue<>(4);
  private volatile boolean closed;
  private byte[] piece = END;
  private int at;

  /// Waits until there is room.
  void add(byte[] bytes) throws IOException {
    if (bytes.length == 0) return;
    if (closed) throw new IOException("nobody reads it any more");
    try {
      pieces.put(bytes);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", stopped);
    }
  }

  /// Nothing more comes; what has come and was not read is lost.
  void end() {
    closed = true;
    pieces.clear();
    var _ = pieces.offer(END);
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) return 0;
    if (at == piece.length) {
      if (closed) return -1;
      try {
        piece = pieces.take();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", stopped);
      }
      at = 0;
      if (piece.length == 0) return -1;
    }
    int count = Math.min(length, piece.length - at);
    System.arraycopy(piece, at, bytes, offset, count);
    at += count;
    return count;
  }
}
