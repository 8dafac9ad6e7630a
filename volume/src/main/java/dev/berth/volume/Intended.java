package dev.berth.volume;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.value.Json;
import java.util.Optional;

/// Which volume a provisioner has begun for a claim (PROV-191), and whose it is, for others than
/// the provisioner.
public final class Intended {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Intended() {}

  /// Name of its PersistentVolume; empty: nothing was begun, or it cannot be read what.
  public static Optional<String> volume(Claim claim) {
    return text(claim, "volume");
  }

  /// The driver that is to make it; empty as above.
  public static Optional<String> driver(Claim claim) {
    return text(claim, "driver");
  }

  private static Optional<String> text(Claim claim, String field) {
    return claim
        .meta()
        .annotation(Annotations.PROVISIONING_INTENT)
        .flatMap(intent -> text(intent, field));
  }

  private static Optional<String> text(String intent, String field) {
    try {
      return Json.optionalText(MAPPER.readTree(intent), field);
    } catch (JsonProcessingException damaged) {
      return Optional.empty(); // its provisioner says so
    }
  }
}
