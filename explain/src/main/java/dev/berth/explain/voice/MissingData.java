package dev.berth.explain.voice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

  static Optional<MissingData> of(Pod pod, String message) {
    var namespace = pod.meta().namespace();
    var key = KEY.matcher(message);
    if (key.find()) {
      var keys = new LinkedHashSet<String>();
      keys.add(key.group(1));
      var kind = key.group(2).toLowerCase(Locale.ROOT);
      return Optional.of(new MissingData(namespace, kind, key.group(3), keys, true));
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
    for (var volume : pod.spec().path("volumes")) {
      var source = volume.path(secret ? "secret" : "configMap");
      if (Json.text(source, secret ? "secretName" : "name").equals(name))
        source.path("items").forEach(item -> keys.add(Json.text(item, "key")));
    }
    return keys;
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
