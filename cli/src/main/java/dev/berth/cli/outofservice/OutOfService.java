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
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/// Says of a node that it is out of service, waits until nothing of it is left, and takes that word
/// back: whoever forgets it would find the node without pods when it returns.
///
/// @param says takes what is to be told, line by line
public record OutOfService(Api api, String node, Consumer<String> says) {
  private static final int ATTEMPTS = 5;

  /// @param patience how long to wait for pods and volumes to leave
  /// @throws Problem if the node gives a sign of life, or its pods and volumes do not leave in time
  public void run(Duration patience) throws InterruptedException {
    check(Instant.now());
    retaint(true);
    says.accept(
        "node %s has the taint %s: its pods are removed, and their volumes taken off"
            .formatted(node, Labels.OUT_OF_SERVICE_TAINT));
    try (var remains = new Remains(api, node)) {
      await(remains, Instant.now().plus(patience));
    }
    retaint(false);
    says.accept("nothing is left on node %s, and the taint is off again".formatted(node));
  }

  /// AD-55: two who write destroy a file system.
  private void check(Instant now) {
    var found = find();
    if (found.ready())
      throw new Problem(
          "node %s is ready: it lives, and so do its pods. Switch its machine off first; once it is said to be not ready, come back"
              .formatted(node));
    try {
      var lease = Kinds.LEASE.read().apply(api.get(Resources.LEASES, LeaseNames.node(node)));
      var renewed = lease.renewed().filter(at -> now.isBefore(at.plus(lease.duration())));
      if (!lease.holder().isEmpty() && renewed.isPresent())
        throw new Problem(
            "the agent of node %s has renewed its lease %d s ago: it lives, though it is not ready. Switch its machine off first"
                .formatted(node, Math.max(0, renewed.get().until(now, ChronoUnit.SECONDS))));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  private Node find() {
    try {
      return Kinds.NODE.read().apply(api.get(Resources.NODES, ObjectKey.cluster(node)));
    } catch (ApiException refused) {
      if (refused.isNotFound()) throw new Problem("there is no node " + node);
      throw refused;
    }
  }

  private void await(Remains remains, Instant end) throws InterruptedException {
    var told = "";
    while (true) {
      var left = remains.look();
      if (left.isEmpty()) return;
      if (!left.equals(told)) says.accept("waits for " + left);
      told = left;
      if (find().ready()) {
        retaint(false);
        throw new Problem(
            "node %s is back before all had left it, and the taint is off again: %s stay there"
                .formatted(node, left));
      }
      if (!Instant.now().isBefore(end))
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
              .put("value", "nodeshutdown")
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
