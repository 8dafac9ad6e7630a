package dev.berth.controller;

import dev.berth.kube.api.ApiException;

/// The server shows otherwise than the caches did, so what was decided is not done. A lost race
/// like any other: the loop looks again.
public final class Outdated {
  private Outdated() {}

  /// A race that was lost against what the server shows.
  ///
  /// @param what the server shows, as a sentence
  public static ApiException because(String what) {
    return new ApiException.LostRace(what);
  }
}
