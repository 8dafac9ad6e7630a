package dev.berth.node.pod.log;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.WatchService;
import java.util.Optional;

/// A log from some place on. One that is followed blocks at its end until there is more, and ends
/// when its container has ended or another thread closes it.
final class LogStream extends InputStream {
  private final FileChannel log;
  private final Optional<WatchService> growth;
  private final Runnable onClose;
  private long left;

  /// @param growth tells that there may be more; closed: there is nothing more to come; empty: the
  ///   log is not followed
  /// @param limit most bytes to read
  LogStream(FileChannel log, Optional<WatchService> growth, long limit, Runnable onClose) {
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
        int count = log.read(ByteBuffer.wrap(bytes, offset, wanted));
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
    onClose.run();
    if (growth.isPresent()) growth.get().close();
    log.close();
  }
}
