package dev.berth.bench.scale;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Dispatch;
import dev.berth.kube.cache.Dispatch.Share;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger.Extent;
import dev.berth.kube.fact.Trigger.OnKind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// An object is filed anew, each dispatch is asked once whom that concerns, and those deciders what
/// it makes worth a look.
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
            var told = new IdentityHashMap<Dispatch<?>, Collection<String>>();
            for (var asked : Asked.ALL)
              for (var trigger : asked.decider().triggers())
                if (trigger instanceof OnKind<?, ?> on && on.kind().equals(kind))
                  woken(same(on), change, next, told);
          };
        });
  }

  @SuppressWarnings("unchecked") // a trigger of this kind takes changes of this kind
  private static <T extends KubeObject> OnKind<T, ?> same(OnKind<?, ?> trigger) {
    return (OnKind<T, ?>) trigger;
  }

  /// @param told whom it concerns, of the dispatches that have been asked
  private static <T extends KubeObject> void woken(
      OnKind<T, ?> trigger,
      Change<T> change,
      Facts facts,
      Map<Dispatch<?>, Collection<String>> told) {
    boolean concerned =
        switch (trigger.of()) {
          case Extent.Whole<T> _ -> true;
          case Extent.None<T> _ -> false;
          case Extent.Part<T>(var share) ->
              concerns(
                  share,
                  told.computeIfAbsent(
                      share.dispatch(),
                      _ -> List.copyOf(share.dispatch().to().apply(change, facts))));
        };
    if (concerned) trigger.keys().apply(change, facts).forEach(_ -> {});
  }

  private static boolean concerns(Share<?> share, Collection<String> names) {
    return names.contains(Dispatch.EVERYBODY) || share.names().stream().anyMatch(names::contains);
  }
}
