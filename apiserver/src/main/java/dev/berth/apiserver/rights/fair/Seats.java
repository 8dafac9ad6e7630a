package dev.berth.apiserver.rights.fair;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/// So many requests are worked on at once. Users who find no seat free stand in a line each, and a
/// seat that becomes free goes to the next user, in turn, however long the lines of the others are.
/// Who needs several is not overtaken by those who need fewer.
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
    private final int count;
    private final CountDownLatch called = new CountDownLatch(1);

    Waiter(int count) {
      this.count = count;
    }
  }

  /// Takes a seat, as soon as it is the user's turn.
  ///
  /// @return whether there is one: otherwise too many wait, or `atMost` has passed
  public boolean take(String user, Duration atMost) throws InterruptedException {
    return take(user, 1, atMost);
  }

  /// Takes `count` seats together, as soon as it is the user's turn.
  ///
  /// @param count not more than one user may have
  /// @return whether there are so many: otherwise too many wait, or `atMost` has passed
  public boolean take(String user, int count, Duration atMost) throws InterruptedException {
    return take(user, count, atMost, Deque::addLast);
  }

  /// Takes a seat that was given back for a moment: before the others of the same user.
  ///
  /// @return whether there is one: otherwise too many wait, or `atMost` has passed
  public boolean takeAgain(String user, Duration atMost) throws InterruptedException {
    return take(user, 1, atMost, Deque::addFirst);
  }

  /// Lets one request of each other user that waits have the seat first.
  ///
  /// @return whether it is there again: otherwise `atMost` has passed
  public boolean giveWay(String user, Duration atMost) throws InterruptedException {
    var waiter = new Waiter(1);
    synchronized (this) {
      var line = lines.getOrDefault(user, new ArrayDeque<>());
      line.addFirst(waiter);
      lines.remove(user);
      lines.put(user, line); // behind the others
      waiting++;
      leave(user);
    }
    return isCalled(user, waiter, atMost);
  }

  private boolean take(
      String user, int count, Duration atMost, BiConsumer<Deque<Waiter>, Waiter> queue)
      throws InterruptedException {
    var waiter = new Waiter(count);
    synchronized (this) {
      if (nobodyIsNext() && mayHave(user, count) && taken + count <= limits.seats()) {
        sit(user, count);
        return true;
      }
      var line = lines.getOrDefault(user, new ArrayDeque<>());
      if (line.size() >= limits.line() || waiting >= limits.waiting()) return false;
      queue.accept(line, waiter);
      lines.putIfAbsent(user, line);
      waiting++;
    }
    return isCalled(user, waiter, atMost);
  }

  private boolean isCalled(String user, Waiter waiter, Duration atMost)
      throws InterruptedException {
    try {
      if (waiter.called.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) return true;
    } catch (InterruptedException gone) {
      if (!leaveLine(user, waiter)) leave(user, waiter.count); // was called in the same moment
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
    callNext(); // it may have kept others waiting who need fewer
    return true;
  }

  /// Gives a seat back.
  public void leave(String user) {
    leave(user, 1);
  }

  /// Gives seats back.
  public synchronized void leave(String user, int count) {
    taken -= count;
    held.computeIfPresent(user, (_, seats) -> seats == count ? null : seats - count);
    callNext();
  }

  private void callNext() {
    while (taken < limits.seats()) {
      var next = next();
      if (next.isEmpty()) return;
      var user = next.get();
      var line = lines.get(user);
      if (line == null) throw new IllegalStateException("no line of " + user);
      if (taken + line.element().count > limits.seats()) return;
      lines.remove(user);
      var waiter = line.remove();
      waiting--;
      if (!line.isEmpty()) lines.put(user, line); // behind the others
      sit(user, waiter.count);
      waiter.called.countDown();
    }
  }

  private boolean nobodyIsNext() {
    return lines.isEmpty() || next().isEmpty();
  }

  /// The first user in turn who may have what it waits for, once it is free.
  private Optional<String> next() {
    return lines.entrySet().stream()
        .filter(line -> mayHave(line.getKey(), line.getValue().element().count))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private boolean mayHave(String user, int more) {
    return held.getOrDefault(user, 0) + more <= limits.each();
  }

  private void sit(String user, int count) {
    taken += count;
    held.merge(user, count, Integer::sum);
  }

  /// Whether somebody else than `user` waits for one.
  public synchronized boolean othersWait(String user) {
    return lines.size() > (lines.containsKey(user) ? 1 : 0);
  }

  /// Whether `user` has more than an equal share of the seats while somebody else waits who lacks
  /// nothing but one.
  public synchronized boolean owes(String user) {
    int own = held.getOrDefault(user, 0);
    boolean others =
        lines.entrySet().stream()
            .anyMatch(line ->
                !line.getKey().equals(user)
                    && mayHave(line.getKey(), line.getValue().element().count));
    return others && own * users() > limits.seats();
  }

  /// Who has a seat, or waits for one.
  private long users() {
    return held.size() + lines.keySet().stream().filter(user -> !held.containsKey(user)).count();
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
