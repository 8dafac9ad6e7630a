package dev.berth.node.volume.state;

import dev.berth.kube.fact.Topic;
import java.time.Instant;
import java.util.Optional;

/// That everything on the node is to end: nothing may start any more, what runs has to end,
/// everything is unmounted (NSHT-02).
///
/// @param killed when containers are killed that still run; empty: nobody has ordered it
/// @param patience until when those are waited for that cannot be unmounted for now
/// @param over whether what came of it has been told to whoever ordered it
public record DrainOrder(Optional<Instant> killed, Instant patience, boolean over) {
  /// Pods may run.
  public static final DrainOrder NONE = new DrainOrder(Optional.empty(), Instant.MAX, false);

  public static final Topic<DrainOrder> TOPIC = new Topic<>("the order to drain the node", NONE);

  public static DrainOrder of(Instant killed, Instant patience) {
    return new DrainOrder(Optional.of(killed), patience, false);
  }

  /// It has been carried out, as far as that was possible.
  public DrainOrder finish() {
    return new DrainOrder(killed, patience, true);
  }

  public boolean given() {
    return killed.isPresent();
  }
}
