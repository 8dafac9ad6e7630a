package dev.berth.sidecar.protection;

import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;

/// Takes the finalizer off a source that nothing is filled from any more.
public record LetGo(ObjectKey source, Seen<Meta> seen) implements Effect {}
