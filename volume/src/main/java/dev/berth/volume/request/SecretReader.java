package dev.berth.volume.request;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.object.Resources;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Reads a Secret for one call.
public final class SecretReader {
  private final Api api;

  public SecretReader(Api api) {
    this.api = api;
  }

  /// All keys of the Secret, as text; empty without a reference.
  ///
  /// @throws ApiException if it does not exist or may not be read; the message names it
  public Map<String, String> read(Optional<SecretRef> secret) {
    if (secret.isEmpty()) return Map.of();
    var data = api.get(Resources.SECRETS, secret.get().key()).path("data");
    var texts = new LinkedHashMap<String, String>();
    data.properties()
        .forEach(entry ->
            texts.put(
                entry.getKey(),
                new String(
                    Base64.getDecoder().decode(entry.getValue().asText("")),
                    StandardCharsets.UTF_8)));
    return texts;
  }
}
