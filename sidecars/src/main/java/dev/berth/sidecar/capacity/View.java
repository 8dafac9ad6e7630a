package dev.berth.sidecar.capacity;

import dev.berth.kube.cache.Snapshot;
import java.time.Instant;

/// What is seen.
public record View(Snapshot objects, Room room, Instant now) {}
