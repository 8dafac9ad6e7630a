package dev.berth.cli.outofservice;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.cli.Problem;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.util.function.Consumer;

/// Says of a node that it is out of service, waits until nothing of it is left, and takes that word
/// back: whoever forgets it would find the node without pods when it returns.
///
/// @param silence for how long no sign of life must come
/// @param says takes what is to be told, line by line
public record OutOfService(Api api, String node, Duration silence, Consumer<String> says) {
  /// Kubelets renew their Leases each 10 s, and so does `berth node`.
  public static final Duration SILENCE = Duration.ofSeconds(15);

  /// What the taint has for a value, as Kubernetes' documentation writes it.
  static final String VALUE = "nodeshutdown";

  private static final int ATTEMPTS = 5;

  /// @param patience how long to wait for pods and volumes to leave
  /// @throws Problem if the node gives a sign of life, or its pods and volumes do not leave in time
  public void run(Duration patience) throws InterruptedException {
    var heartbeat = check();
    retaint(true);
    says.accept(
        "node %s has the taint %s: its pods are removed, and their volumes taken off"
            .formatted(node, Labels.OUT_OF_SERVICE_TAINT));
    String stays;
    try (var remains = new Remains(api, node)) {
      stays = await(remains, heartbeat, patience);
    }
    retaint(false);
    says.accept(
        stays.isEmpty()
            ? "nothing is left on node %s, and the taint is off again".formatted(node)
            : "all that the taint removes has left node %s, and it is off again. There stay: %s"
                .formatted(node, stays));
  }

  private Heartbeat check() throws InterruptedException {
    if (find().ready())
      throw new Problem(
          "node %s is ready: it lives, and so do its pods. Switch its machine off first; once it is said to be not ready, come back"
              .formatted(node));
    says.accept("listens for %d s to node %s".formatted(silence.toSeconds(), node));
    var heartbeat = new Heartbeat(api, node);
    // AD-55: two who write destroy a file system
    if (heartbeat.listen(silence))
      throw new Problem(
          "the agent of node %s has just renewed its lease: it lives, though it is not ready. Switch its machine off first"
              .formatted(node));
    return heartbeat;
  }

  private Node find() {
    try {
      return Kinds.NODE.read().apply(api.get(Resources.NODES, ObjectKey.cluster(node)));
    } catch (ApiException refused) {
      if (refused.isNotFound()) throw new Problem("there is no node " + node);
      throw refused;
    }
  }

  /// @return what stays there, in words; empty: nothing
  private String await(Remains remains, Heartbeat heartbeat, Duration patience)
      throws InterruptedException {
    long begun = System.nanoTime();
    var told = "";
    while (true) {
      var look = remains.look();
      var left = look.leaves();
      if (left.isEmpty()) return look.stays();
      if (!left.equals(told)) says.accept("waits for " + left);
      told = left;
      // AD-55
      if (find().ready() || heartbeat.heard()) {
        retaint(false);
        throw new Problem(
            "node %s is back before all had left it, and the taint is off again: %s stay there"
                .formatted(node, left));
      }
      if (System.nanoTime() - begun >= patience.toNanos())
        throw new Problem(
            "%s did not leave node %s in time; the taint stays. When they have: kubectl taint node %2$s %s-"
                .formatted(left, node, Labels.OUT_OF_SERVICE_TAINT));
      remains.await();
    }
  }

  /// With all other taints as they are.
  private void retaint(boolean out) {
    for (int attempt = 1; ; attempt++) {
      try {
        var current = api.get(Resources.NODES, ObjectKey.cluster(node));
        var taints = JsonNodeFactory.instance.arrayNode();
        for (var taint : current.path("spec").path("taints"))
          if (!Json.text(taint, "key").equals(Labels.OUT_OF_SERVICE_TAINT)) taints.add(taint);
        if (out)
          taints
              .addObject()
              .put("key", Labels.OUT_OF_SERVICE_TAINT)
              .put("value", VALUE)
              .put("effect", "NoExecute");
        api.patch(Resources.NODES, ObjectKey.cluster(node), patch(Meta.of(current), taints));
        return;
      } catch (ApiException.LostRace lost) {
        if (attempt == ATTEMPTS) throw lost;
      }
    }
  }

  private static Patch patch(Meta seen, ArrayNode taints) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata")
        .put("uid", seen.uid())
        .put("resourceVersion", seen.resourceVersion());
    body.putObject("spec").set("taints", taints);
    return Patch.merge(body);
  }
}
