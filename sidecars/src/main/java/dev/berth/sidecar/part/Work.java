package dev.berth.sidecar.part;

import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Pace;
import dev.berth.sidecar.connection.Means;

/// What one loop of a sidecar does, and how fast.
public record Work(Concern<Means, ?, ?, ?> concern, Pace pace) {}
