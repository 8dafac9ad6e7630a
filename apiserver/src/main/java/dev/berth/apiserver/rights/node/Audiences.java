package dev.berth.apiserver.rights.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;

/// For whom a node may have tokens of a pod's account: whom the pod's volumes name, or the drivers
/// that mount them (API-12). With a token for anybody else it could act there as the account.
final class Audiences {
  private Audiences() {}

  /// @param audience empty: the API server itself
  static boolean areOf(JsonNode pod, String namespace, String audience, State state) {
    var name = Json.text(pod.path("metadata"), "name");
    for (var volume : pod.path("spec").path("volumes"))
      if (names(volume, audience) || mountedBy(volume, name, namespace, audience, state))
        return true;
    return false;
  }

  private static boolean names(JsonNode volume, String audience) {
    for (var source : volume.path("projected").path("sources"))
      if (source.has("serviceAccountToken")
          && Json.text(source.path("serviceAccountToken"), "audience").equals(audience))
        return true;
    return false;
  }

  private static boolean mountedBy(
      JsonNode volume, String pod, String namespace, String audience, State state) {
    var inline = Json.text(volume.path("csi"), "driver");
    if (!inline.isEmpty()) return asks(inline, audience, state);
    var claim =
        volume.has("ephemeral")
            ? pod + "-" + Json.text(volume, "name")
            : Json.text(volume.path("persistentVolumeClaim"), "claimName");
    if (claim.isEmpty()) return false;
    return NodeAuthorizer.boundVolume(ObjectKey.of(namespace, claim), state)
        .map(found -> Json.text(found.object().path("spec").path("csi"), "driver"))
        .filter(driver -> asks(driver, audience, state))
        .isPresent();
  }

  private static boolean asks(String driver, String audience, State state) {
    var found = state.get(Resources.CSI_DRIVERS, ObjectKey.cluster(driver));
    if (found.isEmpty()) return false;
    for (var each : found.get().object().path("spec").path("tokenRequests"))
      if (Json.text(each, "audience").equals(audience)) return true;
    return false;
  }
}
