package dev.berth.node.volume;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.driver.Driver;
import dev.berth.node.driver.Drivers;
import dev.berth.node.token.PodTokens;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.VolumeState.Attached;
import dev.berth.volume.request.SecretReader;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/// What each call to a driver needs before it is made: who is called, and what he is told besides
/// the volume.
record DriverRequests(Api api, Drivers drivers, ActualState state, PodTokens tokens) {
  private static final String TOKENS = "csi.storage.k8s.io/serviceAccount.tokens";

  Driver driver(VolumeName name) throws IOException {
    return drivers
        .find(name.driver())
        .orElseThrow(() ->
            new IOException(
                "driver name %s not found in the list of registered CSI drivers"
                    .formatted(name.driver())));
  }

  /// @param group that the driver is told; an empty text: none
  /// @param secret that the step needs
  /// @throws IOException if the secret cannot be read: nothing is announced yet (NVM-19)
  NodeRequests of(Want want, Driver driver, String group, Optional<SecretRef> secret, String step)
      throws IOException {
    var attached = state.now().volume(want.name()).attached();
    return new NodeRequests(
        want,
        driver,
        group,
        attached.map(Attached::metadata).orElse(Map.of()),
        secret.isPresent() ? read(secret.get(), step) : Map.of());
  }

  private Map<String, String> read(SecretRef secret, String step) throws IOException {
    try {
      return new SecretReader(api).read(Optional.of(secret));
    } catch (ApiException unreadable) {
      throw new IOException(
          "fetching Node%sSecretRef %s failed: %s"
              .formatted(step, secret.key(), unreadable.getMessage()),
          unreadable);
    }
  }

  /// The tokens that a driver asks for, as it is told them; empty: it asks for none.
  ///
  /// @throws IOException if one is not to be had: nothing is announced yet (NVM-19)
  Map<String, String> tokens(Want want, Optional<CsiDriver.Tokens> asked) throws IOException {
    if (asked.isEmpty()) return Map.of();
    var told = JsonNodeFactory.instance.objectNode();
    for (var request : asked.get().requests()) {
      try {
        var token = tokens.of(want.pod(), request.audience(), request.seconds());
        told.putObject(request.audience())
            .put("token", token.token())
            .put("expirationTimestamp", token.expires().toString());
      } catch (ApiException refused) {
        throw new IOException(
            "no token of the pod's service account for audience \"%s\": %s"
                .formatted(request.audience(), refused.getMessage()),
            refused);
      }
    }
    return Map.of(TOKENS, told.toString());
  }

  /// The group for the driver to see to (NCSI-13); an empty text: none, or the agent does it.
  static String told(Driver driver, Optional<FsGroup> group) {
    return group.isPresent() && driver.can(RPC.Type.VOLUME_MOUNT_GROUP) ? group.get().text() : "";
  }
}
