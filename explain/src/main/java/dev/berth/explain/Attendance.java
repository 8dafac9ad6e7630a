package dev.berth.explain;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Ref;
import java.util.SortedSet;
import java.util.TreeSet;

/// A driver that classes or volumes name and that nobody has registered: what its sidecars would do
/// is not done (C11, D09, X08).
final class AbsentDriver {
  private AbsentDriver() {}

  static boolean isAbsent(String driver, Snapshot objects) {
    return !registered(objects).contains(driver);
  }

  /// Waits for the driver wherever `sidecar` would act.
  static Voice insteadOf(Voice sidecar, String driver) {
    return Voice.of(
        sidecar.component(),
        Failures.UNTOLD,
        (subject, objects, now) ->
            sidecar
                .steps(subject, objects, now)
                .map(step ->
                    step instanceof Act ? untilRegistered(subject, driver, objects) : step));
  }

  private static Wait untilRegistered(Ref subject, String driver, Snapshot objects) {
    var sentence = Wait.on(Kinds.CSI_DRIVER.ref(ObjectKey.cluster(driver)));
    var began =
        Voices.meta(subject, objects)
            .map(meta -> meta.deleted().orElse(meta.created()))
            .map(sentence::since)
            .orElse(sentence);
    var others = String.join(", ", registered(objects));
    return began
        .until("driver %s has come: no driver %s is registered".formatted(driver, driver))
        .remedy(
            "start driver %s with its sidecars; if the name is wrong, create class and claim anew (registered: %s)"
                .formatted(driver, others.isEmpty() ? "none" : others));
  }

  private static SortedSet<String> registered(Snapshot objects) {
    var names = new TreeSet<String>();
    objects.all(Kinds.CSI_DRIVER).forEach(driver -> names.add(driver.meta().name()));
    objects.all(Kinds.CSI_NODE).stream()
        .flatMap(node -> node.drivers().stream())
        .map(CsiNode.Driver::name)
        .forEach(names::add);
    return names;
  }
}
