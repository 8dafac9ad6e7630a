package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Makes a pod's volumes that need no storage driver (NRUN-05).
final class LocalVolumes {
  private static final int DEFAULT_MODE = 0644;

  private final Pod pod;
  private final PodFiles files;
  private final KeyedData data;
  private final FieldReference fields;

  LocalVolumes(Pod pod, PodFiles files, KeyedData data, FieldReference fields) {
    this.pod = pod;
    this.files = files;
    this.data = data;
    this.fields = fields;
  }

  /// @param type field of the pod's volume that names the kind
  MountedVolume make(PodVolume volume, String type, JsonNode spec)
      throws UnusableException, IOException {
    var name = volume.name();
    return switch (type) {
      case "emptyDir" -> MountedVolume.local(name, emptyDir(name, spec), false);
      case "hostPath" ->
          MountedVolume.local(
              name, files.hostPath(Json.text(spec, "path"), Json.text(spec, "type")), false);
      case "configMap" ->
          content(
              name,
              "kubernetes.io/configmap",
              false,
              keyed(
                  spec,
                  "ConfigMap",
                  Json.text(spec, "name"),
                  data.configMap(Json.text(spec, "name"), optional(spec))));
      case "secret" ->
          content(
              name,
              "kubernetes.io/secret",
              true,
              keyed(
                  spec,
                  "Secret",
                  Json.text(spec, "secretName"),
                  data.secret(Json.text(spec, "secretName"), optional(spec))));
      case "downwardAPI" -> content(name, "kubernetes.io/downward-api", false, fields(spec));
      case String _ ->
          throw new UnusableException("volume %s: kind %s is not supported".formatted(name, type));
    };
  }

  private Path emptyDir(String name, JsonNode spec) throws IOException {
    var limit = Json.quantity(spec, "sizeLimit");
    return files.emptyDir(
        pod.meta().uid(),
        name,
        Json.text(spec, "medium").equals("Memory"),
        limit.isPresent() ? OptionalLong.of(limit.get().toLong()) : OptionalLong.empty(),
        group());
  }

  private MountedVolume content(
      String name, String plugin, boolean secret, List<ContentFile> content) throws IOException {
    var path = files.content(pod.meta().uid(), plugin, name, secret, content, group());
    return MountedVolume.local(name, path, true);
  }

  /// Every key, or those that `items` names, where it says.
  private List<ContentFile> keyed(
      JsonNode spec, String kind, String name, Optional<Map<String, byte[]>> found)
      throws UnusableException {
    var values = found.orElse(Map.of());
    int mode = spec.path("defaultMode").asInt(DEFAULT_MODE);
    var content = new ArrayList<ContentFile>();
    if (!spec.path("items").isArray())
      values.forEach((key, bytes) -> content.add(new ContentFile(key, bytes, mode)));
    for (var item : spec.path("items")) {
      var bytes = values.get(Json.text(item, "key"));
      if (bytes != null)
        content.add(new ContentFile(Json.text(item, "path"), bytes, item.path("mode").asInt(mode)));
      else if (!optional(spec)) throw data.lacks(kind, name, Json.text(item, "key"));
    }
    return content;
  }

  private List<ContentFile> fields(JsonNode spec) throws UnusableException {
    int mode = spec.path("defaultMode").asInt(DEFAULT_MODE);
    var content = new ArrayList<ContentFile>();
    for (var item : spec.path("items")) {
      if (!item.hasNonNull("fieldRef"))
        throw new UnusableException("downwardAPI: only fieldRef is supported");
      var value = fields.value(Json.text(item.path("fieldRef"), "fieldPath"));
      content.add(
          new ContentFile(
              Json.text(item, "path"),
              value.getBytes(StandardCharsets.UTF_8),
              item.path("mode").asInt(mode)));
    }
    return content;
  }

  private OptionalInt group() {
    var group = pod.spec().path("securityContext").path("fsGroup");
    return group.isNumber() ? OptionalInt.of(group.asInt()) : OptionalInt.empty();
  }

  private static boolean optional(JsonNode spec) {
    return spec.path("optional").asBoolean();
  }
}
