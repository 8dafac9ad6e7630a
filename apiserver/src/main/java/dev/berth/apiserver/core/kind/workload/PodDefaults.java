package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.storage.VolumeSources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;

/// What a pod's specification says where its author did not.
public final class PodDefaults {
  private static final int FILE_MODE = 0644;
  private static final int TOKEN_SECONDS = 3600;

  private PodDefaults() {}

  /// Of a pod itself.
  static void set(ObjectNode spec) {
    setTemplate(spec);
    Trees.setDefault(spec, "enableServiceLinks", true);
    for (var list : List.of("initContainers", "containers"))
      for (var container : spec.path(list))
        if (container.get("resources") instanceof ObjectNode resources
            && resources.get("limits") instanceof ObjectNode limits)
          requestLimits(resources, limits);
  }

  /// Of what pods are made by.
  static void setTemplate(ObjectNode spec) {
    Trees.setDefault(spec, "restartPolicy", "Always");
    Trees.setDefault(spec, "terminationGracePeriodSeconds", 30);
    Trees.setDefault(spec, "dnsPolicy", "ClusterFirst");
    Trees.setDefault(spec, "schedulerName", "default-scheduler");
    Trees.objectAt(spec, "securityContext");
    setAccount(spec);
    for (var list : PodRules.CONTAINERS)
      for (var container : spec.path(list))
        if (container instanceof ObjectNode object) setContainer(object);
    for (var volume : spec.path("volumes"))
      if (volume instanceof ObjectNode object) setVolume(object);
  }

  /// The field has an older name, under which clients still read it.
  private static void setAccount(ObjectNode spec) {
    var name = Json.text(spec, "serviceAccountName");
    if (name.isEmpty()) name = Json.text(spec, "serviceAccount");
    if (name.isEmpty()) return;
    spec.put("serviceAccountName", name).put("serviceAccount", name);
  }

  private static void setContainer(ObjectNode container) {
    Trees.setDefault(container, "terminationMessagePath", "/dev/termination-log");
    Trees.setDefault(container, "terminationMessagePolicy", "File");
    var pull = isLatest(Json.text(container, "image")) ? "Always" : "IfNotPresent";
    Trees.setDefault(container, "imagePullPolicy", pull);
    Trees.objectAt(container, "resources");
    for (var port : container.path("ports"))
      if (port instanceof ObjectNode object) Trees.setDefault(object, "protocol", "TCP");
    for (var variable : container.path("env"))
      if (variable.path("valueFrom").get("fieldRef") instanceof ObjectNode field)
        Trees.setDefault(field, "apiVersion", "v1");
    for (var name : List.of("livenessProbe", "readinessProbe", "startupProbe"))
      if (container.get(name) instanceof ObjectNode probe) setProbe(probe);
    for (var name : List.of("postStart", "preStop"))
      if (container.path("lifecycle").path(name).get("httpGet") instanceof ObjectNode get)
        setRequest(get);
  }

  private static void setProbe(ObjectNode probe) {
    Trees.setDefault(probe, "timeoutSeconds", 1);
    Trees.setDefault(probe, "periodSeconds", 10);
    Trees.setDefault(probe, "successThreshold", 1);
    Trees.setDefault(probe, "failureThreshold", 3);
    if (probe.get("httpGet") instanceof ObjectNode get) setRequest(get);
  }

  private static void setRequest(ObjectNode get) {
    Trees.setDefault(get, "path", "/");
    Trees.setDefault(get, "scheme", "HTTP");
  }

  /// Whoever limits a resource and requests none of it requests what the limit is.
  private static void requestLimits(ObjectNode resources, ObjectNode limits) {
    var requests = Trees.objectAt(resources, "requests");
    for (var limit : limits.properties())
      if (!requests.has(limit.getKey())) requests.set(limit.getKey(), limit.getValue());
  }

  /// Whether an image's tag is `latest`, or it has neither tag nor digest.
  private static boolean isLatest(String image) {
    if (image.contains("@")) return false;
    var name = image.substring(image.lastIndexOf('/') + 1);
    return !name.contains(":") || name.endsWith(":latest");
  }

  private static void setVolume(ObjectNode volume) {
    if (sources(volume).isEmpty()) volume.putObject("emptyDir");
    for (var name : List.of("secret", "configMap", "downwardAPI", "projected"))
      if (volume.get(name) instanceof ObjectNode files)
        Trees.setDefault(files, "defaultMode", FILE_MODE);
    for (var source : volume.path("downwardAPI").path("items")) setFieldRef(source);
    VolumeSources.setDefaults(volume); // API-107
    for (var source : volume.path("projected").path("sources")) {
      if (source.get("serviceAccountToken") instanceof ObjectNode token)
        Trees.setDefault(token, "expirationSeconds", TOKEN_SECONDS);
      for (var item : source.path("downwardAPI").path("items")) setFieldRef(item);
    }
    if (!(volume.path("ephemeral").path("volumeClaimTemplate") instanceof ObjectNode template))
      return;
    Trees.objectAt(template, "metadata");
    if (template.get("spec") instanceof ObjectNode claim)
      Trees.setDefault(claim, "volumeMode", "Filesystem");
  }

  private static void setFieldRef(JsonNode item) {
    if (item.get("fieldRef") instanceof ObjectNode field)
      Trees.setDefault(field, "apiVersion", "v1");
  }

  /// The fields of a pod's volume that say what it is.
  static List<String> sources(ObjectNode volume) {
    return volume.properties().stream()
        .map(Map.Entry::getKey)
        .filter(field -> !field.equals("name"))
        .toList();
  }
}
