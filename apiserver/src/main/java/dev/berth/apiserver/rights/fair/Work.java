package dev.berth.apiserver.rights.fair;

import dev.berth.apiserver.rights.User;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;

/// What a request costs of the processors: a seat, which it has while it is worked on, and not
/// while it waits for its client, for the disk or for anybody else.
///
/// Requests run on virtual threads, as many at once as there are processors, and none of them is
/// interrupted for another; what else runs in this process shares them. So there are fewer seats
/// than processors: however much one user asks for, what has none finds a processor, and what waits
/// for one stands behind one request of each other user, and not behind all of them.
public final class Work implements AutoCloseable {
  /// Nothing that others would wait for: of nobody.
  public static final Work NONE = new Work(Processors.NONE, User.ANONYMOUS);

  private static final ThreadLocal<Work> CURRENT = ThreadLocal.withInitial(() -> NONE);
  private static final Duration FOREVER = Duration.ofDays(1);
  private static final int PIECE = 32 * 1024;

  private final Processors processors;
  private final User user;

  /// Where it has one; empty: it has none.
  private Optional<Seats> seated = Optional.empty();

  Work(Processors processors, User user) {
    this.processors = processors;
    this.user = user;
  }

  /// Something that is waited for.
  public interface Waiting<T> {
    T await() throws InterruptedException;
  }

  /// Of a request, on the thread that answers it, which is to close it.
  public static Work of(Request request, Processors processors, User user) {
    var work = new Work(processors, user);
    request.setAttribute(Work.class.getName(), work);
    CURRENT.set(work);
    return work;
  }

  /// What was said of a request.
  public static Work of(Request request) {
    return request.getAttribute(Work.class.getName()) instanceof Work work ? work : NONE;
  }

  /// Of the request that this thread answers.
  public static Work current() {
    return CURRENT.get();
  }

  /// In whose line its writes stand; empty: what they are about is not to wait for anybody else's.
  public String line() {
    return this == NONE || user.isSystem() ? "" : user.purse();
  }

  /// With whom it shares what each may have of what is for all; empty: it is of nobody.
  public String purse() {
    return this == NONE ? "" : user.purse();
  }

  /// Waits for a seat of those for what takes long, in the user's turn.
  public void begin() throws InterruptedException {
    if (this != NONE) sit(processors.lengthy());
  }

  /// Waits for a seat of those for what is done in a moment. Those of the system need none.
  public void beginBriefly() throws InterruptedException {
    if (seated.isEmpty() && !line().isEmpty()) sit(processors.brief());
  }

  private void sit(Seats seats) throws InterruptedException {
    if (seated.isPresent() && seated.get() == seats) return;
    leave();
    if (!seats.take(user.purse(), FOREVER)) return;
    seated = Optional.of(seats);
  }

  /// Leaves the seat to others while something is waited for.
  public <T> T aside(Waiting<T> waiting) throws InterruptedException {
    if (seated.isEmpty()) return waiting.await();
    var seats = seated.get();
    leave();
    var result = waiting.await();
    if (seats.takeAgain(user.purse(), FOREVER)) seated = Optional.of(seats);
    return result;
  }

  /// Gives the seat back: the rest is not ours to do.
  public void leave() {
    seated.ifPresent(seats -> seats.leave(user.purse()));
    seated = Optional.empty();
  }

  @Override
  public void close() {
    leave();
    CURRENT.remove();
  }

  /// Sends what comes of it, piece by piece.
  public OutputStream sentTo(Content.Sink sink, Haste haste) {
    return new BufferedOutputStream(new Pieces(sink, haste), PIECE);
  }

  /// Leaves the seat to others while `sent` waits for the client, and after each piece to other
  /// users. What has begun is done before the user's next: otherwise all would end at the very end.
  private void await(CompletableFuture<?> sent, Haste haste) throws IOException {
    try {
      if (sent.isDone()) giveWay();
      else if (!aside(() -> haste.await(sent))) throw new Haste.OwedException();
      sent.get();
    } catch (ExecutionException failed) {
      throw new IOException(failed.getCause());
    } catch (InterruptedException ended) {
      throw (InterruptedIOException)
          new InterruptedIOException("while it was sent").initCause(ended);
    }
  }

  private void giveWay() throws InterruptedException {
    if (seated.isEmpty() || !seated.get().othersWait(user.purse())) return;
    var seats = seated.get();
    seated = Optional.empty();
    if (seats.giveWay(user.purse(), FOREVER)) seated = Optional.of(seats);
  }

  /// Nothing is sent before there is a piece of it, or it ends.
  private final class Pieces extends OutputStream {
    private final Content.Sink sink;
    private final Haste haste;

    Pieces(Content.Sink sink, Haste haste) {
      this.sink = sink;
      this.haste = haste;
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
      await(sent, haste);
    }

    @Override
    public void close() throws IOException {
      leave();
      send(true, ByteBuffer.allocate(0));
    }
  }
}
