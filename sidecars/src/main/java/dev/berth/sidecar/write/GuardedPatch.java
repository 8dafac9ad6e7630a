package dev.berth.sidecar.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Meta;
import dev.berth.kube.model.Resource;

/// Applies patches that test what they take for granted.
public final class GuardedPatch {
  private final Api api;

  public GuardedPatch(Api api) {
    this.api = api;
  }

  /// @param seen the object as it was seen
  /// @return the object as it now is
  /// @throws ApiException.LostRace if the object is not as it was seen
  /// @throws ApiException also if the object has gone
  public ObjectNode apply(Resource resource, Meta seen, JsonPatch patch) {
    return api.patch(resource, seen.key(), patch.patch());
  }

  /// The same for an object that may go at any time, and then needs no patch.
  public void applyIfThere(Resource resource, Meta seen, JsonPatch patch) {
    applyIfThere(resource, seen, patch.patch());
  }

  /// Takes a finalizer off an object that may have gone, which others let go of as well.
  public void letGo(Resource resource, Meta seen, String finalizer) {
    applyIfThere(resource, seen, Patch.withoutFinalizer(seen, finalizer));
  }

  private void applyIfThere(Resource resource, Meta seen, Patch patch) {
    try {
      api.patch(resource, seen.key(), patch);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
