package dev.berth.explain.voice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.explain.answer.Explanation.Verdict;
import dev.berth.explain.answer.Failure;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A ConfigMap or Secret, or keys of one, that a pod's containers need and that are not there
/// (N12). The agent's message names what is missing; which keys are wanted of it stands in the pod.
///
/// @param kind `configmap` or `secret`
/// @param keys that the pod names; empty: it takes whatever there is
/// @param there whether the object is there, and only the keys are missing
record MissingData(
    String namespace, String kind, String name, SequencedSet<String> keys, boolean there) {
  /// As kubelets and our agent say it.
  private static final Pattern OBJECT =
      Pattern.compile("(configmap|secret) \"([^\"]+)\" not found");

  private static final Pattern KEY =
      Pattern.compile("couldn't find key (\\S+) in (ConfigMap|Secret) (?:\\S+/)?([^\\s/]+)");

  /// As kubelets say it of a volume, without its object's name.
  private static final Pattern KEY_OF_VOLUME =
      Pattern.compile("references non-existent (config|secret) key: (\\S+)");

  private static final Set<String> MOUNTING = Set.of(Reasons.FAILED_MOUNT);

  /// What kubelets tell of a pod's volumes of such objects, which nothing else tells of.
  static Failures told() {
    return named(
        Failures.inEvents(
            MOUNTING,
            (event, subject, objects) ->
                Unmounted.isOver(event, subject, objects)
                    || objects
                        .get(Kinds.POD, subject.key())
                        .found()
                        .flatMap(pod -> of(pod, event.message()))
                        .isEmpty()));
  }

  /// With what to do where such data is missing: it does not come by itself.
  static Failures named(Failures failures) {
    return (subject, objects, now) ->
        failures
            .last(subject, objects, now)
            .map(failure ->
                objects
                    .get(Kinds.POD, subject.key())
                    .found()
                    .flatMap(pod -> of(pod, failure.message()))
                    .map(missing ->
                        new Failure(
                            failure.message(),
                            failure.on(),
                            failure.field(),
                            failure.since(),
                            failure.reported(),
                            missing.remedy(),
                            Verdict.BLOCKED))
                    .orElse(failure));
  }

  static Optional<MissingData> of(Pod pod, String message) {
    var namespace = pod.meta().namespace();
    var key = KEY.matcher(message);
    if (key.find()) {
      var keys = new LinkedHashSet<String>();
      keys.add(key.group(1));
      var kind = key.group(2).toLowerCase(Locale.ROOT);
      return Optional.of(new MissingData(namespace, kind, key.group(3), keys, true));
    }
    var ofVolume = KEY_OF_VOLUME.matcher(message);
    if (ofVolume.find()) {
      var kind = ofVolume.group(1).equals("secret") ? "secret" : "configmap";
      return withKey(pod, kind, ofVolume.group(2));
    }
    var object = OBJECT.matcher(message);
    if (!object.find()) return Optional.empty();
    var kind = object.group(1);
    var name = object.group(2);
    return Optional.of(new MissingData(namespace, kind, name, wanted(pod, kind, name), false));
  }

  /// All keys of the object that the pod names, in its order.
  private static SequencedSet<String> wanted(Pod pod, String kind, String name) {
    boolean secret = kind.equals("secret");
    var keys = new LinkedHashSet<String>();
    var containers = new ArrayList<JsonNode>();
    pod.spec().path("initContainers").forEach(containers::add);
    pod.spec().path("containers").forEach(containers::add);
    for (var container : containers)
      for (var variable : container.path("env")) {
        var ref = variable.path("valueFrom").path(secret ? "secretKeyRef" : "configMapKeyRef");
        if (Json.text(ref, "name").equals(name)) keys.add(Json.text(ref, "key"));
      }
    sources(pod, kind)
        .filter(source -> named(source).equals(name))
        .forEach(source -> source.path("items").forEach(item -> keys.add(Json.text(item, "key"))));
    return keys;
  }

  /// The first object of the pod's volumes of which it wants the key.
  private static Optional<MissingData> withKey(Pod pod, String kind, String key) {
    return sources(pod, kind)
        .filter(source ->
            source.path("items").valueStream().anyMatch(item -> Json.text(item, "key").equals(key)))
        .map(source ->
            new MissingData(
                pod.meta().namespace(),
                kind,
                named(source),
                new LinkedHashSet<>(List.of(key)),
                true))
        .findFirst();
  }

  /// Of what volumes are made, also those of several sources.
  private static Stream<JsonNode> sources(Pod pod, String kind) {
    var field = kind.equals("secret") ? "secret" : "configMap";
    return pod.spec()
        .path("volumes")
        .valueStream()
        .flatMap(volume ->
            Stream.concat(
                Stream.of(volume), volume.path("projected").path("sources").valueStream()))
        .map(source -> source.path(field))
        .filter(JsonNode::isObject);
  }

  /// A volume of a Secret alone has a field of its own for that.
  private static String named(JsonNode source) {
    return Json.optionalText(source, "secretName").orElseGet(() -> Json.text(source, "name"));
  }

  String remedy() {
    return there
        ? "add key %s to %s: kubectl patch %s %s -n %s --type merge -p '%s'"
            .formatted(keys.getFirst(), this, kind, name, namespace, patch())
        : "create %s: kubectl create %s %s -n %s %s --dry-run=client -o yaml | kubectl apply -f -"
            .formatted(
                this, kind.equals("secret") ? "secret generic" : kind, name, namespace, literals());
  }

  private String patch() {
    return "{\"%s\":{\"%s\":\"VALUE\"}}"
        .formatted(kind.equals("secret") ? "stringData" : "data", keys.getFirst());
  }

  private String literals() {
    return keys.isEmpty()
        ? "--from-literal=KEY=VALUE"
        : keys.stream()
            .map(key -> "--from-literal=" + key + "=VALUE")
            .collect(Collectors.joining(" "));
  }

  /// Such as `ConfigMap shop/settings`.
  @Override
  public String toString() {
    return (kind.equals("secret") ? "Secret " : "ConfigMap ") + namespace + "/" + name;
  }
}
