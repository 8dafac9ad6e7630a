package dev.berth.controller.ephemeral;

import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.PodVolume.Source.Ephemeral;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Which claims are made for pods.
class ClaimMakerTest {
  private static final ObjectKey CLAIM = ObjectKey.of("shop", "web-scratch");
  private static final Draft POD =
      pod("web")
          .add(
              "spec.volumes",
              "{name: scratch, ephemeral: {volumeClaimTemplate: {metadata: {labels: {app: web}},"
                  + " spec: {storageClassName: fast}}}}");
  private static final Draft OWN =
      claim("web-scratch")
          .add(
              "metadata.ownerReferences",
              "{apiVersion: v1, kind: Pod, name: web, uid: %s, controller: true}"
                  .formatted(POD.as(Kinds.POD).meta().uid()));
  private static final World WANTED = World.of(POD);

  static final List<Rule> rules =
      List.of(
          rule("EPH-01", "a claim is made for a volume that has none")
              .given(WANTED)
              .then(act(make())),
          rule("EPH-01", "nothing is made for a pod that is going")
              .given(WANTED.with(POD.deleting()))
              .then(settled()),
          rule("EPH-05", "nothing is made for a pod that has ended")
              .given(WANTED.with(POD.set("status.phase", "Succeeded")))
              .then(settled()),
          rule("EPH-01", "its own claim is all that it wants")
              .given(WANTED.with(OWN))
              .then(settled()),
          rule("EPH-02", "a claim that was not made for the pod is never adopted")
              .given(WANTED.with(claim("web-scratch")))
              .thenWaits(
                  "persistentvolumeclaim/web-scratch",
                  "metadata.ownerReferences",
                  "claim shop/web-scratch, which was not made for this pod, is gone",
                  Notice.warning(
                      POD.as(Kinds.POD).ref(),
                      "FailedBinding",
                      "ephemeral volume scratch: PVC shop/web-scratch was not created for pod"
                          + " shop/web (pod is not owner)")),
          rule("EPH-03", "a claim that is being deleted has to be gone first")
              .given(WANTED.with(OWN.deleting()))
              .thenWaits(
                  "persistentvolumeclaim/web-scratch",
                  "metadata.finalizers",
                  "claim shop/web-scratch, which is being deleted, is gone"),
          rule("EPH-01", "a claim that somebody made is none of its business")
              .given(World.of(pod("web", "data")))
              .then(settled()));

  private static MakeClaim make() {
    var pod = POD.as(Kinds.POD);
    var template = ((Ephemeral) pod.volumes().getFirst().source()).template();
    return new MakeClaim(pod.ref(), "scratch", CLAIM, template);
  }

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(Rule.decide(new ClaimMaker(), rule.world(), ObjectKey.of("shop", "web")));
  }
}
