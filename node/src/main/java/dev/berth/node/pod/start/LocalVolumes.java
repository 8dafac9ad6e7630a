package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.value.Json;
import dev.berth.node.token.PodTokens;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/// Makes a pod's volumes that need no storage driver (NRUN-05).
final class LocalVolumes {
  private static final int DEFAULT_MODE = 0644;
  private static final int OWNER_ONLY = 0600;

  private final Pod pod;
  private final PodFiles files;
  private final KeyedData data;
  private final FieldReference fields;
  private final PodTokens tokens;

  LocalVolumes(Pod pod, PodFiles files, KeyedData data, FieldReference fields, PodTokens tokens) {
    this.pod = pod;
    this.files = files;
    this.data = data;
    this.fields = fields;
    this.tokens = tokens;
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
      case "configMap" -> content(name, "kubernetes.io/configmap", false, part(type, spec, spec));
      case "secret" -> content(name, "kubernetes.io/secret", true, part(type, spec, spec));
      case "downwardAPI" ->
          content(name, "kubernetes.io/downward-api", false, part(type, spec, spec));
      case "projected" -> content(name, "kubernetes.io/projected", true, projected(spec));
      case String _ ->
          throw new UnusableException("volume %s: kind %s is not supported".formatted(name, type));
    };
  }

  /// Brings the files of a volume up to date; one that has none stays as it is.
  void renew(PodVolume volume, String type, JsonNode spec) throws UnusableException, IOException {
    if (Limits.CONTENT.contains(type)) make(volume, type, spec);
  }

  /// All sources in one directory; where two have a file of one name the later wins.
  private List<ContentFile> projected(JsonNode spec) throws UnusableException {
    var files = new LinkedHashMap<String, ContentFile>();
    for (var source : spec.path("sources"))
      for (var field : source.properties())
        for (var file : part(field.getKey(), field.getValue(), spec)) files.put(file.path(), file);
    return List.copyOf(files.values());
  }

  /// What one source shows.
  ///
  /// @param volume whose `defaultMode` counts
  private List<ContentFile> part(String type, JsonNode spec, JsonNode volume)
      throws UnusableException {
    int mode = volume.path("defaultMode").asInt(DEFAULT_MODE);
    return switch (type) {
      case "configMap" -> {
        var name = Json.text(spec, "name");
        yield keyed(spec, mode, "ConfigMap", name, data.configMap(name, optional(spec)));
      }
      case "secret" -> {
        var name = Json.optionalText(spec, "secretName").orElse(Json.text(spec, "name"));
        yield keyed(spec, mode, "Secret", name, data.secret(name, optional(spec)));
      }
      case "downwardAPI" -> fields(spec, mode);
      case "serviceAccountToken" -> List.of(token(spec, mode));
      case String _ -> throw new UnusableException("source %s is not supported".formatted(type));
    };
  }

  /// Nobody but who the pod runs as reads its token, if that is known.
  private ContentFile token(JsonNode spec, int mode) throws UnusableException {
    var seconds = spec.path("expirationSeconds");
    var life =
        seconds.isIntegralNumber() ? OptionalLong.of(seconds.asLong()) : OptionalLong.empty();
    try {
      var token = tokens.of(pod, Json.text(spec, "audience"), life);
      return new ContentFile(
          Json.text(spec, "path"),
          token.token().getBytes(StandardCharsets.UTF_8),
          user().isPresent() || group().isPresent() ? OWNER_ONLY : mode,
          user());
    } catch (ApiException refused) {
      throw new UnusableException(
          "no token of the pod's service account: " + String.valueOf(refused.getMessage()));
    }
  }

  /// As whom all containers run; empty: as several, or it is not said.
  private OptionalInt user() {
    var all = pod.spec().path("securityContext").path("runAsUser");
    var users =
        ContainerTemplate.of(pod)
            .map(container -> container.spec().path("securityContext").path("runAsUser"))
            .map(own -> own.isNumber() ? own : all)
            .map(user -> user.isNumber() ? user.asInt() : -1)
            .distinct()
            .toList();
    return users.size() == 1 && users.getFirst() >= 0
        ? OptionalInt.of(users.getFirst())
        : OptionalInt.empty();
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
      JsonNode spec, int mode, String kind, String name, Optional<Map<String, byte[]>> found)
      throws UnusableException {
    var values = found.orElse(Map.of());
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

  private List<ContentFile> fields(JsonNode spec, int mode) throws UnusableException {
    var content = new ArrayList<ContentFile>();
    for (var item : spec.path("items")) {
      var value =
          item.hasNonNull("resourceFieldRef")
              ? fields.resources().value(item.path("resourceFieldRef"), "")
              : fields.value(Json.text(item.path("fieldRef"), "fieldPath"));
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
