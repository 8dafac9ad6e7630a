package dev.berth.bench.scale;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Counted;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// A look of each decider at each object that it decides about, of those that there are in a
/// cluster of any size with as much about them.
final class Looks {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  /// By what they are called beside the decider.
  private static final Map<String, Ref> SUBJECTS = new LinkedHashMap<>();

  static {
    SUBJECTS.put("pod with a bound claim", Kinds.POD.ref(World.BOUND));
    SUBJECTS.put("pod whose claim waits", Kinds.POD.ref(World.WAITING));
    SUBJECTS.put("running pod", Kinds.POD.ref(ObjectKey.of("default", "own-7")));
    SUBJECTS.put("bound claim", Kinds.CLAIM.ref(ObjectKey.of("default", "own-7")));
    SUBJECTS.put("waiting claim", Kinds.CLAIM.ref(World.WAITING));
    SUBJECTS.put("claim for a node", Kinds.CLAIM.ref(World.NEAR));
    SUBJECTS.put("claim for any node", Kinds.CLAIM.ref(World.SPREAD));
    SUBJECTS.put("volume", Kinds.VOLUME.ref(ObjectKey.cluster("pv-own-7")));
    SUBJECTS.put("attachment", Kinds.ATTACHMENT.ref(ObjectKey.cluster("csi-7")));
    SUBJECTS.put("node", Kinds.NODE.ref(ObjectKey.cluster(World.OWN)));
  }

  /// Those that were made, by name, in the order in which they are told.
  final Map<String, Function<Snapshot, Look>> all = new LinkedHashMap<>();

  /// Names of deciders for which there is nothing in the cluster.
  final List<String> idle = new ArrayList<>();

  /// @param any of the clusters
  Looks(Snapshot any) {
    for (var asked : Asked.ALL) {
      int before = all.size();
      SUBJECTS.forEach((title, subject) -> look(asked, asked.decider(), title, subject, any));
      if (all.size() == before) idle.add(asked.decider().name());
    }
  }

  private <K, V> void look(
      Asked asked, Decider<K, V, ?> decider, String title, Ref subject, Snapshot any) {
    if (decider.about(subject, any).findAny().isEmpty()) return;
    all.put(
        decider.name().replace("/" + World.DRIVER, "") + ", " + title,
        objects -> {
          var facts = asked.known().apply(objects);
          var key = decider.about(subject, objects).findFirst().orElseThrow();
          var counted = new Counted(facts);
          var _ = decide(decider, counted, key);
          return new Look(() -> decide(decider, facts, key), counted.reads());
        });
  }

  private static <K, V> Object decide(Decider<K, V, ?> decider, Facts facts, K key) {
    return decider.decide(decider.view(facts, NOW), key);
  }

  /// @param work that is a look
  /// @param reads of objects and answers that it takes
  record Look(Runnable work, int reads) {}
}
