package dev.berth.driver.baremetal.silence;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.OperationalStatus;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Effects;
import java.util.function.UnaryOperator;

/// Says what is known of nodes that do not answer, each time only of an object that is as it was
/// seen: its node may have spoken meanwhile.
public record SilenceWork(Registry registry, EventRecorder events, Told<Heard> heard)
    implements Effects<SilenceEffect> {
  @Override
  public void carryOut(SilenceEffect effect) {
    switch (effect) {
      case SilenceEffect.Hear(var node, var beat) -> heard.change(all -> all.with(node, beat));
      case SilenceEffect.Forget(var node) -> heard.change(all -> all.without(node));
      case SilenceEffect.Ask ask -> ask(ask);
      case SilenceEffect.Withdraw(var node, var capacity) -> {
        var patch = JsonNodeFactory.instance.objectNode();
        patch
            .putObject("metadata")
            .put("uid", capacity.meta().uid())
            .put("resourceVersion", capacity.meta().resourceVersion());
        patch.putObject("spec").put("Size", 0);
        unlessGone(() ->
            registry
                .api()
                .patch(BareMetalKinds.CAPACITIES, capacity.meta().key(), Patch.merge(patch)));
        note(node, it -> it.doubting(capacity.meta().uid()));
      }
      case SilenceEffect.Doubt(var node, var drive, var state, var notices) -> {
        unlessGone(() -> {
          registry.observed(drive, state);
          notices.forEach(events::tell);
        });
        note(node, it -> it.doubting(drive.meta().uid()));
      }
      case SilenceEffect.Miss(var node, var volume, var notice) -> {
        unlessGone(() -> miss(volume, notice));
        note(node, it -> it.doubting(volume.meta().uid()));
      }
    }
  }

  /// An answer counts, and no answer does not: an exception is tried again.
  private void ask(SilenceEffect.Ask ask) {
    var node = ask.node();
    unlessGone(() -> {
      var now =
          BareMetalKinds.NODE
              .read()
              .apply(registry.api().get(BareMetalKinds.NODES, node.meta().key()));
      var sign = SilenceKeeper.sign(now);
      var next =
          sign.equals(ask.beat().sign())
              ? ask.beat().unchanged(ask.at())
              : Heard.Beat.of(sign, false, ask.at());
      heard.change(all -> all.with(node.uuid(), next));
    });
  }

  private void miss(LocalVolume volume, Notice notice) {
    var health =
        volume.drive().flatMap(registry::drive).flatMap(Drive::override).orElse(Health.UNKNOWN);
    registry.writeStatus(
        volume,
        status ->
            status
                .put("Health", health.name())
                .put("OperationalStatus", OperationalStatus.MISSING.name()));
    events.tell(notice);
  }

  private void note(String node, UnaryOperator<Heard.Beat> change) {
    heard.change(all -> all.of(node).map(it -> all.with(node, change.apply(it))).orElse(all));
  }

  private static void unlessGone(Runnable write) {
    try {
      write.run();
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
