package dev.berth.sidecar.snapshotter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotResources;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Writes the status of contents. Each write tests that the content is the one that was seen, and
/// touches no field that another may have written meanwhile.
final class ContentStatus {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Api api;

  ContentStatus(Api api) {
    this.api = api;
  }

  /// What a driver says of a snapshot.
  ///
  /// @param creationTime in nanoseconds since 1970
  /// @param size in bytes; 0: not known
  /// @param group the driver's name of its group; empty: none
  record Answer(String handle, boolean ready, long creationTime, long size, String group) {}

  /// What is known stays as it was told first, but whether it is ready; an error goes when it is
  /// (SNAP-65). Nothing is written if nothing is new.
  SnapshotContent taken(SnapshotContent content, Answer answer) {
    var patch = new JsonPatch().testSame(content.meta());
    var news = news(content, answer);
    boolean healed = answer.ready() && !content.isReady() && content.shown().error().isPresent();
    if (content.status().isEmpty()) patch.testAbsent("status").add(news, "status");
    else news.properties().forEach(it -> patch.add(it.getValue(), "status", it.getKey()));
    if (healed) patch.remove("status", "error");
    return news.isEmpty() ? content : write(content, patch);
  }

  private static ObjectNode news(SnapshotContent content, Answer answer) {
    var was = content.shown();
    var news = JSON.objectNode();
    if (was.snapshotHandle().isEmpty()) news.put("snapshotHandle", answer.handle());
    if (was.readyToUse().isEmpty() || was.readyToUse().get() != answer.ready())
      news.put("readyToUse", answer.ready());
    if (was.creationTime().isEmpty()) news.put("creationTime", answer.creationTime());
    if (was.restoreSize().isEmpty() && answer.size() > 0) news.put("restoreSize", answer.size());
    if (was.groupHandle().isEmpty() && !answer.group().isEmpty())
      news.put("volumeGroupSnapshotHandle", answer.group());
    return news;
  }

  /// SNAP-63.
  void failed(SnapshotContent content, String message, Instant now) {
    var error = error(message, now);
    var patch = new JsonPatch().testSame(content.meta());
    if (content.status().isEmpty()) {
      var status = JSON.objectNode().put("readyToUse", false);
      status.set("error", error);
      patch.testAbsent("status").add(status, "status");
    } else patch.add(error, "status", "error").add(JSON.booleanNode(false), "status", "readyToUse");
    write(content, patch);
  }

  /// The snapshot has gone from the storage system (SNAP-56).
  void removed(SnapshotContent content) {
    if (content.status().isEmpty()) return;
    var patch = new JsonPatch().testSame(content.meta());
    var was = content.shown();
    was.snapshotHandle().ifPresent(it -> patch.test(it, "status", "snapshotHandle"));
    if (was.snapshotHandle().isPresent()) patch.remove("status", "snapshotHandle");
    if (was.readyToUse().isPresent()) patch.remove("status", "readyToUse");
    if (was.creationTime().isPresent()) patch.remove("status", "creationTime");
    if (was.restoreSize().isPresent()) patch.remove("status", "restoreSize");
    try {
      write(content, patch);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  private static JsonNode error(String message, Instant now) {
    return JSON.objectNode()
        .put("message", message)
        .put("time", now.truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private SnapshotContent write(SnapshotContent content, JsonPatch patch) {
    return SnapshotContents.read(
        api.patchStatus(SnapshotResources.CONTENTS, content.meta().key(), patch.patch()));
  }
}
