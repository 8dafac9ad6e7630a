package dev.berth.controller;

import dev.berth.kube.api.ApiException;

/// The server shows otherwise than the caches did, so what was decided is not done. A conflict like
/// any other: the loop looks again once the watch has caught up.
public final class Outdated {
  private static final int CONFLICT = 409;

  private Outdated() {}

  /// A conflict with what the server shows.
  ///
  /// @param what the server shows, as a sentence
  public static ApiException because(String what) {
    return new ApiException(CONFLICT, "Conflict", what);
  }
}
