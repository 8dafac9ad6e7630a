package dev.berth.cli.outofservice;

import dev.berth.cli.session.News;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Labels;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What is left of a node: the pods that its taint removes, and the attachments of volumes to it.
final class Remains implements AutoCloseable {
  private static final Node.Taint TAINT =
      new Node.Taint(Labels.OUT_OF_SERVICE_TAINT, OutOfService.VALUE, "NoExecute");

  private final Api api;
  private final String node;
  private final Selector onNode;
  private final News news;

  Remains(Api api, String node) {
    this.api = api;
    this.node = node;
    this.onNode = Selector.fields("spec.nodeName=" + node);
    this.news = new News(api);
    news.follow(Resources.PODS, "", onNode);
    news.follow(Resources.ATTACHMENTS, "", Selector.ALL);
  }

  /// What is on a node, in words; empty: nothing.
  ///
  /// @param leaves what the taint removes
  /// @param stays what nobody removes: pods, and the volumes that they hold
  record Look(String leaves, String stays) {}

  Look look() {
    var pods = api.list(Resources.PODS, "", onNode).items().stream().map(Kinds.POD.read()).toList();
    var stay = pods.stream().filter(this::stays).toList();
    var leave = pods.stream().filter(pod -> !stay.contains(pod)).toList();
    var held = volumes(stay);
    var attached = attached();
    long holding = attached.stream().filter(held::contains).count();
    return new Look(words(leave, attached.size() - holding), words(stay, holding));
  }

  private static String words(List<Pod> pods, long volumes) {
    var words = new ArrayList<String>();
    for (var pod : pods) words.add("pod " + pod.meta().key());
    if (volumes > 0) words.add(volumes + (volumes == 1 ? " volume" : " volumes"));
    return String.join(", ", words);
  }

  /// Whether nobody removes the pod: most of what runs on each node tolerates every taint, and one
  /// that stands for a manifest of its node goes with its node.
  private boolean stays(Pod pod) {
    if (pod.meta().deleting()) return false;
    return pod.meta().hasAnnotation(Annotations.CONFIG_MIRROR)
        || pod.tolerations().stream()
            .filter(it -> it.tolerates(TAINT))
            .findFirst() // of several, the one that counts
            .filter(it -> it.seconds().isEmpty())
            .isPresent();
  }

  /// Names of the volumes that the pods hold, which stay attached with them.
  private Set<String> volumes(List<Pod> stay) {
    var volumes = new HashSet<String>();
    for (var pod : stay)
      for (var volume : pod.volumes())
        volume
            .claimName(pod.meta().name())
            .flatMap(claim -> claim(ObjectKey.of(pod.meta().namespace(), claim)))
            .map(Claim::volumeName)
            .ifPresent(volumes::add);
    return volumes;
  }

  private Optional<Claim> claim(ObjectKey key) {
    try {
      return Optional.of(Kinds.CLAIM.read().apply(api.get(Resources.CLAIMS, key)));
    } catch (ApiException refused) {
      if (refused.isNotFound()) return Optional.empty();
      throw refused;
    }
  }

  /// Names of the volumes that are attached to the node.
  private List<String> attached() {
    return api.list(Resources.ATTACHMENTS, "", Selector.ALL).items().stream()
        .map(Kinds.ATTACHMENT.read())
        .filter(it -> it.nodeName().equals(node))
        .map(Attachment::volumeName)
        .toList();
  }

  /// Returns after a change, or when it is time for another look.
  void await() throws InterruptedException {
    news.await();
  }

  @Override
  public void close() {
    news.close();
  }
}
