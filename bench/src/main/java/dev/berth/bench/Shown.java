package dev.berth.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/// What a watch of one kind has shown, and when.
public final class Shown implements Api.Watcher, AutoCloseable {
  private final Map<String, ObjectNode> objects = new HashMap<>();
  private final Api.Watch watch;

  /// Begins to watch all objects of a kind.
  public Shown(Api api, Resource resource) {
    var list = api.list(resource, "", Selector.ALL);
    list.items().forEach(this::added);
    watch = api.watch(resource, "", Selector.ALL, list.resourceVersion(), this);
  }

  /// Waits until as many objects as wanted are as wanted.
  ///
  /// @return nanoseconds on the machine's clock when it was so
  public synchronized long await(int count, Predicate<ObjectNode> wanted, Duration atMost)
      throws InterruptedException, TimeoutException {
    long end = System.nanoTime() + atMost.toNanos();
    while (objects.values().stream().filter(wanted).count() != count) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0)
        throw new TimeoutException(
            objects.values().stream().filter(wanted).count() + " of " + count + " in " + atMost);
      wait(left);
    }
    return System.nanoTime();
  }

  /// Those whose name begins so, and that are in a phase.
  public static Predicate<ObjectNode> phase(String prefix, String phase) {
    return object ->
        Json.text(object.path("metadata"), "name").startsWith(prefix)
            && Json.text(object.path("status"), "phase").equals(phase);
  }

  @Override
  public synchronized void added(ObjectNode object) {
    objects.put(Json.text(object.path("metadata"), "uid"), object);
    notifyAll();
  }

  @Override
  public void modified(ObjectNode object) {
    added(object);
  }

  @Override
  public synchronized void deleted(ObjectNode object) {
    objects.remove(Json.text(object.path("metadata"), "uid"));
    notifyAll();
  }

  @Override
  public void bookmark(String resourceVersion) {}

  @Override
  public void closed(boolean resumable) {
    throw new IllegalStateException("the server ended the watch");
  }

  @Override
  public void close() {
    watch.close();
  }
}
