package dev.berth.sidecar.provisioner.intent;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.berth.kube.model.Claim;
import dev.berth.kube.name.Annotations;

/// What a claim says of the volume that is being created for it.
public sealed interface Begun {
  /// Nothing: no volume can exist.
  record Nothing() implements Begun {}

  record As(Intent intent) implements Begun {}

  /// Something that we do not understand: damaged, or of a later version. A volume may exist, and
  /// how it was asked for is not known.
  ///
  /// @param why for people
  record Unreadable(String why) implements Begun {}

  static Begun of(Claim claim) {
    return claim
        .meta()
        .annotation(Annotations.PROVISIONING_INTENT)
        .map(Begun::read)
        .orElseGet(Nothing::new);
  }

  private static Begun read(String text) {
    try {
      return new As(Intent.read(text));
    } catch (JsonProcessingException notJson) {
      return new Unreadable("it is not JSON: " + notJson.getOriginalMessage());
    } catch (IllegalArgumentException other) {
      return new Unreadable(String.valueOf(other.getMessage()));
    }
  }
}
