package dev.berth.sidecar.reclaimer;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.sidecar.connection.DriverFacts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Deletes the volumes of one driver: the other half of kubernetes-csi/external-provisioner.
public final class Reclaimer implements Unsplit<ObjectKey, View> {
  private final DriverFacts driver;
  private final ReclaimDecision decision;
  private final Optional<ReclaimEffects> effects;

  private Reclaimer(DriverFacts driver, Optional<ReclaimEffects> effects) {
    this.driver = driver;
    this.effects = effects;
    decision = new ReclaimDecision(driver);
  }

  /// @param calls to the driver, each with a deadline (PROV-27)
  public static Reclaimer of(
      DriverFacts driver, ControllerCalls calls, Api api, EventRecorder events) {
    return new Reclaimer(driver, Optional.of(new ReclaimEffects(calls, api, events)));
  }

  /// Decides only: for explanations.
  public static Reclaimer explaining(DriverFacts driver) {
    return new Reclaimer(driver, Optional.empty());
  }

  @Override
  public String name() {
    return "reclaimer/" + driver.name();
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Kinds.VOLUME, (change, _) -> Stream.of(change.latest().meta().key())),
        Trigger.on(
            Kinds.ATTACHMENT,
            (change, _) ->
                change.after().isPresent() // only its going frees a volume
                    ? Stream.empty()
                    : Stream.of(ObjectKey.cluster(change.latest().volumeName()))),
        Trigger.none(Kinds.STORAGE_CLASS));
  }

  @Override
  public View view(Snapshot objects, Instant now) {
    return new View(objects);
  }

  @Override
  public Step decide(View view, ObjectKey volume) {
    return decision.decide(view, volume);
  }

  @Override
  public void carryOut(Effect effect) {
    effects
        .orElseThrow(() -> new IllegalStateException("a reclaimer that explains does not act"))
        .carryOut((ReclaimEffect) effect);
  }
}
