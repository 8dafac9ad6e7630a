package dev.berth.cli.stack;

import dev.berth.apiserver.http.stream.PodStreams;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;

/// A container's own output, from now on. What is written to its standard input goes nowhere: it
/// has none.
final class Attached implements PodStreams.Process {
  private final CountDownLatch over = new CountDownLatch(1);
  private final InputStream output;

  /// @param log followed: it ends when the container does
  Attached(InputStream log) {
    this.output =
        new FilterInputStream(log) {
          @Override
          public int read() throws IOException {
            return noted(super.read());
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            return noted(super.read(bytes, offset, length));
          }

          private int noted(int read) {
            if (read < 0) over.countDown();
            return read;
          }
        };
  }

  @Override
  public OutputStream input() {
    return OutputStream.nullOutputStream();
  }

  @Override
  public InputStream output() {
    return output;
  }

  @Override
  public InputStream error() {
    return InputStream.nullInputStream();
  }

  @Override
  public void resize(int columns, int rows) {
    // it has no terminal
  }

  /// How the container ended stands in its status.
  @Override
  public int await() throws InterruptedException {
    over.await();
    return 0;
  }

  @Override
  public void close() {
    over.countDown();
    try {
      output.close();
    } catch (IOException _) {
      // nobody reads it any more
    }
  }
}
