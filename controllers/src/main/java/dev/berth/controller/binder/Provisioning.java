package dev.berth.controller.binder;

import dev.berth.controller.binder.BinderEffect.AskProvisioner;
import dev.berth.controller.binder.BinderEffect.SelectNode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Decides for a claim that no existing volume serves and whose class exists: lines c and d of
/// section 3.2.
final class Provisioning {
  /// What making a volume may take before somebody should look (C10).
  private static final Duration LATE = Duration.ofMinutes(5);

  private final Binder.Options options;

  Provisioning(Binder.Options options) {
    this.options = options;
  }

  Step decide(View view, Claim claim, StorageClass storageClass) {
    if (storageClass.waitsForFirstConsumer() && claim.selectedNode().isEmpty())
      return awaitConsumer(view, claim);
    if (!options.dynamicProvisioning()) return untilVolumeExists(claim, storageClass); // BIND-12
    if (isMadeByHand(storageClass)) return untilVolumeIsMade(claim, storageClass);
    if (!storageClass
        .provisioner()
        .equals(claim.meta().annotations().get(Annotations.STORAGE_PROVISIONER)))
      return new Act(
          new AskProvisioner(Revision.of(claim.meta()), storageClass.provisioner())); // BIND-13
    return untilProvisioned(claim, storageClass);
  }

  /// The node on which somebody placed the first consumer by hand, as long as nobody makes a volume
  /// there: free volumes for placed pods are the scheduler's to choose, but it never sees such a
  /// pod (BIND-16).
  Optional<Node> nodeByHand(View view, Claim claim, StorageClass storageClass) {
    if (!options.honorPodNodeName()) return Optional.empty();
    var name =
        claim.selectedNode().isPresent()
            ? claim.selectedNode().filter(_ -> isMadeByHand(storageClass))
            : view.consumers(claim).stream()
                .map(Pod::nodeName)
                .filter(node -> !node.isEmpty())
                .findFirst();
    return name.flatMap(node -> view.node(node).found());
  }

  private static boolean isMadeByHand(StorageClass storageClass) {
    return storageClass.provisioner().startsWith("kubernetes.io/");
  }

  private Step awaitConsumer(View view, Claim claim) {
    var consumers = view.consumers(claim);
    var placedByHand = consumers.stream().filter(pod -> !pod.nodeName().isEmpty()).findFirst();
    if (placedByHand.isPresent() && options.honorPodNodeName())
      return selectNodeOf(view, claim, placedByHand.get());
    var unplaced = consumers.stream().filter(pod -> pod.nodeName().isEmpty()).toList();
    return unplaced.isEmpty() ? untilConsumerExists(claim) : untilPlaced(claim, unplaced);
  }

  /// BIND-16: nobody schedules such a pod, so nobody else would select a node.
  private static Step selectNodeOf(View view, Claim claim, Pod pod) {
    return switch (view.node(pod.nodeName())) {
      case Found<Node> _ ->
          new Act(new SelectNode(Revision.of(claim.meta()), pod.nodeName(), pod.meta().name()));
      case Missing<Node>(var absent) -> // C06
          Wait.on(absent)
              .since(pod.meta().created())
              .until(absent + ", on which " + pod.ref() + " was placed by hand, exists")
              .remedy("create the pod again with a spec.nodeName that exists, or without");
    };
  }

  // C05, L02
  private static Wait untilConsumerExists(Claim claim) {
    return Wait.on(claim.ref(), "metadata.annotations")
        .since(claim.meta().created())
        .until("a pod that uses it has been created")
        .hint("create a pod that uses it; its class makes volumes for their first consumer")
        .tell(
            Notice.normal(
                claim.ref(),
                Reasons.WAIT_FOR_FIRST_CONSUMER,
                "waiting for first consumer to be created before binding"));
  }

  // L03
  private static Wait untilPlaced(Claim claim, List<Pod> pods) {
    var names = pods.stream().map(pod -> pod.meta().name()).collect(Collectors.joining(","));
    return Wait.on(pods.getFirst().ref(), "spec.nodeName")
        .since(pods.getFirst().meta().created())
        .until("the scheduler has selected a node for " + pods.getFirst().ref())
        .tell(
            Notice.normal(
                claim.ref(),
                Reasons.WAIT_FOR_POD_SCHEDULED,
                pods.size() == 1
                    ? "waiting for pod " + names + " to be scheduled"
                    : "waiting for pods " + names + " to be scheduled"));
  }

  // C18
  private static Wait untilVolumeExists(Claim claim, StorageClass storageClass) {
    return Wait.on(claim.ref(), "spec.volumeName")
        .since(claim.meta().created())
        .until("a volume of class " + storageClass.meta().name() + " fits it")
        .remedy("create such a volume; dynamic provisioning is switched off here")
        .tell(
            Notice.normal(
                claim.ref(),
                Reasons.FAILED_BINDING,
                "no persistent volume of class \"%s\" fits this claim and dynamic provisioning is"
                        .formatted(storageClass.meta().name())
                    + " switched off"));
  }

  // C03
  private static Wait untilVolumeIsMade(Claim claim, StorageClass storageClass) {
    return Wait.on(claim.ref(), "spec.volumeName")
        .since(claim.meta().created())
        .until("a volume of class " + storageClass.meta().name() + " fits it")
        .remedy(
            "create such a volume; provisioner %s makes none".formatted(storageClass.provisioner()))
        .tell(
            Notice.warning(
                claim.ref(),
                Reasons.PROVISIONING_FAILED,
                "no volume plugin matched name: " + storageClass.provisioner()));
  }

  // C10, C11, L01, L04
  private static Wait untilProvisioned(Claim claim, StorageClass storageClass) {
    var provisioner = storageClass.provisioner();
    return Wait.on(claim.ref(), "spec.volumeName")
        .since(claim.nodeSelected().orElse(claim.meta().created()))
        .until("provisioner " + provisioner + " has made a volume for it")
        .ifLate(
            LATE,
            "look at provisioner %s and at what it says: %s"
                .formatted(provisioner, Commands.kubectl("describe", claim.ref(), "")))
        .tell(
            Notice.normal(
                claim.ref(),
                Reasons.EXTERNAL_PROVISIONING,
                ("Waiting for a volume to be created either by the external provisioner '%s' or"
                        + " manually by the system administrator. If volume creation is delayed,"
                        + " please verify that the provisioner is running and correctly"
                        + " registered.")
                    .formatted(provisioner)));
  }
}
