package dev.berth.sidecar.nodeplugin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resources;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the taint `<driver>/agent-not-ready` off a node once the kubelet knows the driver there
/// and how many of its volumes fit (PRA-03). Who gives new nodes that taint has no pod on them
/// before its volumes can be counted and mounted (kubernetes/kubernetes#95911).
public final class StartupTaint {
  private static final Logger log = LoggerFactory.getLogger(StartupTaint.class);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int ATTEMPTS = 8;

  /// What came of it.
  public enum Outcome {
    REMOVED,
    /// The node has no such taint.
    ABSENT,
    /// This process may not look at the node or change it: then this is somebody else's work.
    FORBIDDEN,
    /// The driver was not counted in time, and the last try failed too.
    GAVE_UP
  }

  private final Api api;
  private final Sight sight;
  private final String driver;
  private final ObjectKey node;
  private final Duration longest;

  /// @param node name of the Node that this process is on
  public StartupTaint(Api api, String driver, String node) {
    this(api, Sight.of(api), driver, node, LONGEST);
  }

  StartupTaint(Api api, Sight sight, String driver, String node, Duration longest) {
    this.api = api;
    this.sight = sight;
    this.driver = driver;
    this.node = ObjectKey.cluster(node);
    this.longest = longest;
  }

  /// Returns when it is done, one way or the other: after 10 minutes and one last try.
  public Outcome remove() throws InterruptedException {
    var outcome = attempt();
    switch (outcome) {
      case REMOVED -> log.info("node {} has no {} any more: pods may come", node.name(), key());
      case GAVE_UP ->
          log.warn(
              "node {} still has the taint {}: {} was not counted there within {}; look whether the"
                  + " kubelet has registered it",
              node.name(),
              key(),
              driver,
              longest);
      case ABSENT, FORBIDDEN -> log.debug("the taint {}: {}", key(), outcome);
    }
    return outcome;
  }

  private Outcome attempt() throws InterruptedException {
    try {
      if (!mayHaveIt()) return Outcome.ABSENT;
      var counted =
          sight.await(
              Kinds.CSI_NODE,
              Selector.fields("metadata.name=" + node.name()),
              nodes -> nodes.stream().anyMatch(this::counts),
              longest);
      if (counted.isPresent() || isRegistered()) return takeOff();
      return taints().isEmpty() ? Outcome.ABSENT : Outcome.GAVE_UP;
    } catch (ApiException refused) {
      return Sight.isForbidden(refused) ? Outcome.FORBIDDEN : Outcome.GAVE_UP;
    }
  }

  /// Nodes get the taint when they are made, before any driver is on them.
  private boolean mayHaveIt() {
    try {
      return !taints().isEmpty();
    } catch (ApiException refused) {
      if (Sight.isForbidden(refused)) throw refused;
      return true;
    }
  }

  private boolean counts(CsiNode csiNode) {
    return csiNode.driver(driver).filter(it -> it.maxVolumes().isPresent()).isPresent();
  }

  /// The last try: a driver without a limit is registered and never counted.
  private boolean isRegistered() {
    return Kinds.CSI_NODE
        .read()
        .apply(api.get(Resources.CSI_NODES, node))
        .driver(driver)
        .isPresent();
  }

  /// The kubelet and others write the node too: a patch that met another list is made anew.
  private Outcome takeOff() throws InterruptedException {
    for (var failures = 1; ; failures++) {
      try {
        var found = taints();
        if (found.isEmpty()) return failures == 1 ? Outcome.ABSENT : Outcome.REMOVED;
        api.patch(Resources.NODES, node, without(found));
        return Outcome.REMOVED;
      } catch (ApiException refused) {
        if (Sight.isForbidden(refused)) throw refused;
        if (failures == ATTEMPTS) return Outcome.GAVE_UP;
        log.debug("taking {} off failed: {}", key(), refused.getMessage());
      }
      Thread.sleep(sight.pauses().after(failures));
    }
  }

  private String key() {
    return driver + "/agent-not-ready";
  }

  /// @param index in the node's list
  private record Found(int index, ObjectNode taint) {}

  /// The last one first: to take one away moves those behind it.
  private List<Found> taints() {
    var all = api.get(Resources.NODES, node).path("spec").path("taints");
    return IntStream.range(0, all.size())
        .mapToObj(i -> new Found(i, (ObjectNode) all.get(i)))
        .filter(found -> Json.text(found.taint, "key").equals(key()))
        .toList()
        .reversed();
  }

  private static Patch without(List<Found> found) {
    var patch = new JsonPatch();
    for (var one : found) {
      var index = Integer.toString(one.index);
      patch.test(one.taint, "spec", "taints", index).remove("spec", "taints", index);
    }
    return patch.patch();
  }
}
