package dev.berth.driver.baremetal.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.baremetal.node.NodeVolumes;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Follower;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Says in the CSIStorageCapacity objects of a node that they are old as soon as a drive of it
/// comes, goes, is taken or given back, so that the provisioner asks anew (BM-84): it would else
/// learn of it at its next round, and pods would be sent to a node whose last drive has just gone.
public final class CapacityNews implements Follower {
  private static final Logger log = LoggerFactory.getLogger(CapacityNews.class);
  private static final String LABEL = "csi.storage.k8s.io/drivername";

  /// What comes within it is told once.
  private static final Duration TOGETHER = Duration.ofMillis(100);

  /// After it the same is told once more: the answer to a question that was under way is old, too,
  /// and an object may not have been there yet.
  private static final Duration ONCE_MORE = Duration.ofSeconds(2);

  private final Api api;
  private final Time time;
  private final String driver;

  /// Of several controllers each tells it, and who asks one of them learns what that one has seen.
  private final String teller;

  /// By node the version of the drive that changed last; guarded by this.
  private final Map<String, String> untold = new HashMap<>();

  private CapacityNews(Api api, Time time, String driver) {
    this.api = api;
    this.time = time;
    this.driver = driver;
    this.teller = Long.toHexString(time.random().nextLong());
  }

  /// Begins with the first change.
  ///
  /// @param driver its name
  public static void follow(Caches caches, Time time, String driver) {
    caches.follow(Set.of(BareMetalKinds.DRIVE), new CapacityNews(caches.api(), time, driver));
  }

  @Override
  public void filled(Snapshot first) {}

  @Override
  public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {
    var before = drive(change.before());
    var after = drive(change.after());
    if (before.map(CapacityNews::offer).equals(after.map(CapacityNews::offer))) return;
    var latest = after.or(() -> before).orElseThrow();
    // of a drive that has gone the last version was told already
    var mark = latest.uuid() + "/" + latest.meta().resourceVersion() + (after.isEmpty() ? "-" : "");
    synchronized (this) {
      if (untold.isEmpty()) time.after(TOGETHER, this::tell);
      untold.put(latest.nodeId(), mark);
    }
  }

  private static Optional<Drive> drive(Optional<? extends KubeObject> object) {
    return object.map(Drive.class::cast);
  }

  /// What a volume could have of it.
  private record Offer(long whole, long share) {}

  private static Offer offer(Drive drive) {
    return new Offer(drive.available() ? drive.size() : 0, drive.room());
  }

  private void tell() {
    Map<String, String> news;
    synchronized (this) {
      news = Map.copyOf(untold);
      untold.clear();
    }
    tell(news, "");
    time.after(ONCE_MORE, () -> tell(news, "+"));
  }

  private void tell(Map<String, String> news, String more) {
    try {
      for (var capacity :
          api.list(Resources.STORAGE_CAPACITIES, "", Selector.labels(LABEL + "=" + driver)).items())
        mark(capacity, news, more);
    } catch (ApiException refused) {
      log.warn(
          "the provisioner learns only later that drives have changed: {}", refused.getMessage());
    }
  }

  private void mark(ObjectNode capacity, Map<String, String> news, String more) {
    var node = Json.text(capacity.path("nodeTopology").path("matchLabels"), NodeVolumes.TOPOLOGY);
    var mark = news.get(node);
    if (mark == null) return;
    var metadata = capacity.path("metadata");
    var patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", Json.text(metadata, "uid"))
        .putObject("annotations")
        .put(Annotations.CAPACITY_CHANGED, mark + "/" + teller + more);
    var key = ObjectKey.of(Json.text(metadata, "namespace"), Json.text(metadata, "name"));
    try {
      api.patch(Resources.STORAGE_CAPACITIES, key, Patch.merge(patch));
    } catch (ApiException refused) {
      if (!refused.isNotFound() && !(refused instanceof ApiException.LostRace)) throw refused;
    }
  }
}
