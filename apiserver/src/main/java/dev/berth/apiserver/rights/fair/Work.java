package dev.berth.apiserver.rights.fair;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/// What a long answer costs of the processors: one of few seats, which it has while it is made, and
/// not while its client does not take it.
///
/// Requests run on virtual threads, as many at once as there are processors, and none of them is
/// interrupted for another. So there are fewer seats than processors: however many long lists one
/// user asks for, a short request finds a processor, and a long one of another user is the next.
public final class Work implements AutoCloseable {
  /// Nothing that others would wait for.
  public static final Work NONE = new Work(new Seats(new Seats.Limits(0, 0, 0, 0)), "");

  private static final Duration FOREVER = Duration.ofDays(1);
  private static final int ANY = Integer.MAX_VALUE;
  private static final int PIECE = 32 * 1024;

  private final Seats seats;
  private final String user;
  private boolean seated;

  Work(Seats seats, String user) {
    this.seats = seats;
    this.user = user;
  }

  /// All that there are of a machine.
  ///
  /// @param processors how many it has
  public static Seats seats(int processors) {
    int most = Math.max(1, processors - 1);
    return new Seats(new Seats.Limits(most, most, ANY, ANY));
  }

  /// Of a request, which may have to do some. To be closed by the thread that does it.
  public static Work of(Request request, Seats seats, String user) {
    var work = new Work(seats, user);
    request.setAttribute(Work.class.getName(), work);
    return work;
  }

  /// What was said of a request.
  public static Work of(Request request) {
    return request.getAttribute(Work.class.getName()) instanceof Work work ? work : NONE;
  }

  /// Waits for a seat, in the user's turn.
  public void begin() throws InterruptedException {
    if (seated || this == NONE) return;
    seated = seats.take(user, FOREVER);
  }

  @Override
  public void close() {
    if (!seated) return;
    seated = false;
    seats.leave(user);
  }

  /// Sends what comes of it, piece by piece.
  public OutputStream sentTo(Content.Sink sink) {
    return new BufferedOutputStream(new Pieces(sink), PIECE);
  }

  /// Leaves the seat to others while `sent` waits for the client, and after each piece to other
  /// users. What has begun is done before the user's next: otherwise all would end at the very end.
  private void await(CompletableFuture<?> sent) throws IOException {
    try {
      boolean held = seated;
      if (held && !sent.isDone()) {
        close();
        sent.get();
        seated = seats.takeAgain(user, FOREVER);
      } else {
        sent.get();
        if (held && seats.othersWait(user)) giveWay();
      }
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    } catch (InterruptedException ended) {
      throw (InterruptedIOException)
          new InterruptedIOException("while it was sent").initCause(ended);
    }
  }

  private void giveWay() throws InterruptedException {
    seated = false;
    seated = seats.giveWay(user, FOREVER);
  }

  /// Nothing is sent before there is a piece of it, or it ends.
  private final class Pieces extends OutputStream {
    private final Content.Sink sink;

    Pieces(Content.Sink sink) {
      this.sink = sink;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      send(false, ByteBuffer.wrap(bytes, offset, length));
    }

    private void send(boolean last, ByteBuffer bytes) throws IOException {
      var sent = new Callback.Completable();
      sink.write(last, bytes, sent);
      await(sent);
    }

    @Override
    public void close() throws IOException {
      Work.this.close();
      send(true, ByteBuffer.allocate(0));
    }
  }
}
