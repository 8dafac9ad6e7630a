package dev.berth.cli.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Resource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Waits until something changes among the objects that are followed, or for a while: what ends a
/// wait may also be a deadline, or an object that nobody has named yet.
public final class News implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Api api;
  private final Semaphore changes = new Semaphore(0);
  private final Set<Following> followed = ConcurrentHashMap.newKeySet();

  public News(Api api) {
    this.api = api;
  }

  /// From now on no change of these objects is missed.
  ///
  /// @throws ApiException if they may not be seen, or the server is away
  public Following follow(Resource resource, String namespace, Selector selector) {
    var following = new Following();
    var version = api.list(resource, namespace, selector).resourceVersion();
    following.watch = api.watch(resource, namespace, selector, version, following);
    followed.add(following);
    return following;
  }

  /// Returns after a change, or when it is time for another look.
  public void await() throws InterruptedException {
    await(LONGEST);
  }

  /// Returns after a change, or when it is time for another look, and not later than asked for.
  public void await(Duration most) throws InterruptedException {
    long millis = Math.clamp(most.toMillis(), 0, LONGEST.toMillis());
    if (changes.tryAcquire(millis, TimeUnit.MILLISECONDS)) changes.drainPermits();
  }

  @Override
  public void close() {
    followed.forEach(Following::close);
  }

  /// Objects that are followed, until it is closed or the server ends the watch.
  public final class Following implements AutoCloseable, Api.Watcher {
    private Api.@Nullable Watch watch;
    private volatile boolean over;

    private Following() {}

    /// Whether it has ended by itself; then only the time brings another look.
    boolean over() {
      return over;
    }

    @Override
    public void added(ObjectNode object) {
      changes.release();
    }

    @Override
    public void modified(ObjectNode object) {
      changes.release();
    }

    @Override
    public void deleted(ObjectNode object) {
      changes.release();
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {
      over = true;
      changes.release();
    }

    @Override
    public void close() {
      followed.remove(this);
      if (watch != null) watch.close();
    }
  }
}
