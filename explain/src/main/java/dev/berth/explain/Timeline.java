package dev.berth.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.explain.answer.ChainText;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.PodConditions;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What an object and its volumes have gone through, as far as fields say when (XPL-13): events are
/// merged and kept for an hour.
///
/// @param moments in their order
public record Timeline(List<Moment> moments) {
  public Timeline {
    moments = List.copyOf(moments);
  }

  /// @param row of the life cycle that has begun then
  public record Moment(Instant at, String row, String what) {}

  /// Of a pod with its claims, or of a claim; empty of all else.
  public static Timeline of(Ref subject, Snapshot objects) {
    var moments = new ArrayList<Moment>();
    subject
        .as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .forEach(pod -> tell(pod, objects, moments));
    subject
        .as(Kinds.CLAIM)
        .flatMap(key -> objects.get(Kinds.CLAIM, key).found().stream())
        .forEach(claim -> tell(claim, objects, moments));
    moments.sort(Comparator.comparing(Moment::at).thenComparing(Moment::row));
    return new Timeline(moments);
  }

  private static void tell(Pod pod, Snapshot objects, List<Moment> moments) {
    PodClaim.of(pod).stream()
        .flatMap(used -> objects.get(Kinds.CLAIM, used.key()).found().stream())
        .forEach(claim -> tell(claim, objects, moments));
    created(pod.meta(), "L03", pod.ref(), moments);
    pod.scheduled()
        .filter(it -> it.status().equals("True"))
        .flatMap(Pod.Condition::since)
        .ifPresent(at ->
            moments.add(
                new Moment(at, "L07", "%s is on node %s".formatted(pod.ref(), pod.nodeName()))));
    attachments(pod, objects).forEach(it -> tell(it, moments));
    since(pod, PodConditions.READY_TO_START_CONTAINERS)
        .ifPresent(at ->
            moments.add(
                new Moment(at, "L10", "the volumes of %s are mounted".formatted(pod.ref()))));
    pod.status()
        .path("containerStatuses")
        .forEach(status ->
            Json.instant(status.path("state").path("running"), "startedAt")
                .ifPresent(at ->
                    moments.add(
                        new Moment(
                            at, "L11", "container %s runs".formatted(Json.text(status, "name"))))));
    going(pod.meta(), "L12", pod.ref(), moments);
  }

  private static Optional<Instant> since(Pod pod, String condition) {
    return pod.status()
        .path("conditions")
        .valueStream()
        .filter(
            it -> Json.text(it, "type").equals(condition) && Json.text(it, "status").equals("True"))
        .findFirst()
        .flatMap(it -> Json.instant(it, "lastTransitionTime"));
  }

  private static Stream<Attachment> attachments(Pod pod, Snapshot objects) {
    return new Ways(objects, Translation.NONE)
        .ofClaims(pod)
        .flatMap(way -> way instanceof Way.Arrived it ? Stream.of(it.name()) : Stream.empty())
        .flatMap(name ->
            objects
                .get(Kinds.ATTACHMENT, ObjectKey.cluster(name.attachment(pod.nodeName())))
                .found()
                .stream());
  }

  private static void tell(Attachment attachment, List<Moment> moments) {
    created(attachment.meta(), "L08", attachment.ref(), moments);
    going(attachment.meta(), "L15", attachment.ref(), moments);
  }

  private static void tell(Claim claim, Snapshot objects, List<Moment> moments) {
    created(claim.meta(), "L01", claim.ref(), moments);
    if (!claim.volumeName().isEmpty())
      objects
          .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
          .found()
          .ifPresent(volume -> tell(volume, moments));
    going(claim.meta(), "L16", claim.ref(), moments);
  }

  private static void tell(Volume volume, List<Moment> moments) {
    created(volume.meta(), "L05", volume.ref(), moments);
    volume
        .phaseSince()
        .filter(_ -> volume.phase() == Volume.Phase.BOUND)
        .ifPresent(at -> moments.add(new Moment(at, "L06", volume.ref() + " is bound")));
    going(volume.meta(), "L18", volume.ref(), moments);
  }

  private static void created(Meta meta, String row, Ref ref, List<Moment> moments) {
    moments.add(new Moment(meta.created(), row, ref + " is created"));
  }

  /// A pod's deletion was asked for as long before its time as its grace is (XPL-06).
  private static void going(Meta meta, String row, Ref ref, List<Moment> moments) {
    meta.deleted()
        .map(end -> end.minusSeconds(meta.graceSeconds().orElse(0)))
        .ifPresent(at -> moments.add(new Moment(at, row, ref + " is to go")));
  }

  /// One line a moment, with what has passed since the one before.
  public List<String> lines() {
    var lines = new ArrayList<String>();
    var before = Optional.<Instant>empty();
    for (var moment : moments) {
      var passed = before.map(at -> Duration.between(at, moment.at)).orElse(Duration.ZERO);
      lines.add(
          "%s  %-10s %s  %s"
              .formatted(moment.at, "+" + ChainText.age(passed), moment.row, moment.what));
      before = Optional.of(moment.at);
    }
    return lines;
  }

  public ArrayNode json() {
    var json = JsonNodeFactory.instance.arrayNode();
    for (var moment : moments)
      json.addObject()
          .put("at", moment.at.toString())
          .put("stage", moment.row)
          .put("what", moment.what);
    return json;
  }
}
