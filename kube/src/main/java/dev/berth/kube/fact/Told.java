package dev.berth.kube.fact;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A source whose facts this process finds out itself: one value that is replaced, never changed.
public final class Told<S> implements Source<S> {
  private static final Logger log = LoggerFactory.getLogger(Told.class);

  private final Topic<S> topic;
  private final List<Follower<S>> followers = new CopyOnWriteArrayList<>();
  private volatile S now;

  // No monitor: a change may wait for others while it holds it.
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock; nothing is called with it held but the change itself.
  private final Queue<News<S>> untold = new ArrayDeque<>();
  private boolean telling;

  /// Begins with what is known where nobody tells.
  public Told(Topic<S> topic) {
    this(topic, topic.none());
  }

  public Told(Topic<S> topic, S first) {
    this.topic = topic;
    this.now = first;
  }

  @Override
  public Topic<S> topic() {
    return topic;
  }

  @Override
  public S now() {
    return now;
  }

  @Override
  public void follow(Follower<S> follower) {
    followers.add(follower);
  }

  @Override
  public void unfollow(Follower<S> follower) {
    followers.remove(follower);
  }

  /// Replaces what is known, and tells it if it is another.
  ///
  /// @param change quick, and without effects of its own
  /// @return what was known before and is now
  /// @throws IllegalStateException if called by such a change, which would undo what it does here
  public News<S> change(UnaryOperator<S> change) {
    if (lock.isHeldByCurrentThread())
      throw new IllegalStateException("a change of " + topic + " changes it");
    News<S> news;
    lock.lock();
    try {
      var before = now;
      news = new News<>(before, change.apply(before));
      if (news.after().equals(before)) return news;
      now = news.after();
      untold.add(news);
    } finally {
      lock.unlock();
    }
    tell();
    return news;
  }

  /// One thread at a time, so that all learn in order; the others leave theirs to it.
  private void tell() {
    for (var news = first(); news != null; news = next())
      for (var follower : followers) tell(follower, news);
  }

  /// A follower that fails keeps nothing from the others.
  private void tell(Follower<S> follower, News<S> news) {
    try {
      follower.changed(news);
    } catch (RuntimeException | Error broken) {
      log.error("news of {} could not be taken note of", topic, broken);
    }
  }

  private @Nullable News<S> first() {
    lock.lock();
    try {
      if (telling || untold.isEmpty()) return null;
      telling = true;
      return untold.remove();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable News<S> next() {
    lock.lock();
    try {
      telling = !untold.isEmpty();
      return untold.poll();
    } finally {
      lock.unlock();
    }
  }
}
