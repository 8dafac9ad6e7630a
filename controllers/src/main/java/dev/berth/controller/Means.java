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
public record Means(Api api, Supplier<Snapshot> latest, EventRecorder events) {}
