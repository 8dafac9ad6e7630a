package dev.berth.kube.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.object.Meta;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Sees what a watch shows, and how it ended: `added NAME`, `modified NAME`, `deleted NAME`,
/// `bookmark VERSION`, `closed` if it may be resumed, `expired` if not.
public class Ended implements Api.Watcher {
  private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

  /// The next of it, in order.
  public String next() throws InterruptedException {
    var event = events.poll(30, TimeUnit.SECONDS);
    return event == null ? "nothing within 30 s" : event;
  }

  /// Whether nothing has come that [#next] has not told.
  public boolean isQuiet() {
    return events.isEmpty();
  }

  @Override
  public void added(ObjectNode object) {
    events.add("added " + Meta.of(object).name());
  }

  @Override
  public void modified(ObjectNode object) {
    events.add("modified " + Meta.of(object).name());
  }

  @Override
  public void deleted(ObjectNode object) {
    events.add("deleted " + Meta.of(object).name());
  }

  @Override
  public void bookmark(String resourceVersion) {
    events.add("bookmark " + resourceVersion);
  }

  @Override
  public void closed(boolean resumable) {
    events.add(resumable ? "closed" : "expired");
  }
}
