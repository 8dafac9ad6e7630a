package dev.berth.sidecar.attacher;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.attacher.AttachEffect.ReleaseVolume;
import dev.berth.volume.Translation;

/// Lets go of one PersistentVolume that is being deleted, or that an in-tree plugin serves again,
/// once nothing attaches it (spec/attacher.md, section 9).
final class ReleaseDecision {
  private final String driver;
  private final String finalizer;

  ReleaseDecision(String driver) {
    this.driver = driver;
    finalizer = Finalizers.attacher(driver);
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.volume(key)) {
      case Missing<Volume> _ -> new Settled();
      case Found(var pv) when !holds(pv) -> new Settled();
      case Found(var pv) when !pv.meta().deleting() && !isGivenBack(pv) -> new Settled(); // ATT-76
      case Found(var pv) ->
          view.attachmentOf(pv)
              .map(va -> whileAttached(pv, va)) // ATT-77
              .orElseGet(() -> new Act(new ReleaseVolume(key, new Seen<>(pv.meta())))); // ATT-75
    };
  }

  /// Whether our finalizer is on it.
  boolean holds(Volume pv) {
    return pv.meta().hasFinalizer(finalizer);
  }

  /// An in-tree plugin's volume that no driver serves any more, as migration has been switched off
  /// (ATT-78).
  private boolean isGivenBack(Volume pv) {
    return Translation.NONE.source(pv).isEmpty()
        && pv.meta().annotation(Annotations.MIGRATED_TO).filter(driver::equals).isEmpty();
  }

  /// For a volume that nobody deletes, nobody waits.
  private static Step whileAttached(Volume pv, Attachment va) {
    return pv.meta().deleting() ? untilDetached(pv, va) : new Settled();
  }

  /// ATT-80: whoever deleted the volume reads here what still stands in the way.
  private static Wait untilDetached(Volume pv, Attachment va) {
    return Wait.on(va.ref())
        .since(pv.meta().deleted().orElseThrow())
        .until("volume %s is detached from node %s".formatted(pv.meta().name(), va.nodeName()))
        .remedy("delete the pods on node %s that use the volume".formatted(va.nodeName()));
  }
}
