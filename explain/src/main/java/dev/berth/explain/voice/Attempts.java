package dev.berth.explain.voice;

import dev.berth.controller.VolumeMatch;
import dev.berth.explain.answer.Failure;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What upstream's scheduler and binder are known to be stuck in where the decision says that all
/// is well for the next try: then the last one failed (P21), or there was none (P24, C18, C19).
final class Attempts {
  /// When kube-scheduler looks at all again that it has put aside (P24).
  private static final Duration FLUSH = Duration.ofMinutes(5);

  /// In which a binder that lives has done its part twice over (C18, C19).
  private static final Duration BINDING = Duration.ofSeconds(30);

  private Attempts() {}

  static Voice ofScheduler(Voice scheduler) {
    return scheduler.with((subject, step, objects, now) ->
        subject.resource().equals(Resources.PODS)
            ? objects
                .get(Kinds.POD, subject.key())
                .found()
                .<Step>flatMap(pod ->
                    switch (step) {
                      case Wait wait -> apart(pod, wait, objects);
                      case Act(_, var then) when then.isPresent() ->
                          apart(pod, then.get(), objects);
                      case Act _ -> again(pod, objects, now);
                      case Settled _ -> Optional.empty();
                    })
                .orElse(step)
            : step);
  }

  static Voice ofBinder(Voice binder) {
    return binder.with((subject, step, objects, now) ->
        step instanceof Act(var effect, var then)
                && then.isEmpty()
                && subject.resource().equals(Resources.CLAIMS)
            ? objects
                .get(Kinds.CLAIM, subject.key())
                .found()
                .filter(claim -> claim.phase() == Claim.Phase.PENDING && !claim.meta().deleting())
                .filter(claim -> now.isAfter(changed(claim, objects).plus(BINDING)))
                .filter(claim -> isImmediate(claim, objects))
                .<Step>flatMap(claim ->
                    switch (effect.getClass().getSimpleName()) {
                      case "AskProvisioner" ->
                          Optional.of(untilAsked(claim, changed(claim, objects)));
                      case "ReserveVolume", "MarkVolumeBound", "NameVolume", "MarkClaimBound" ->
                          Optional.of(untilBound(claim, changed(claim, objects)));
                      case String _ -> Optional.empty();
                    })
                .orElse(step)
            : step);
  }

