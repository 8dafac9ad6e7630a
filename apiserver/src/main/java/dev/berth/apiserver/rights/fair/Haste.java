package dev.berth.apiserver.rights.fair;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.server.Request;

/// Whether a request may still wait for its client: for a body that does not come, or an answer
/// that is not taken. It has a seat meanwhile, so it may for as long as nobody else lacks one, or
/// its user has no more than a fair share of them ([Seats#owes]).
public final class Haste {
  /// For requests without a seat.
  static final Haste NONE = new Haste(() -> false);

  /// However short of seats others are: so long it is waited for in all, by a request. What a
  /// client has at hand comes in far less. The time that we take for ourselves is none of its.
  private static final Duration GRACE = Duration.ofSeconds(2);

  private static final Duration LOOK = Duration.ofSeconds(1);

  private final BooleanSupplier owed;
  private final Clock clock;
  private long waited; // ns; of the thread that answers

  Haste(BooleanSupplier owed) {
    this(owed, Clock.REAL);
  }

  Haste(BooleanSupplier owed, Clock clock) {
    this.owed = owed;
    this.clock = clock;
  }

  /// How time passes while it is waited.
  interface Clock {
    Clock REAL =
        new Clock() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void await(Future<?> done, Duration most) throws InterruptedException {
            try {
              done.get(most.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException | ExecutionException notYetOrNever) {
              // whoever asked sees which
            }
          }
        };

    /// Counts nanoseconds from anywhere.
    long nanos();

    /// Until it has come to an end, well or not, or `most` has passed.
    void await(Future<?> done, Duration most) throws InterruptedException;
  }

  /// Says of a request that has just been given a seat whether others lack it.
  public static void of(Request request, BooleanSupplier owed) {
    request.setAttribute(Haste.class.getName(), new Haste(owed));
  }

  /// What was said of a request.
  public static Haste of(Request request) {
    return request.getAttribute(Haste.class.getName()) instanceof Haste haste ? haste : NONE;
  }

  /// Others wait for the seat.
  public static final class OwedException extends IOException {
    private static final long serialVersionUID = 1L;

    public OwedException() {
      super("the client keeps others waiting who have no seat");
    }
  }

  /// Waits for something that the client is to do.
  ///
  /// @return whether it has come to an end, well or not; otherwise the seat is owed to others
  public boolean await(Future<?> done) throws InterruptedException {
    while (!done.isDone()) {
      if (waited > GRACE.toNanos() && owed.getAsBoolean()) return false;
      long since = clock.nanos();
      clock.await(done, LOOK);
      waited += clock.nanos() - since;
    }
    return true;
  }
}
