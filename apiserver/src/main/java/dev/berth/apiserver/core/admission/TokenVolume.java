package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.function.Supplier;

/// The volume in which a pod's containers find their account's token, the server's certificate and
/// their namespace (API-114).
final class TokenVolume {
  private static final String PREFIX = "kube-api-access-";
  private static final String PATH = "/var/run/secrets/kubernetes.io/serviceaccount";

  /// As upstream asks for it: an hour, and seven seconds by which such tokens are known.
  private static final long SECONDS = 3_607;

  private TokenVolume() {}

  /// Mounts it in every container that has nothing in its place; without one that wants it there is
  /// no volume.
  static void mount(ObjectNode spec, Supplier<String> suffix) {
    var given = given(spec);
    var name = given.isEmpty() ? PREFIX + suffix.get() : given;
    boolean wanted = false;
    for (var list : List.of("initContainers", "containers"))
      for (var each : spec.path(list))
        if (each instanceof ObjectNode container && !covers(container)) {
          container
              .withArray("volumeMounts")
              .addObject()
              .put("name", name)
              .put("readOnly", true)
              .put("mountPath", PATH);
          wanted = true;
        }
    if (wanted && given.isEmpty()) spec.withArray("volumes").add(volume(name));
  }

  private static String given(JsonNode spec) {
    for (var volume : spec.path("volumes"))
      if (Json.text(volume, "name").startsWith(PREFIX)) return Json.text(volume, "name");
    return "";
  }

  private static boolean covers(JsonNode container) {
    return container
        .path("volumeMounts")
        .valueStream()
        .anyMatch(mount -> Json.text(mount, "mountPath").equals(PATH));
  }

  private static ObjectNode volume(String name) {
    var volume = JsonNodeFactory.instance.objectNode().put("name", name);
    var projected = volume.putObject("projected");
    var sources = projected.putArray("sources");
    sources
        .addObject()
        .putObject("serviceAccountToken")
        .put("expirationSeconds", SECONDS)
        .put("path", "token");
    var map = sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt");
    map.putArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
    var item = sources.addObject().putObject("downwardAPI").putArray("items").addObject();
    item.put("path", "namespace");
    item.putObject("fieldRef").put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
    projected.put("defaultMode", 0644);
    return volume;
  }
}
