package dev.berth.apiserver;

import dev.berth.apiserver.rights.fair.Seats;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/// Who reads of the past what is on disk, and in whose turn: one part after the other is read and
/// looked through, so that however many watches are resumed at once a processor is left to all
/// else; and only so many parts are in memory that somebody has not taken yet, few of one user.
final class Lookback {
  /// In bytes.
  private static final int ROOM = 256 << 10;

  private static final int ROOMS = 64;
  private static final int ROOMS_OF_USER = 16;
  private static final int ANY = Integer.MAX_VALUE;
  private static final Duration FOREVER = Duration.ofDays(1);

  private final Seats rooms = new Seats(new Seats.Limits(ROOMS, ROOMS_OF_USER, ANY, ANY));
  private final Seats turns = new Seats(new Seats.Limits(1, 1, ANY, ANY));

  /// Something of the past that is looked for.
  interface Looking<T> {
    T look();
  }

  /// Waits until there is room for so much that waits for its reader.
  ///
  /// @return to be run when it was taken, any number of times
  Runnable room(String user, int bytes) throws InterruptedException {
    int count = Math.clamp((bytes + ROOM - 1) / ROOM, 1, ROOMS_OF_USER);
    if (!rooms.take(user, count, FOREVER)) throw new InterruptedException("nobody waits so long");
    var taken = new AtomicBoolean(true);
    return () -> {
      if (taken.compareAndSet(true, false)) rooms.leave(user, count);
    };
  }

  /// Looks, in the user's turn.
  <T> T inTurn(String user, Looking<T> looking) throws InterruptedException {
    if (!turns.take(user, FOREVER)) throw new InterruptedException("nobody waits so long");
    try {
      return looking.look();
    } finally {
      turns.leave(user);
    }
  }
}