  /// One that waits for its first consumer may have been waiting for it until now.
  private static boolean isImmediate(Claim claim, Snapshot objects) {
    return claim
        .className()
        .flatMap(name -> objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)).found())
        .filter(StorageClass::waitsForFirstConsumer)
        .isEmpty();
  }

  /// Since when the binder has had all that it needs: the claim, its class and a volume that fits,
  /// each as it is now.
  private static Instant changed(Claim claim, Snapshot objects) {
    var storageClass =
        claim.className().stream()
            .flatMap(
                name -> objects.get(Kinds.STORAGE_CLASS, ObjectKey.cluster(name)).found().stream())
            .map(StorageClass::meta);
    var volume =
        objects
            .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
            .found()
            .or(() -> VolumeMatch.reserved(objects, claim))
            .or(() -> VolumeMatch.smallestFree(objects, claim));
    return Stream.of(Stream.of(claim.meta()), storageClass, volume.stream().map(Volume::meta))
        .flatMap(each -> each)
        .flatMap(meta -> Stream.concat(Stream.of(meta.created()), meta.written().stream()))
        .reduce(volume.flatMap(Volume::phaseSince).orElse(Instant.EPOCH), Attempts::later);
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  // C18
  private static Wait untilAsked(Claim claim, Instant since) {
    return Wait.on(claim.ref(), "metadata.annotations[volume.kubernetes.io/storage-provisioner]")
        .since(since)
        .until("the binder asks the provisioner of its class for a volume, which it does not")
        .remedy(
            "look whether kube-controller-manager runs with --enable-dynamic-provisioning=false,"
                + " and at its log");
  }

  // C19
  private static Wait untilBound(Claim claim, Instant since) {
    return Wait.on(claim.ref(), "spec.volumeName")
        .since(since)
        .until("the binder gives it a volume, of which there is one that fits, and does not")
        .remedy("look whether kube-controller-manager runs, and at its log");
  }

  private static Optional<Step> again(Pod pod, Snapshot objects, Instant now) {
    var refused = pod.scheduled().filter(it -> it.status().equals("False"));
    if (refused.isEmpty()) return Optional.empty();
    var told = refused.get();
    if (told.message().contains("running PreBind plugin")) return Optional.of(failed(pod, told));
    var byOthers = Neighbours.refusal(pod, told);
    if (byOthers.isPresent()) return byOthers;
    var tried =
        Failures.inEvents(Set.of(Reasons.FAILED_SCHEDULING))
            .last(pod.ref(), objects, now)
            .filter(it -> it.reported().filter(at -> !now.isAfter(at.plus(FLUSH))).isPresent());
    if (tried.isPresent()) return tried.map(it -> refused(pod, told, it));
    return told.since()
        .filter(at -> now.isAfter(at.plus(FLUSH)))
        .map(at -> untilTriedAgain(pod, at));
  }

  /// It is being tried, and for the scheduler there is no node though for us there seems to be one:
  /// something has just changed, or keeps it that is not known here (P22).
  private static Step refused(Pod pod, Pod.Condition told, Failure last) {
    var sentence = Wait.on(pod.ref(), "status.conditions");
    return told.since()
        .map(sentence::since)
        .orElse(sentence)
        .until(
            "the scheduler finds a node for it, as there seems to be one now; reported at %s: %s"
                .formatted(last.reported().orElseThrow(), last.message().strip()))
        .ifLate(FLUSH, "change what the scheduler names, or ask who runs it");
  }

  // P21
  private static Step failed(Pod pod, Pod.Condition told) {
    var sentence = Wait.on(pod.ref(), "status.conditions");
    var wait =
        told.since()
            .map(sentence::since)
            .orElse(sentence)
            .until("its volumes are bound in time; the last try ended: " + told.message());
    if (told.message().contains("node affinity"))
      return wait.remedy(
          "its driver has made a volume that cannot be reached from the node that was asked for:"
              + " tell its author (accessible_topology)");
    if (told.message().contains("ClaimRef got reset"))
      return wait.remedy("leave the volume's claimRef alone: the next try sets it again");
    if (told.message().contains("deadline exceeded"))
      return wait.remedy("look at the driver: no volume was made in ten minutes");
    return wait.hint("wait: another node is chosen at the next try");
  }

  // P24
  private static Step untilTriedAgain(Pod pod, Instant since) {
    var claim =
        PodClaim.of(pod).stream()
            .map(used -> Kinds.CLAIM.ref(used.key()))
            .findFirst()
            .orElse(pod.ref());
    return Wait.on(pod.ref(), "status.conditions")
        .since(since)
        .until("the scheduler tries it again: now there is a node that takes it")
        .ifLate(
            FLUSH,
            "wake it: " + Commands.kubectl("annotate", claim, "berth.dev/wake-up=now --overwrite"));
  }

  /// Each of its volumes reaches some node, and no node all of them (P23).
  private static Optional<Step> apart(Pod pod, Wait wait, Snapshot objects) {
    if (!wait.field().equals("spec.nodeAffinity")) return Optional.empty();
    var volumes =
        new Ways(objects, Translation.NONE)
            .ofClaims(pod)
            .flatMap(way -> way instanceof Way.Named it ? Stream.of(it.volume()) : Stream.empty())
            .filter(volume -> volume.nodeAffinity().isPresent())
            .toList();
    var nodes = List.copyOf(objects.all(Kinds.NODE));
    if (volumes.size() < 2
        || volumes.stream().anyMatch(volume -> reached(volume, nodes).isEmpty())
        || nodes.stream()
            .anyMatch(node ->
                volumes.stream().allMatch(it -> it.nodeAffinity().orElseThrow().matches(node))))
      return Optional.empty();
    return Optional.of(
        Wait.on(wait.on(), wait.field())
            .since(pod.meta().created())
            .until(
                "its volumes can be reached from one node: "
                    + volumes.stream()
                        .map(volume ->
                            "%s only from %s"
                                .formatted(volume.ref(), String.join(", ", reached(volume, nodes))))
                        .collect(Collectors.joining("; ")))
            .remedy(
                "move one of them by a snapshot and a new claim; claims of a class with"
                    + " volumeBindingMode WaitForFirstConsumer get their volumes in one place"));
  }

  private static List<String> reached(Volume volume, List<Node> nodes) {
    return nodes.stream()
        .filter(node -> volume.nodeAffinity().orElseThrow().matches(node))
        .map(node -> node.meta().name())
        .sorted()
        .toList();
  }
}
