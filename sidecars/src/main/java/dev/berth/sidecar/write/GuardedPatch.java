package dev.berth.sidecar.write;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.model.Meta;
import dev.berth.kube.model.Resource;

/// Applies patches that test what they take for granted. A failed test is a lost race like any
/// other: the caller shall look again.
public final class GuardedPatch {
  private static final int UNPROCESSABLE = 422;
  private static final int CONFLICT = 409;

  private final Api api;

  public GuardedPatch(Api api) {
    this.api = api;
  }

  /// @param seen the object as it was seen
  /// @return the object as it now is
  /// @throws ApiException also if the object has gone; a conflict if it is not as it was seen
  public ObjectNode apply(Resource resource, Meta seen, JsonPatch patch) {
    try {
      return api.patch(resource, seen.key(), patch.patch());
    } catch (ApiException refused) {
      throw refused.code() == UNPROCESSABLE ? conflict(resource, seen, refused) : refused;
    }
  }

  /// The same for an object that may go at any time, and then needs no patch.
  public void applyIfThere(Resource resource, Meta seen, JsonPatch patch) {
    try {
      apply(resource, seen, patch);
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }

  private static ApiException conflict(Resource resource, Meta seen, ApiException refused) {
    var conflict =
        new ApiException(
            CONFLICT,
            "Conflict",
            "%s %s has changed meanwhile: %s"
                .formatted(resource.kind(), seen.key(), refused.getMessage()));
    conflict.initCause(refused);
    return conflict;
  }
}
