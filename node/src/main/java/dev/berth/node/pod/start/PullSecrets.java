package dev.berth.node.pod.start;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import dev.berth.node.runtime.ImageRequest.Policy;
import dev.berth.node.runtime.ImageRequest.RegistryLogin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the secrets of `imagePullSecrets` say of registries. A secret that is missing, or holds
/// something else, is left out: the image may be to be had without.
final class PullSecrets {
  private static final Logger log = LoggerFactory.getLogger(PullSecrets.class);
  private static final ObjectMapper json = new ObjectMapper();

  private final KeyedData data;

  PullSecrets(KeyedData data) {
    this.data = data;
  }

  /// `imagePullPolicy`; where it is not said, an image that has no tag of its own is pulled.
  static Policy policy(ContainerTemplate container) {
    return switch (Json.text(container.spec(), "imagePullPolicy")) {
      case "Always" -> Policy.ALWAYS;
      case "IfNotPresent" -> Policy.IF_NOT_PRESENT;
      case "Never" -> Policy.NEVER;
      case String _ -> moves(container.image()) ? Policy.ALWAYS : Policy.IF_NOT_PRESENT;
    };
  }

  private static boolean moves(String image) {
    var last = image.substring(image.lastIndexOf('/') + 1);
    return !image.contains("@") && (!last.contains(":") || last.endsWith(":latest"));
  }

  /// The logins that fit an image, those for the longest part of its name first.
  List<RegistryLogin> logins(Pod pod, String image) {
    var fitting = new ArrayList<RegistryLogin>();
    for (var reference : pod.spec().path("imagePullSecrets"))
      for (var entry : registries(pod, Json.text(reference, "name")).properties())
        if (RegistryName.of(entry.getKey()).fits(image))
          login(entry.getKey(), entry.getValue()).ifPresent(fitting::add);
    fitting.sort(Comparator.comparingInt((RegistryLogin it) -> it.server().length()).reversed());
    return fitting;
  }

  private JsonNode registries(Pod pod, String secret) {
    try {
      Map<String, byte[]> values = data.secret(secret, true).orElse(Map.of());
      var config = values.get(".dockerconfigjson");
      if (config != null) return json.readTree(config).path("auths");
      var old = values.get(".dockercfg");
      if (old != null) return json.readTree(old);
      log.warn("pull secret {} of {} is missing, or holds no registries", secret, pod.ref());
    } catch (UnusableException | IOException unreadable) {
      // its words may quote the secret
      log.warn("pull secret {} of {} cannot be read", secret, pod.ref());
    }
    return json.createObjectNode();
  }

  private static Optional<RegistryLogin> login(String server, JsonNode entry) {
    var user = Json.text(entry, "username");
    var password = Json.text(entry, "password");
    var both = Json.text(entry, "auth");
    if (user.isEmpty() && !both.isEmpty()) {
      try {
        var pair = new String(Base64.getDecoder().decode(both), StandardCharsets.UTF_8);
        int colon = pair.indexOf(':');
        if (colon < 0) return Optional.empty();
        user = pair.substring(0, colon);
        password = pair.substring(colon + 1);
      } catch (IllegalArgumentException garbled) {
        return Optional.empty();
      }
    }
    return Optional.of(
        new RegistryLogin(server, user, password, Json.text(entry, "identitytoken")));
  }
}
