package dev.berth.node.drain;

import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.drain.DrainEffect.Finish;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.DrainOrder;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// Takes the order, and tells what came of it.
public final class DrainEffects implements Effects<DrainEffect> {
  private final Told<DrainOrder> order = new Told<>(DrainOrder.TOPIC);
  private final CompletableFuture<Map<VolumeName, String>> finished = new CompletableFuture<>();
  private final ActualState mounted;

  public DrainEffects(ActualState mounted) {
    this.mounted = mounted;
  }

  public Source<DrainOrder> source() {
    return order;
  }

  /// Orders it.
  ///
  /// @return done when enough of it is done: what is still mounted then, and why
  public CompletableFuture<Map<VolumeName, String>> order(Instant killed, Instant patience) {
    order.change(before -> before.given() ? before : DrainOrder.of(killed, patience));
    return finished;
  }

  @Override
  public void carryOut(DrainEffect effect) {
    switch (effect) {
      case Finish(var left) -> finish(left);
    }
  }

  /// Looks once more: a start that did not see the order yet holds its volumes by now.
  private void finish(Map<VolumeName, String> left) {
    if (left.isEmpty() && !mounted.now().holding().isEmpty()) return;
    order.change(DrainOrder::finish);
    finished.complete(left);
  }
}
