package dev.berth.controller.snapshot.source;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.object.ObjectKey;

/// Lets go of a claim of which no snapshot is being taken.
public record ReleaseClaim(ObjectKey claim, String uid) implements Effect {}
