package dev.berth.explain.voice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.explain.answer.Explanation.Verdict;
import dev.berth.explain.answer.Failure;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Why containers do not start and why a pod has failed, as its status says: what a node's agent
/// has met on its machine stands nowhere else. Any kubelet writes it alike (N19).
public final class PodFailures {
  /// Reasons of a container that waits and lacks nothing so far.
  private static final Set<String> HEALTHY = Set.of("", "ContainerCreating", "PodInitializing");

  private static final Pattern ONLY_IMAGE = Pattern.compile("only the image \"([^\"]+)\"");

  private PodFailures() {}

  /// The first container that cannot be started.
  static Failures inStatus() {
    return (subject, objects, _) ->
        pod(subject, objects).filter(pod -> !pod.meta().deleting()).flatMap(PodFailures::unstarted);
  }

  /// Of a pod that has failed and stays so (P26).
  public static Optional<Failure> end(Ref subject, Snapshot objects) {
    return pod(subject, objects)
        .filter(pod -> pod.phase() == Pod.Phase.FAILED)
        .map(pod ->
            evicted(pod)
                .or(() -> statuses(pod).flatMap(it -> ended(pod, it).stream()).findFirst())
                .orElseGet(() ->
                    failure(
                        pod, "nothing says why", "status.phase", anew(pod, "look at its events"))));
  }

  private static Optional<Pod> pod(Ref subject, Snapshot objects) {
    return subject.resource().equals(Resources.PODS)
        ? objects.get(Kinds.POD, subject.key()).found()
        : Optional.empty();
  }

  private static Optional<Failure> unstarted(Pod pod) {
    return statuses(pod)
        .filter(it -> !HEALTHY.contains(Json.text(waiting(it), "reason")))
        .findFirst()
        .map(it -> {
          var reason = Json.text(waiting(it), "reason");
          return failure(
              pod,
              "container %s: %s"
                  .formatted(
                      Json.text(it, "name"), told(reason, Json.text(waiting(it), "message"))),
              "status.containerStatuses",
              remedy(pod, reason, it));
        });
  }

  private static String remedy(Pod pod, String reason, JsonNode status) {
    return switch (reason) {
      case "ErrImagePull", "ImagePullBackOff", "ErrImageNeverPull", "InvalidImageName" ->
          "give the container an image that the node has: kubectl set image pod/%s %s=%s -n %s"
              .formatted(
                  pod.meta().name(),
                  Json.text(status, "name"),
                  image(Json.text(waiting(status), "message")),
                  pod.meta().namespace());
      case "CrashLoopBackOff" -> "look at why it ends: " + log(pod, status) + " --previous";
      case "CreateContainerConfigError" -> unusable(pod, Json.text(waiting(status), "message"));
      case String _ -> anew(pod, "correct in its manifest what the message names");
    };
  }

  /// The only one, where the agent says so.
  private static String image(String message) {
    var only = ONLY_IMAGE.matcher(message);
    return only.find() ? only.group(1) : "IMAGE";
  }

  private static String unusable(Pod pod, String message) {
    if (message.startsWith("hostPath type check failed"))
      return "create it on node %s, and it is tried again; or: %s"
          .formatted(pod.nodeName(), anew(pod, "correct it in the pod's manifest"));
    return MissingData.of(pod, message)
        .map(MissingData::remedy)
        .orElseGet(() -> anew(pod, "correct in its manifest what the message names"));
  }

  /// The agent or the eviction has ended the pod as a whole.
  private static Optional<Failure> evicted(Pod pod) {
    var reason = Json.text(pod.status(), "reason");
    if (reason.isEmpty()) return Optional.empty();
    return Optional.of(
        failure(
            pod,
            told(reason, Json.text(pod.status(), "message")),
            "status.reason",
            "its controller, if it has one, makes another pod; else delete it and create it again: "
                + Commands.delete(pod.ref())));
  }

  private static Optional<Failure> ended(Pod pod, JsonNode status) {
    var state = status.path("state").path("terminated");
    int exitCode = state.path("exitCode").asInt();
    if (exitCode == 0) return Optional.empty();
    var text =
        "container %s has ended with exit code %d".formatted(Json.text(status, "name"), exitCode);
    var words = told(Json.text(state, "reason"), Json.text(state, "message").strip());
    return Optional.of(
        new Failure(
            words.isEmpty() || words.equals("Error") ? text : text + ", " + words,
            pod.ref(),
            "status.phase",
            Json.instant(state, "finishedAt"),
            Optional.empty(),
            anew(pod, "look at its log: " + log(pod, status)),
            Verdict.BLOCKED));
  }

  /// A container's entry cannot be changed in place.
  private static String anew(Pod pod, String first) {
    return "%s; then delete the pod and create it again: %s"
        .formatted(first, Commands.delete(pod.ref()));
  }

  private static Failure failure(Pod pod, String message, String field, String remedy) {
    return new Failure(
        message,
        pod.ref(),
        field,
        pod.scheduled().flatMap(Pod.Condition::since),
        Optional.empty(),
        remedy,
        Verdict.BLOCKED);
  }

  private static Stream<JsonNode> statuses(Pod pod) {
    return Stream.of("initContainerStatuses", "containerStatuses")
        .flatMap(field -> pod.status().path(field).valueStream());
  }

  private static JsonNode waiting(JsonNode status) {
    return status.path("state").path("waiting");
  }

  private static String told(String reason, String message) {
    return message.isEmpty() ? reason : reason.isEmpty() ? message : reason + ": " + message;
  }

  private static String log(Pod pod, JsonNode status) {
    return "kubectl logs -n %s %s -c %s"
        .formatted(pod.meta().namespace(), pod.meta().name(), Json.text(status, "name"));
  }
}
