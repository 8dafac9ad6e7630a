package dev.berth.node.pod.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.NoSuchFileException;
import java.nio.file.WatchService;
import java.util.Optional;

/// A log from some place on, through all its files. One that is followed blocks at its end until
/// there is more, and ends when its container has ended or another thread closes it.
final class LogStream extends InputStream {
  private final LogFiles files;
  private final Optional<WatchService> growth;
  private final Runnable onClose;
  private long left;
  private volatile LogFiles.Open log;
  private volatile boolean closed;

  /// @param log one of `files`, at the place to begin at
  /// @param growth tells that there may be more; closed: there is nothing more to come; empty: the
  ///   log is not followed
  /// @param limit most bytes to read
  LogStream(
      LogFiles files,
      LogFiles.Open log,
      Optional<WatchService> growth,
      long limit,
      Runnable onClose) {
    this.files = files;
    this.log = log;
    this.growth = growth;
    this.left = limit;
    this.onClose = onClose;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) return 0;
    if (left == 0) return -1;
    var wanted = (int) Math.min(length, left);
    try {
      // What was written before the container ended is read after it has ended.
      for (boolean more = true; ; ) {
        int count = log.channel().read(ByteBuffer.wrap(bytes, offset, wanted));
        if (count <= 0 && files.isPutAside(log)) {
          // What came between the two looks.
          count = log.channel().read(ByteBuffer.wrap(bytes, offset, wanted));
          if (count <= 0 && next()) continue;
        }
        if (count > 0) {
          left -= count;
          return count;
        }
        if (!more) return -1;
        more = awaitGrowth();
      }
    } catch (ClosedChannelException _) {
      return -1;
    }
  }

  /// @return whether there is a next file yet
  private boolean next() throws IOException {
    try {
      var before = log;
      var next = files.open(files.after(before));
      before.channel().close();
      log = next;
      if (closed) next.channel().close();
      return true;
    } catch (NoSuchFileException _) {
      return false; // the latest is about to be made
    }
  }

  /// @return whether there may be more after what is there now
  private boolean awaitGrowth() {
    if (growth.isEmpty()) return false;
    try {
      var key = growth.get().take();
      key.pollEvents();
      key.reset();
      return true;
    } catch (ClosedWatchServiceException _) {
      return false;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    onClose.run();
    if (growth.isPresent()) growth.get().close();
    log.channel().close();
  }
}
