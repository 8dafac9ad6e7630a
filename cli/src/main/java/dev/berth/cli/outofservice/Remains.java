package dev.berth.cli.outofservice;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// What is left of a node: its pods, and the attachments of volumes to it.
final class Remains implements AutoCloseable {
  /// A watch that has ended is not missed for longer, and a node that comes back is seen.
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Api api;
  private final String node;
  private final Selector onNode;
  private final Semaphore news = new Semaphore(0);
  private final List<Api.Watch> watches = new ArrayList<>();

  Remains(Api api, String node) {
    this.api = api;
    this.node = node;
    this.onNode = Selector.fields("spec.nodeName=" + node);
    watch(Resources.PODS, onNode);
    watch(Resources.ATTACHMENTS, Selector.ALL);
  }

  private void watch(Resource resource, Selector selector) {
    var version = api.list(resource, "", selector).resourceVersion();
    watches.add(api.watch(resource, "", selector, version, new Seer()));
  }

  /// In words; empty: nothing.
  String look() {
    var pods =
        api.list(Resources.PODS, "", onNode).items().stream()
            .map(Kinds.POD.read())
            .map(pod -> "pod " + pod.meta().key())
            .toList();
    long attached =
        api.list(Resources.ATTACHMENTS, "", Selector.ALL).items().stream()
            .map(Kinds.ATTACHMENT.read())
            .filter(attachment -> attachment.nodeName().equals(node))
            .count();
    var left = new ArrayList<>(pods);
    if (attached > 0) left.add(attached + (attached == 1 ? " volume" : " volumes"));
    return String.join(", ", left);
  }

  /// Returns after a change, or when it is time for another look.
  void await() throws InterruptedException {
    if (news.tryAcquire(LONGEST.toMillis(), TimeUnit.MILLISECONDS)) news.drainPermits();
  }

  @Override
  public void close() {
    watches.forEach(Api.Watch::close);
  }

  private final class Seer implements Api.Watcher {
    @Override
    public void added(ObjectNode object) {
      news.release();
    }

    @Override
    public void modified(ObjectNode object) {
      news.release();
    }

    @Override
    public void deleted(ObjectNode object) {
      news.release();
    }

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {}
  }
}
