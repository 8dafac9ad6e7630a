package dev.berth.simulation.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.util.List;

/// Machines that fail, and whoever sees to them: some come back by themselves, sooner or later than
/// they are given up; of others somebody says that they are out of service, waits until their pods
/// are gone, and starts them again.
public final class Outages {
  private static final Duration BETWEEN = Duration.ofMinutes(2);
  private static final Duration SHORT = Duration.ofMinutes(2);
  private static final Duration NOTICED = Duration.ofSeconds(70);
  private static final Duration LOOK = Duration.ofSeconds(5);

  private final Cluster cluster;
  private boolean raging;

  public Outages(Cluster cluster) {
    this.cluster = cluster;
  }

  public void begin() {
    raging = true;
    later();
  }

  /// Nothing fails any more; what is off is seen to.
  public void end() {
    raging = false;
  }

  private void later() {
    cluster.time().after(cluster.time().upTo(BETWEEN), this::strike);
  }

  private void strike() {
    if (!raging) return;
    var on = cluster.nodes().stream().filter(cluster::isOn).toList();
    if (on.size() > 1) fail(on.get(cluster.time().random().nextInt(on.size())));
    later();
  }

  private void fail(String node) {
    cluster.powerOff(node);
    if (cluster.time().chance(0.4))
      cluster.time().after(cluster.time().upTo(SHORT), () -> cluster.powerOn(node));
    else cluster.time().after(NOTICED.plus(cluster.time().upTo(SHORT)), () -> giveUp(node));
  }

  private void giveUp(String node) {
    taint(node, List.of("node.kubernetes.io/out-of-service"));
    untilEmpty(node);
  }

  private void untilEmpty(String node) {
    boolean used =
        cluster.objects().all(Kinds.POD).stream().anyMatch(pod -> pod.nodeName().equals(node))
            || cluster.objects().all(Kinds.ATTACHMENT).stream()
                .anyMatch(attachment -> attachment.nodeName().equals(node));
    if (used) cluster.time().after(LOOK, () -> untilEmpty(node));
    else {
      taint(node, List.of());
      cluster.powerOn(node);
    }
  }

  /// Taints of others are made again by them.
  private void taint(String node, List<String> keys) {
    var body = JsonNodeFactory.instance.objectNode();
    var taints = body.putObject("spec").putArray("taints");
    for (var key : keys)
      taints.addObject().put("key", key).put("value", "nodeshutdown").put("effect", "NoExecute");
    cluster.api().patch(Resources.NODES, ObjectKey.cluster(node), Patch.merge(body));
  }
}
