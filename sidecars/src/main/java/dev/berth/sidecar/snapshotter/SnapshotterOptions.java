package dev.berth.sidecar.snapshotter;

import dev.berth.kube.loop.Pace;
import java.time.Duration;
import java.util.Optional;

/// How snapshots are taken; defaults are upstream's.
///
/// @param names of snapshots
/// @param groupNames of group snapshots
/// @param extraMetadata whether the driver hears whose snapshot it takes (SNAP-19)
/// @param node whose contents alone are taken care of (`--node-deployment`, SNAP-81); empty: all
/// @param groups whether several volumes are snapshot at once (SNAP-70)
/// @param timeout how long one call to the driver may take
/// @param pace how often failures are tried again, and how many snapshots at the same time
public record SnapshotterOptions(
    Names names,
    Names groupNames,
    boolean extraMetadata,
    Optional<String> node,
    boolean groups,
    Duration timeout,
    Pace pace) {
  public static final SnapshotterOptions DEFAULT =
      new SnapshotterOptions(
          new Names("snapshot", -1),
          new Names("groupsnapshot", -1),
          false,
          Optional.empty(),
          true,
          Duration.ofMinutes(1),
          Pace.SIDECAR);

  /// What the driver is told to call what it takes (SNAP-61).
  ///
  /// @param prefix before the dash
  /// @param uuidLength how many characters of the uid follow, without its dashes; -1: all of it, as
  ///   it is
  public record Names(String prefix, int uuidLength) {
    public Names {
      if (prefix.isEmpty()) throw new IllegalArgumentException("the name prefix is empty");
    }

    public String of(String uid) {
      if (uuidLength == -1) return prefix + "-" + uid;
      var bare = uid.replace("-", "");
      return prefix + "-" + bare.substring(0, Math.min(Math.max(uuidLength, 0), bare.length()));
    }
  }
}
