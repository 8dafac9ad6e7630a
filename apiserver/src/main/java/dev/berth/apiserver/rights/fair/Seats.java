package dev.berth.apiserver.rights.fair;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// So many requests are worked on at once. Users who find no seat free stand in a line each, and a
/// seat that becomes free goes to the next user, in turn, however long the lines of the others are.
public final class Seats {
  private final Limits limits;

  /// How many seats each user has now; those with none are not here.
  private final Map<String, Integer> held = new HashMap<>();

  /// Whose turn it is next comes first.
  private final LinkedHashMap<String, Deque<Waiter>> lines = new LinkedHashMap<>();

  private int taken;
  private int waiting;

  /// @param seats for all users together
  /// @param each most seats of one user
  /// @param line most requests of one user that wait
  /// @param waiting most requests of all users that wait
  public record Limits(int seats, int each, int line, int waiting) {}

  public Seats(Limits limits) {
    this.limits = limits;
  }

  private static final class Waiter {
    private final CountDownLatch called = new CountDownLatch(1);
  }

  /// Takes a seat, as soon as it is the user's turn.
  ///
  /// @return whether there is one: otherwise too many wait, or `atMost` has passed
  public boolean take(String user, Duration atMost) throws InterruptedException {
    var waiter = new Waiter();
    synchronized (this) {
      if (!lines.containsKey(user) && isFreeFor(user)) {
        sit(user);
        return true;
      }
      var line = lines.getOrDefault(user, new ArrayDeque<>());
      if (line.size() >= limits.line() || waiting >= limits.waiting()) return false;
      line.add(waiter);
      lines.putIfAbsent(user, line);
      waiting++;
    }
    try {
      if (waiter.called.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) return true;
    } catch (InterruptedException gone) {
      if (!leaveLine(user, waiter)) leave(user); // was called in the same moment
      throw gone;
    }
    return !leaveLine(user, waiter);
  }

  /// @return whether it still stood there
  private synchronized boolean leaveLine(String user, Waiter waiter) {
    var line = lines.get(user);
    if (line == null || !line.remove(waiter)) return false;
    waiting--;
    if (line.isEmpty()) lines.remove(user);
    return true;
  }

  /// Gives a seat back.
  public synchronized void leave(String user) {
    taken--;
    held.computeIfPresent(user, (_, seats) -> seats == 1 ? null : seats - 1);
    callNext();
  }

  private void callNext() {
    while (taken < limits.seats()) {
      var next = lines.keySet().stream().filter(this::isFreeFor).findFirst();
      if (next.isEmpty()) return;
      var user = next.get();
      var line = lines.remove(user);
      if (line == null) throw new IllegalStateException("no line of " + user);
      var waiter = line.remove();
      waiting--;
      if (!line.isEmpty()) lines.put(user, line); // behind the others
      sit(user);
      waiter.called.countDown();
    }
  }

  private boolean isFreeFor(String user) {
    return taken < limits.seats() && held.getOrDefault(user, 0) < limits.each();
  }

  private void sit(String user) {
    taken++;
    held.merge(user, 1, Integer::sum);
  }

  /// How many seats are taken.
  public synchronized int taken() {
    return taken;
  }

  /// How many requests wait for a seat.
  public synchronized int waiting() {
    return waiting;
  }
}
