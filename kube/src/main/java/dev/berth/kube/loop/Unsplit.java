package dev.berth.kube.loop;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Ref;
import java.time.Instant;
import java.util.stream.Stream;

/// A decider that is its own effects, from before the two were told apart.
public interface Unsplit<K, V> extends Decider<K, V, Effect>, Effects<Effect> {
  V view(Snapshot objects, Instant now);

  @Override
  default V view(Facts facts, Instant now) {
    return view((Snapshot) facts, now);
  }

  @Override
  default Class<Effect> effectType() {
    return Effect.class;
  }

  @Override
  default Stream<K> about(Ref subject, Snapshot objects) {
    return Stream.empty();
  }
}
