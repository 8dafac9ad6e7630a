package dev.berth.controller.attachdetach;

import static dev.berth.controller.Draft.attachment;
import static dev.berth.controller.Draft.name;
import static dev.berth.controller.Draft.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controller.Cluster;
import dev.berth.controller.ControllerMetrics;
import dev.berth.controller.Draft;
import dev.berth.controller.attachdetach.AttachDetachEffect.ForceDetach;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Revision;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A volume is taken off a node by force only if the server says too that the node is dead (AD-32).
class ForceDetachTest {
  private static final VolumeName VOLUME = name("pv-1");
  private static final ObjectKey KEY = ObjectKey.cluster(VOLUME.attachment("node-a"));

  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    cluster = Cluster.of(_ -> List.of());
    cluster.create(attachment("pv-1", "node-a"));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private void force(String why) throws InterruptedException {
    var seen = cluster.find(Kinds.ATTACHMENT, KEY).orElseThrow();
    new AttachDetachEffects(cluster.api(), _ -> {}, ControllerMetrics.unread())
        .carryOut(new ForceDetach(Revision.of(seen.meta()), VOLUME, "node-a", why));
  }

  @ParameterizedTest
  @ValueSource(strings = {"timeout", "out-of-service"})
  void aNodeThatIsBackKeepsItsVolume(String why) {
    cluster.create(node("node-a"));
    assertThatThrownBy(() -> force(why)).isInstanceOf(ApiException.LostRace.class);
    assertThat(cluster.find(Kinds.ATTACHMENT, KEY)).isPresent();
  }

  @Test
  void soDoesOneThatIsNotToldYet() {
    cluster.create(dead().lists("pv-1"));
    assertThatThrownBy(() -> force("timeout")).isInstanceOf(ApiException.LostRace.class);
    assertThat(cluster.find(Kinds.ATTACHMENT, KEY)).isPresent();
  }

  @Test
  void aDeadOneDoesNot() throws InterruptedException {
    cluster.create(dead());
    force("timeout");
    assertThat(cluster.find(Kinds.ATTACHMENT, KEY)).isEmpty();
  }

  @Test
  void norOneThatIsGone() throws InterruptedException {
    force("timeout");
    assertThat(cluster.find(Kinds.ATTACHMENT, KEY)).isEmpty();
  }

  @Test
  void norOneThatIsOutOfService() throws InterruptedException {
    cluster.create(
        node("node-a")
            .set("spec.taints", "[{key: node.kubernetes.io/out-of-service, effect: NoExecute}]"));
    force("out-of-service");
    assertThat(cluster.find(Kinds.ATTACHMENT, KEY)).isEmpty();
  }

  private static Draft dead() {
    return node("node-a").set("status.conditions", "[{type: Ready, status: Unknown}]");
  }
}
