package dev.berth.controller.expansion;

import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Draft.volume;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.controller.Cluster;
import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.binder.Binder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.NoEffect;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What is said of claims that ask for more.
class ExpansionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "data");
  private static final Draft CLAIM =
      claim("data")
          .set("spec.volumeName", "pv-1")
          .set("spec.resources.requests.storage", "2Gi")
          .set("status.capacity.storage", "1Gi")
          .set("status.phase", "Bound");
  private static final Draft PV =
      volume("pv-1")
          .set("spec.claimRef.namespace", "shop")
          .set("spec.claimRef.name", "data")
          .set("spec.claimRef.uid", "uid-data");
  private static final World WANTED = World.of(CLAIM, PV);

  static final List<Rule> rules =
      List.of(
          rule("EXPD-01", "the driver's resizer is waited for")
              .given(WANTED)
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "status.capacity",
                  "driver disk.berth.dev and its resizer have made its volume larger",
                  Notice.normal(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "ExternalExpanding",
                      "waiting for an external controller to expand this PVC")),
          rule("RSZ-77", "a claim that has what it asks for waits for nobody")
              .given(WANTED.with(CLAIM.set("status.capacity.storage", "2Gi")))
              .then(settled()),
          rule("RSZ-77", "a claim that is not bound waits for others")
              .given(WANTED.with(CLAIM.set("status.phase", "Pending")))
              .then(settled()),
          rule("RSZ-77", "a volume of another claim of the name is none of its business")
              .given(WANTED.with(PV.set("spec.claimRef.uid", "other")))
              .then(settled()));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(Rule.decide(new Expansion(), rule.world(), KEY));
  }

  /// Its wait is over, though nobody waits for it: the next time it is told again.
  @Test
  void eachGrowthIsTold() throws Exception { // EXPD-01
    try (var cluster =
        Cluster.of(means ->
            List.of(
                Binder.claims(Binder.Options.DEFAULT).controller(means),
                Binder.volumes().controller(means),
                Expansion.claims().controller(means)))) {
      cluster.create(
          storageClass("fast").set("allowVolumeExpansion", "true"),
          volume("pv-1"),
          claim("data").set("spec.volumeName", "pv-1"));
      cluster.until(Kinds.CLAIM, KEY, it -> it.phase() == Claim.Phase.BOUND);
      for (int growth = 1; growth <= 2; growth++) {
        var size = (growth + 1) + "Gi";
        cluster.patch(
            Kinds.CLAIM,
            KEY,
            body -> body.withObject("/spec/resources/requests").put("storage", size));
        int times = growth;
        await()
            .until(() ->
                cluster.told().stream().filter(it -> it.startsWith("ExternalExpanding")).count()
                    == times);
        cluster.patchStatus(
            Kinds.CLAIM, KEY, body -> body.withObject("/status/capacity").put("storage", size));
        cluster.untilQuiet();
      }
    }
  }

  @Test
  void nothingIsWritten() {
    assertThat(new Expansion().effectType()).isEqualTo(NoEffect.class);
  }
}
