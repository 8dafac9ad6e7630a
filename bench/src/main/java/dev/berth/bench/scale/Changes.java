package dev.berth.bench.scale;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.fact.Trigger.OnKind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// An object is filed anew, and all deciders are asked what that makes worth a look.
final class Changes {
  /// By name, in the order in which they are told.
  static final Map<String, Function<Snapshots, Runnable>> ALL = new LinkedHashMap<>();

  static {
    change("a running pod", Kinds.POD, ObjectKey.of("default", "pod-7"));
    change("a claim", Kinds.CLAIM, World.BOUND);
    change("a volume", Kinds.VOLUME, ObjectKey.cluster("pv-pod-7"));
    change("an attachment", Kinds.ATTACHMENT, ObjectKey.cluster("csi-7"));
    change("a node", Kinds.NODE, ObjectKey.cluster("node-7"));
  }

  private Changes() {}

  private static <T extends KubeObject> void change(String name, Kind<T> kind, ObjectKey key) {
    ALL.put(
        name,
        objects -> {
          var object = objects.get(kind, key).found().orElseThrow();
          var change = Change.changed(object, object);
          return () -> {
            var next = Facts.of(objects.with(kind, List.of(object)));
            for (var asked : Asked.ALL)
              for (var trigger : asked.decider().triggers()) woken(trigger, kind, change, next);
          };
        });
  }

  @SuppressWarnings("unchecked") // a trigger of this kind takes changes of this kind
  private static <T extends KubeObject> void woken(
      Trigger<?, ?> trigger, Kind<T> kind, Change<T> change, Facts facts) {
    if (trigger instanceof OnKind<?, ?> on && on.kind().equals(kind))
      ((OnKind<T, ?>) on).keys().apply(change, facts).forEach(_ -> {});
  }
}
