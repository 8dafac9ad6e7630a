package dev.berth.explain.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimHealth;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import dev.berth.volume.PodClaim;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Volumes of running pods that are not well: as their driver says, of the claim or on the pod's
/// node (R09), as containers that ended say whose FUSE client has gone (R12), or for which there
/// was no room or no writing in it (R13).
final class IllVolumes {
  private static final Pattern UNMOUNTED =
      Pattern.compile("(?i)transport endpoint is not connected|socket is not connected");
  private static final Pattern UNWRITABLE =
      Pattern.compile("(?i)no space left on device|read-only file system|disk quota exceeded");

  private IllVolumes() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return Stream.concat(
        subject
            .as(Kinds.CLAIM)
            .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
            .flatMap(claim -> unwell(claim).stream()),
        subject
            .as(Kinds.POD)
            .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
            .filter(pod -> !pod.finished() && !pod.meta().deleting() && !pod.nodeName().isEmpty())
            .flatMap(pod ->
                Stream.of(
                        told(pod).stream(),
                        claims(pod, objects).flatMap(claim -> unwell(claim).stream()),
                        unwell(pod, objects))
                    .flatMap(each -> each)));
  }

  private static Stream<Claim> claims(Pod pod, Snapshot objects) {
    return PodClaim.of(pod).stream()
        .flatMap(used -> objects.get(Kinds.CLAIM, used.key()).found().stream());
  }

  // R09
  private static Optional<Step> unwell(Claim claim) {
    if (!claim.isUnwell()) return Optional.empty();
    return Optional.of(
        unwell(
            Wait.on(claim.ref(), "status.healthStatus"),
            claim.health(),
            "its volume is well again"));
  }

  /// As its node sees them, which may be worse than what the driver's controller knows; what that
  /// says as well is told by the claim.
  private static Stream<Step> unwell(Pod pod, Snapshot objects) {
    var known =
        claims(pod, objects).flatMap(claim -> claim.health().conditions().stream()).toList();
    return ClaimHealth.ofPod(pod).entrySet().stream()
        .filter(it -> !known.containsAll(it.getValue().conditions()))
        .map(it ->
            unwell(
                Wait.on(pod.ref(), "status.volumeHealth"),
                it.getValue(),
                "its volume %s is well again on node %s".formatted(it.getKey(), pod.nodeName())));
  }

  private static Step unwell(Wait.Sentence sentence, ClaimHealth health, String until) {
    var words =
        health.conditions().stream()
            .map(it -> it.message().isEmpty() ? it.reason() : it.message())
            .collect(Collectors.joining("; "));
    return health
        .lastTransition()
        .map(sentence::since)
        .orElse(sentence)
        .until("%s: %s".formatted(until, words))
        .remedy("save the data while it can be read, then follow the driver's manual");
  }

  /// What a container said as it ended last.
  private static Optional<Step> told(Pod pod) {
    return pod.status()
        .path("containerStatuses")
        .valueStream()
        // one that is ready again has got over it
        .filter(status -> !status.path("ready").asBoolean())
        .flatMap(status ->
            Stream.of(status.path("state"), status.path("lastState"))
                .map(state -> state.path("terminated"))
                .flatMap(end ->
                    step(
                        pod,
                        Json.text(status, "name"),
                        Json.text(end, "message"),
                        Json.instant(end, "finishedAt"))
                        .stream()))
        .findFirst();
  }

  private static Optional<Step> step(
      Pod pod, String container, String message, Optional<Instant> at) {
    var sentence = Wait.on(pod.ref(), "status.containerStatuses");
    var since = at.map(sentence::since).orElse(sentence);
    // R12
    if (UNMOUNTED.matcher(message).find())
      return volume(pod, container, message, _ -> true)
          .map(volume ->
              since
                  .until(
                      "the FUSE client of its volume %s is there again: %s"
                          .formatted(volume.name(), message.strip()))
                  .remedy(
                      "start the pod again, which mounts anew: kubectl delete pod %s -n %s"
                          .formatted(pod.meta().name(), pod.meta().namespace())));
    // R13
    if (UNWRITABLE.matcher(message).find())
      return volume(pod, container, message, mount -> !mount.path("readOnly").asBoolean())
          .flatMap(volume -> PodClaim.of(pod, volume))
          .map(PodClaim::key)
          .map(claim ->
              since
                  .until("its volume can be written to: " + message.strip())
                  .remedy(
                      "look at how full it is, and ask for more: kubectl patch pvc %s -n %s -p '{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"SIZE\"}}}}'; a file system that has become read-only needs its check on the node"
                          .formatted(claim.name(), claim.namespace())));
    return Optional.empty();
  }

  /// Whose path the message names: any file system of a container can be full, its root is often
  /// read-only on purpose, and sockets, too, are not connected.
  private static Optional<PodVolume> volume(
      Pod pod, String container, String message, Predicate<JsonNode> mounted) {
    return pod.volumes().stream()
        .filter(volume ->
            paths(pod, container, volume.name(), mounted).anyMatch(path -> isNamed(path, message)))
        .findFirst();
  }

  /// Where the container has it.
  private static Stream<String> paths(
      Pod pod, String container, String volume, Predicate<JsonNode> mounted) {
    return Stream.of("containers", "initContainers")
        .flatMap(field -> pod.spec().path(field).valueStream())
        .filter(it -> Json.text(it, "name").equals(container))
        .flatMap(it -> it.path("volumeMounts").valueStream())
        .filter(mount -> Json.text(mount, "name").equals(volume))
        .filter(mounted)
        .map(mount -> Json.text(mount, "mountPath"));
  }

  /// As a whole path, or the beginning of one.
  private static boolean isNamed(String path, String message) {
    var stem = path.replaceAll("/+$", "");
    return !stem.isEmpty()
        && Pattern.compile("(?<![\\w./-])" + Pattern.quote(stem) + "(?![\\w.-])")
            .matcher(message)
            .find();
  }
}
