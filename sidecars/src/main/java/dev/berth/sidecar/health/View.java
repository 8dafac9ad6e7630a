package dev.berth.sidecar.health;

import dev.berth.kube.fact.Facts;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/// What the monitor sees at one moment.
///
/// @param now time of the look
record View(Facts facts, Instant now) {
  Survey survey() {
    return facts.of(Survey.TOPIC);
  }

  Lookup<Volume> volume(String name) {
    return facts.get(Kinds.VOLUME, ObjectKey.cluster(name));
  }

  Optional<Claim> claim(ObjectKey key) {
    return facts.get(Kinds.CLAIM, key).found();
  }

  Lookup<Node> node(String name) {
    return facts.get(Kinds.NODE, ObjectKey.cluster(name));
  }

  Collection<Pod> podsOn(String node) {
    return facts.by(Indexes.PODS_BY_NODE, node);
  }

  Collection<Volume> volumesOf(ObjectKey claim) {
    return facts.by(Indexes.VOLUMES_BY_CLAIM, claim.toString());
  }
}
