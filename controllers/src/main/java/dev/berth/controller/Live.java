package dev.berth.controller;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import java.util.Optional;

/// Asks the server itself, where a cache that lags would cost data.
public record Live(Api api) {
  /// The object as it is; empty: the server says of it that it is not there. A load balancer that
  /// finds no server says so of nothing.
  public <T extends KubeObject> Optional<T> find(Kind<T> kind, ObjectKey key) {
    try {
      return Optional.of(kind.read().apply(api.get(kind.resource(), key)));
    } catch (ApiException refused) {
      if (refused.saysGone(kind.resource(), key)) return Optional.empty();
      throw refused;
    }
  }
}
