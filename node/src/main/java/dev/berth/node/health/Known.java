package dev.berth.node.health;

import dev.berth.kube.fact.Topic;
import dev.berth.kube.model.VolumeName;
import java.time.Instant;
import java.util.Optional;
import org.pcollections.HashTreePMap;
import org.pcollections.PMap;

/// What this process knows of the health of the volumes on its node.
///
/// @param volumes what their drivers said
/// @param dropped when the server last dropped what was written (VH-16); empty: it never did
record Known(PMap<VolumeName, Said> volumes, Optional<Instant> dropped) {
  static final Known NOTHING = new Known(HashTreePMap.empty(), Optional.empty());

  static final Topic<Known> TOPIC = new Topic<>("health of the volumes on the node", NOTHING);

  Optional<Said> of(VolumeName name) {
    return Optional.ofNullable(volumes.get(name));
  }

  Known with(VolumeName name, Said said) {
    return new Known(volumes.plus(name, said), dropped);
  }

  Known without(VolumeName name) {
    return new Known(volumes.minus(name), dropped);
  }

  Known dropping(Optional<Instant> when) {
    return new Known(volumes, when);
  }
}
