package dev.berth.cli.drives;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Waits until something changes about a drive or a volume on one.
public final class News implements AutoCloseable {
  /// What ends without a word, such as a watch, is looked after all the same.
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Semaphore changes = new Semaphore(0);
  private final List<Api.Watch> watches = new ArrayList<>();

  /// From now on nothing is missed.
  public News(Api api) {
    for (var resource : List.of(BareMetalKinds.DRIVES, BareMetalKinds.VOLUMES)) {
      var version = api.list(resource, "", Selector.ALL).resourceVersion();
      watches.add(api.watch(resource, "", Selector.ALL, version, new Seer()));
    }
  }

  /// Returns after a change, or when it is time for another look.
  public void await(Duration most) throws InterruptedException {
    long millis = Math.max(0, Math.min(LONGEST.toMillis(), most.toMillis()));
    if (changes.tryAcquire(millis, TimeUnit.MILLISECONDS)) changes.drainPermits();
  }

  @Override
  public void close() {
    watches.forEach(Api.Watch::close);
  }

  private final class Seer implements Api.Watcher {
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
      changes.release();
    }
  }
}
