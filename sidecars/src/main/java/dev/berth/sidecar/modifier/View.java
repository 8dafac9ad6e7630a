package dev.berth.sidecar.modifier;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;

/// What the modifier sees.
public record View(Snapshot objects, Instant now) {
  Lookup<Claim> claim(ObjectKey key) {
    return objects.get(Kinds.CLAIM, key);
  }

  Lookup<Volume> volumeOf(Claim claim) {
    return objects.get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()));
  }

  Lookup<AttributesClass> attributesClass(String name) {
    return objects.get(Kinds.ATTRIBUTES_CLASS, ObjectKey.cluster(name));
  }
}
