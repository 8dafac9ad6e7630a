package dev.berth.controller.snapshot;

import dev.berth.controller.Means;
import dev.berth.controller.snapshot.source.ClaimHolds;
import dev.berth.controller.snapshot.source.ClaimKeeper;
import dev.berth.controller.snapshot.source.Takings;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Role;
import dev.berth.kube.loop.Telling;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotKinds;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The snapshot-controller of kubernetes-csi/external-snapshotter.
public final class Snapshots {
  /// As whom it is known.
  public static final Role ROLE =
      Role.of("snapshot controller", "snapshot-controller", LeaseNames.SNAPSHOT_CONTROLLER)
          .telling(new Telling.InEvents(Set.of(SnapshotEvents.CONTENT_FAILED)));

  /// What it may read.
  public static final List<Kind<?>> KINDS =
      List.of(
          SnapshotKinds.SNAPSHOT,
          SnapshotKinds.CONTENT,
          SnapshotKinds.CLASS,
          SnapshotKinds.GROUP_SNAPSHOT,
          SnapshotKinds.GROUP_CONTENT,
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.NODE);

  private static final Set<Kind<?>> GROUPS =
      Set.of(SnapshotKinds.GROUP_SNAPSHOT, SnapshotKinds.GROUP_CONTENT);

  private Snapshots() {}

  /// What it reads of that, so chosen: nodes only to mark contents with them.
  public static List<Kind<?>> kinds(Options options) {
    return KINDS.stream()
        .filter(kind -> options.distributed() || !kind.equals(Kinds.NODE))
        .filter(kind -> options.groups() || !GROUPS.contains(kind))
        .toList();
  }

  /// What can be chosen.
  ///
  /// @param distributed whether a content is marked with the node whose sidecar takes care of it
  ///   (`--enable-distributed-snapshotting`, SNAP-81)
  /// @param notesMode whether a content says of which mode its volume was
  ///   (`--prevent-volume-mode-conversion`, SNAP-80)
  /// @param groups whether there are groups (the gate `CSIVolumeGroupSnapshot`, SNAP-70)
  public record Options(boolean distributed, boolean notesMode, boolean groups) {
    public static final Options DEFAULT = new Options(false, true, true);
  }

  /// All that it does, for who runs it alone.
  public static List<Concern<Means, ?, ?, ?>> concerns(Options options) {
    return List.of(snapshots(options), contents(), claims(options));
  }

  /// Binds snapshots, asks for contents, lets go of what is deleted.
  public static Concern<Means, ObjectKey, ?, ?> snapshots(Options options) {
    return new Concern<>(
        ROLE,
        new SnapshotKeeper(options),
        means -> new SnapshotEffects(means.api(), holds(means, options), means.events()));
  }

  /// Keeps contents that belong to a snapshot.
  public static Concern<Means, ObjectKey, ?, ?> contents() {
    return new Concern<>(
        ROLE,
        new ContentKeeper(),
        means -> new SnapshotEffects(means.api(), holds(means, Options.DEFAULT), means.events()));
  }

  /// Lets go of claims of which nothing is being taken any more.
  public static Concern<Means, ObjectKey, ?, ?> claims(Options options) {
    return new Concern<>(
        ROLE,
        new ClaimKeeper(options.groups()),
        means -> {
          var holds = holds(means, options);
          return effect -> holds.release(effect.claim(), effect.uid(), Optional.empty());
        });
  }

  private static ClaimHolds holds(Means means, Options options) {
    return new ClaimHolds(means.api(), () -> new Takings(means.latest().get(), options.groups()));
  }
}
