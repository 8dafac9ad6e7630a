package dev.berth.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/// What has been shown of one kind, however often the server ends the watch. It counts as it is
/// told: a measurement must not be slowed down by who watches it.
public final class Shown implements AutoCloseable {
  private static final Duration FIRST = Duration.ofSeconds(30);

  private final Kind<Tree> kind;
  private final SystemTime time = new SystemTime("shown");
  private final Caches caches;

  // Guarded by this.
  private final Map<ObjectKey, ObjectNode> objects = new HashMap<>();
  private Predicate<ObjectNode> wanted = _ -> true;
  private int fitting;
  private boolean filled;

  /// Begins to watch all objects of a kind; returns when those that are there are known.
  ///
  /// @throws TimeoutException if the server does not tell of them
  public Shown(Api api, Resource resource) throws InterruptedException, TimeoutException {
    kind = new Kind<>(resource, Tree::of);
    caches = Caches.of(api, time, List.of(kind));
    caches.follow(List.of(kind), new Counting());
    caches.start();
    until(() -> filled, FIRST);
  }

  private record Tree(Meta meta, ObjectNode tree) implements KubeObject {
    static Tree of(JsonNode tree) {
      return new Tree(Meta.of(tree), (ObjectNode) tree);
    }
  }

  /// Waits until as many objects as wanted are as wanted.
  ///
  /// @return nanoseconds on the machine's clock when it was so
  public synchronized long await(int count, Predicate<ObjectNode> wanted, Duration atMost)
      throws InterruptedException, TimeoutException {
    this.wanted = wanted;
    fitting = (int) objects.values().stream().filter(wanted).count();
    until(() -> fitting == count, atMost);
    return System.nanoTime();
  }

  private interface Condition {
    boolean holds();
  }

  private synchronized void until(Condition condition, Duration atMost)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + atMost.toNanos();
    while (!condition.holds()) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0)
        throw new TimeoutException(
            "%d of %d %s after %s"
                .formatted(fitting, objects.size(), kind.resource().plural(), atMost));
      wait(left);
    }
  }

  /// Those whose name begins so, and that are in a phase.
  public static Predicate<ObjectNode> phase(String prefix, String phase) {
    return object ->
        Json.text(object.path("metadata"), "name").startsWith(prefix)
            && Json.text(object.path("status"), "phase").equals(phase);
  }

  @Override
  public void close() {
    caches.close();
    time.close();
  }

  private final class Counting implements Follower {
    @Override
    public void filled(Snapshot first) {
      synchronized (Shown.this) {
        first.all(kind).forEach(this::came);
        filled = true;
        Shown.this.notifyAll();
      }
    }

    @Override
    public <T extends KubeObject> void changed(Kind<T> of, Change<T> change, Snapshot with) {
      synchronized (Shown.this) {
        var before = objects.remove(change.latest().meta().key());
        if (before != null && wanted.test(before)) fitting--;
        if (change.after().orElse(null) instanceof Tree tree) came(tree);
        Shown.this.notifyAll();
      }
    }

    private void came(Tree object) {
      objects.put(object.meta.key(), object.tree);
      if (wanted.test(object.tree)) fitting++;
    }
  }
}
