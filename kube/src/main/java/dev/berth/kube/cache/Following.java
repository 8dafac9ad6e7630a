package dev.berth.kube.cache;

import dev.berth.kube.object.Kind;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What caches have for one follower: delivered in order, by one thread at a time, with no lock
/// held, so that nobody but this follower waits for it.
public final class Following {
  private static final Logger log = LoggerFactory.getLogger(Following.class);

  private final Interest interest;
  private final Follower follower;
  private final long number;

  private final ArrayDeque<Consumer<Follower>> mail = new ArrayDeque<>(); // guarded by this
  private boolean delivering; // guarded by this
  private boolean called; // guarded by this: somebody has been asked to deliver
  private boolean ended; // guarded by this

  /// @param number in the order in which they came
  Following(Interest interest, Follower follower, long number) {
    this.interest = interest;
    this.follower = follower;
    this.number = number;
  }

  boolean isOf(Follower whom) {
    return follower.equals(whom);
  }

  Interest interest() {
    return interest;
  }

  long number() {
    return number;
  }

  void begin(Snapshot first) {
    post(to -> to.filled(first));
  }

  /// What it waits for may not be listed.
  void refused(Kind<?> kind, String why) {
    if (interest.kinds().contains(kind)) post(to -> to.refused(kind, why));
  }

  synchronized void post(Consumer<Follower> letter) {
    if (!ended) mail.add(letter);
  }

  /// Whether somebody has to be asked to deliver; he counts as asked.
  synchronized boolean calls() {
    boolean calls = !mail.isEmpty() && !delivering && !called;
    if (calls) called = true;
    return calls;
  }

  synchronized void end() {
    ended = true;
    mail.clear();
  }

  /// Whether all has been delivered.
  public synchronized boolean idle() {
    return mail.isEmpty() && !delivering;
  }

  /// Delivers what there is, unless another thread is at it. For who is about to take a snapshot
  /// and wants to have heard of what it shows.
  public void catchUp() {
    synchronized (this) {
      called = false;
      if (delivering) return;
      delivering = true;
    }
    for (var letter = next(); letter != null; letter = next()) deliver(letter);
  }

  private synchronized @Nullable Consumer<Follower> next() {
    var letter = mail.poll();
    delivering = letter != null;
    return letter;
  }

  /// A follower that fails at one change is told of the next all the same.
  private void deliver(Consumer<Follower> letter) {
    try {
      letter.accept(follower);
    } catch (RuntimeException | Error broken) {
      log.error("a change could not be taken note of", broken);
    }
  }
}
