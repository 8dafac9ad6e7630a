package dev.berth.controller.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.fact.Trigger;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Kind;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What the snapshot controller needs the right to read: a loop begins when all of it has been
/// read, and upstream's ClusterRole shows no nodes unless snapshots are taken by nodes.
class SnapshotRightsTest {
  private static Set<Kind<?>> read(Snapshots.Options options) {
    var kinds = new HashSet<Kind<?>>();
    for (var concern : Snapshots.concerns(options))
      for (var trigger : concern.decider().triggers())
        if (trigger instanceof Trigger.OnKind<?, ?> on) kinds.add(on.kind());
    return kinds;
  }

  @Test
  void nodesAreReadOnlyWhereContentsAreMarkedWithThem() { // SNAP-91
    assertThat(read(Snapshots.Options.DEFAULT))
        .doesNotContain(Kinds.NODE)
        .containsExactlyInAnyOrderElementsOf(Snapshots.kinds(Snapshots.Options.DEFAULT));
    var distributed = new Snapshots.Options(true, true, true);
    assertThat(read(distributed))
        .contains(Kinds.NODE)
        .containsExactlyInAnyOrderElementsOf(Snapshots.kinds(distributed));
  }

  /// SNAP-70: who may not see groups, or has switched them off, has the rest.
  @Test
  void groupsAreReadOnlyWhereThereAreSome() {
    var groupless = new Snapshots.Options(false, true, false);
    assertThat(read(groupless))
        .doesNotContain(SnapshotKinds.GROUP_SNAPSHOT, SnapshotKinds.GROUP_CONTENT)
        .containsExactlyInAnyOrderElementsOf(Snapshots.kinds(groupless));
  }
}
