package dev.berth.controller.attachdetach;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.name;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Draft.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.binder.Binder;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The loops of attach/detach, with a small attacher and two small nodes, on a server.
class AttachDetachTest {
  private static final VolumeName VOLUME = name("pv-1");
  private static final ObjectKey WEB = ObjectKey.of("shop", "web");
  private static final ObjectKey ATTACHMENT = ObjectKey.cluster(VOLUME.attachment("node-a"));

  private final Map<String, TestNode> nodes = new ConcurrentHashMap<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster =
        Cluster.of(means -> {
          for (var node : List.of("node-a", "node-b"))
            nodes.put(node, new TestNode(means.api(), node));
          var attacher = new TestAttacher(means.api(), this::check);
          return List.of(
              Binder.claims(Binder.Options.DEFAULT).controller(means),
              Binder.volumes().controller(means),
              AttachDetach.volumes(AttachDetach.Options.DEFAULT).controller(means),
              AttachDetach.orphans(AttachDetach.Options.DEFAULT).controller(means),
              AttachDetach.pods(AttachDetach.Options.DEFAULT).controller(means),
              new Controller<>(attacher, attacher),
              new Controller<>(agent("node-a"), agent("node-a")),
              new Controller<>(agent("node-b"), agent("node-b")));
        });
    cluster.create(node("node-a"), node("node-b"), storageClass("fast"));
  }

  @AfterEach
  void stop() {
    cluster.close();
    assertThat(violations).isEmpty();
  }

  /// The one rule that data depends on.
  private void check(Attachment attachment) {
    var volume = cluster.find(Kinds.VOLUME, ObjectKey.cluster(attachment.volumeName()));
    if (volume.isEmpty()) return;
    var name = VolumeName.of(volume.get().csi().orElseThrow());
    if (agent(attachment.nodeName()).hasMounted(name))
      violations.add(name + " is taken off " + attachment.nodeName() + ", where it is mounted");
  }

  @Test
  void anAttachmentWhoseVolumeIsGoneGoesToo() { // AD-50
    cluster.create(attachment("pv-9", "node-b"));
    cluster.untilGone(Kinds.ATTACHMENT, ObjectKey.cluster(name("pv-9").attachment("node-b")));
  }

  @Test
  void soDoesOneWhoseVolumeIsThereByAnotherName() { // AD-46
    cluster.create(
        volume("other").set("spec.csi.volumeHandle", "h-pv-9"), attachment("pv-9", "node-b"));
    cluster.untilGone(Kinds.ATTACHMENT, ObjectKey.cluster(name("pv-9").attachment("node-b")));
  }

  @Test
  void aVolumeIsAttachedForAPodAndDetachedAfterIt() {
    bind("data", "pv-1");
    cluster.create(pod("web", "data").set("spec.nodeName", "node-a"));
    await().until(() -> agent("node-a").hasMounted(VOLUME));
    assertThat(cluster.find(Kinds.ATTACHMENT, ATTACHMENT).orElseThrow().attached()).isTrue();
    cluster.untilTold("SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume \"pv-1\" ");
    cluster.delete(Kinds.POD, WEB);
    cluster.untilGone(Kinds.ATTACHMENT, ATTACHMENT);
    assertThat(listed("node-a")).isFalse();
    assertThat(agent("node-a").hasMounted(VOLUME)).isFalse();
  }

  @Test
  void aVolumeComesToHundredNodesWithoutAPause() {
    var nodes = IntStream.range(0, 100).mapToObj(number -> "shared-" + number).toList();
    for (var node : nodes) cluster.create(node(node));
    cluster.create(
        volume("pv-1").set("spec.accessModes", "[ReadWriteMany]"),
        claim("data").set("spec.accessModes", "[ReadWriteMany]").set("spec.volumeName", "pv-1"));
    for (var node : nodes) cluster.create(pod("on-" + node, "data").set("spec.nodeName", node));
    await()
        .until(() ->
            nodes.stream()
                .map(node -> ObjectKey.cluster(VOLUME.attachment(node)))
                .allMatch(key -> cluster.find(Kinds.ATTACHMENT, key).isPresent()));
  }

  @Test
  void aVolumeMovesFromNodeToNode() {
    bind("data", "pv-1");
    cluster.create(pod("web", "data").set("spec.nodeName", "node-a"));
    await().until(() -> agent("node-a").hasMounted(VOLUME));
    cluster.create(pod("api", "data").set("spec.nodeName", "node-b"));
    cluster.untilTold(
        "FailedAttachVolume: Multi-Attach error for volume \"pv-1\" Volume is already used by"
            + " pod(s) web");
    cluster.delete(Kinds.POD, WEB);
    await().until(() -> agent("node-b").hasMounted(VOLUME));
    assertThat(cluster.find(Kinds.ATTACHMENT, ATTACHMENT)).isEmpty();
  }

  @Test
  void aVolumeThatADeadNodeHasMountedIsTakenOffWhenItsTimeIsOver() {
    bind("data", "pv-1");
    cluster.create(pod("web", "data").set("spec.nodeName", "node-a"));
    await().until(() -> agent("node-a").hasMounted(VOLUME));
    agent("node-a").die();
    cluster.delete(Kinds.POD, WEB);
    cluster.until(
        Kinds.ATTACHMENT,
        ATTACHMENT,
        it -> it.meta().hasAnnotation(Annotations.DETACH_REQUESTED_AT));
    assertThat(listed("node-a")).isTrue();
    cluster.patch(
        Kinds.ATTACHMENT,
        ATTACHMENT,
        body ->
            body.withObject("/metadata/annotations")
                .put(Annotations.DETACH_REQUESTED_AT, "2026-01-01T00:00:00Z"));
    cluster.patchStatus(
        Kinds.NODE,
        ObjectKey.cluster("node-a"),
        body ->
            body.putObject("status")
                .putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "Unknown"));
    cluster.untilGone(Kinds.ATTACHMENT, ATTACHMENT);
    assertThat(violations).hasSize(1); // that is what force means
    violations.clear();
  }

  @Test
  void noVolumeIsTakenOffWhereItIsMounted() { // AD-21
    int volumes = 5;
    for (int i = 0; i < volumes; i++) bind("data-" + i, "pv-" + i);
    var random = new Random(8812);
    for (int round = 0; round < 60; round++) {
      int i = random.nextInt(volumes);
      var key = ObjectKey.of("shop", "web-" + i);
      if (cluster.find(Kinds.POD, key).isPresent()) cluster.delete(Kinds.POD, key);
      else
        cluster.create(
            pod("web-" + i, "data-" + i)
                .set("spec.nodeName", random.nextBoolean() ? "node-a" : "node-b"));
      if (random.nextInt(4) == 0) cluster.untilQuiet();
    }
    for (var pod : cluster.list(Kinds.POD)) cluster.delete(Kinds.POD, pod.meta().key());
    await().until(() -> cluster.list(Kinds.ATTACHMENT).isEmpty());
    assertThat(cluster.list(Kinds.NODE)).flatExtracting(Node::volumesAttached).isEmpty();
  }

  private void bind(String claim, String volume) {
    cluster.create(volume(volume), claim(claim).set("spec.volumeName", volume));
    cluster.until(Kinds.CLAIM, ObjectKey.of("shop", claim), it -> it.phase() == Claim.Phase.BOUND);
  }

  private TestNode agent(String node) {
    return Objects.requireNonNull(nodes.get(node));
  }

  private boolean listed(String node) {
    return cluster
        .find(Kinds.NODE, ObjectKey.cluster(node))
        .orElseThrow()
        .volumesAttached()
        .contains(VOLUME.toString());
  }
}
