package dev.berth.apiserver.http.exchange;

import dev.berth.apiserver.rights.fair.Haste;
import dev.berth.apiserver.rights.fair.Work;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/// A request's body as it arrives, for a thread that waits for it and may be interrupted meanwhile:
/// Jetty's own stream takes that for a defect and logs it.
final class Arrival extends InputStream {
  private final Request request;
  private Content.@Nullable Chunk chunk;
  private boolean ended;

  Arrival(Request request) {
    this.request = request;
    request.setAttribute(Arrival.class.getName(), this);
  }

  /// Whether somebody has asked for a request's body.
  static boolean begun(Request request) {
    return request.getAttribute(Arrival.class.getName()) != null;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) return 0;
    while (!ended) {
      var next = chunk == null ? next() : chunk;
      int count = next.get(into, offset, length);
      chunk = next.hasRemaining() ? next : null;
      if (chunk == null) {
        ended = next.isLast();
        next.release();
      }
      if (count > 0) return count;
    }
    return -1;
  }

  private Content.Chunk next() throws IOException {
    for (var next = request.read(); ; next = request.read()) {
      if (Content.Chunk.isFailure(next)) throw new IOException(next.getFailure());
      if (next != null) return next;
      await();
    }
  }

  private void await() throws IOException {
    var there = new CompletableFuture<Boolean>();
    request.demand(
        Invocable.from(Invocable.InvocationType.NON_BLOCKING, () -> there.complete(true)));
    try {
      var haste = Haste.of(request);
      if (!Work.of(request).aside(() -> haste.await(there))) throw new Haste.OwedException();
    } catch (InterruptedException ended) {
      throw (InterruptedIOException)
          new InterruptedIOException("while its body still came").initCause(ended);
    }
  }

  /// What has not arrived is not wanted.
  @Override
  public void close() {
    if (ended) return;
    ended = true;
    if (chunk != null) chunk.release();
    chunk = null;
    request.fail(new IOException("closed before its end"));
  }
}
