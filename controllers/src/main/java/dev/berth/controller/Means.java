package dev.berth.controller;

import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import java.util.function.Supplier;

/// What a controller acts by.
///
/// @param api whose writes are in the caches before their answer
/// @param latest what the caches show now
/// @param events in the name of its role
/// @param metrics of its process
public record Means(
    Api api, Supplier<Snapshot> latest, EventRecorder events, ControllerMetrics metrics) {
  /// Of somebody who shows no metrics of these.
  public Means(Api api, Supplier<Snapshot> latest, EventRecorder events) {
    this(api, latest, events, ControllerMetrics.unread());
  }
}
