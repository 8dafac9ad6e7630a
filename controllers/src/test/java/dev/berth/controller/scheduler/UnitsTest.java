package dev.berth.controller.scheduler;

import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Rule.NOW;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.scheduler.SchedulingEffect.MarkUnscheduled;
import dev.berth.controller.scheduler.SchedulingEffect.SelectNode;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// A pod with several claims each of which takes a drive for itself (BM-94).
class UnitsTest {
  private static final Draft POD = pod("web", "data", "logs");
  private static final Draft DATA = claim("data");
  private static final Draft LOGS =
      claim("logs").set("spec.resources", "{requests: {storage: 2Gi}}");

  private static final World TWO_CLAIMS =
      World.of(
          POD,
          node("node-a"),
          storageClass("fast").set("volumeBindingMode", "WaitForFirstConsumer"),
          DATA,
          LOGS,
          Draft.of(
              """
              apiVersion: storage.k8s.io/v1
              kind: CSIDriver
              metadata: {name: disk.berth.dev}
              spec: {storageCapacity: true}
              """));

  private static Draft capacity(String units) {
    return Draft.of(
            """
            apiVersion: storage.k8s.io/v1
            kind: CSIStorageCapacity
            metadata: {namespace: shop, name: csisc-1}
            storageClassName: fast
            nodeTopology: {matchLabels: {kubernetes.io/hostname: node-a}}
            capacity: 20Gi
            maximumVolumeSize: 10Gi
            """)
        .annotate(Annotations.CAPACITY_UNITS, units);
  }

  private static final Step SELECT =
      act(new SelectNode(POD.revision(), DATA.revision(), "node-a", NOW));

  private static final Step NO_ROOM =
      act(
          new MarkUnscheduled(
              POD.as(Kinds.POD),
              "Unschedulable",
              "0/1 nodes are available: 1 node(s) did not have enough free storage.",
              NOW));

  private static final String GIB = "000000000";

  static final List<Rule> rules =
      List.of(
          rule("BM-94", "two claims for which there are two drives have room")
              .given(TWO_CLAIMS.with(capacity("a=10%1$s,b=10%1$s".formatted(GIB))))
              .then(SELECT),
          rule("BM-94", "two claims for which there is one drive have none, however large it is")
              .given(TWO_CLAIMS.with(capacity("a=10" + GIB)))
              .then(NO_ROOM),
          rule("BM-94", "nor if the other is too small for both")
              .given(TWO_CLAIMS.with(capacity("a=10%1$s,b=1%1$s".formatted(GIB))))
              .then(NO_ROOM),
          rule("BM-94", "who fits anywhere leaves the large one to who does not")
              .given(TWO_CLAIMS.with(capacity("a=10%1$s,b=1100000000".formatted(GIB))))
              .then(SELECT),
          rule("BM-94", "where nobody counts, each claim is looked at alone")
              .given(TWO_CLAIMS.with(capacity("nonsense")))
              .then(SELECT),
          rule("BM-94", "a claim that has its node already is not counted")
              .given(
                  TWO_CLAIMS
                      .with(LOGS.annotate(Annotations.SELECTED_NODE, "node-a"))
                      .with(capacity("a=10" + GIB)))
              .then(SELECT));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    var scheduler = new Scheduler(Scheduler.Options.DEFAULT);
    rule.check().accept(Rule.decide(scheduler.pods(), rule.world(), ObjectKey.of("shop", "web")));
  }
}
