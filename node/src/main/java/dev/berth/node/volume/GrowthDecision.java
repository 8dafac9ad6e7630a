package dev.berth.node.volume;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimGrowth;
import dev.berth.kube.model.ClaimGrowth.Stage;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.value.Quantity;
import dev.berth.node.volume.MountEffect.Grow;
import dev.berth.node.volume.MountEffect.Telling;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.need.Want.Bound;
import dev.berth.node.volume.state.Size;
import dev.berth.node.volume.state.VolumeState;
import java.util.List;
import java.util.Optional;

/// Whether what is on a volume that is mounted here has to grow: its controller has made the volume
/// larger, and a node has to follow (spec/resizer.md, section 4).
final class GrowthDecision {
  private GrowthDecision() {}

  /// @param wants the pods here that have it
  /// @return empty: nothing to do
  static Optional<Step> of(MountView view, VolumeState state, List<Want> wants) {
    // What may be written is looked at first: a volume that all only read cannot grow here.
    var writer = wants.stream().filter(want -> !want.readOnly()).findFirst();
    var want = writer.orElseGet(wants::getFirst);
    var wanted = want.bound().flatMap(bound -> wanted(want, bound, state.size()));
    if (wanted.isEmpty()) return Optional.empty();
    if (writer.isEmpty()) return Optional.of(Settled.but(readOnly(want)));
    return Optional.of(
        view.drivers().contains(want.source().driver())
            ? new Act(wanted.get())
            : MountWaits.untilRegistered(view, want));
  }

  /// RSZ-70, line by line.
  private static Optional<Grow> wanted(Want want, Bound bound, Size size) {
    var claim = bound.claim();
    var capacity = claim.capacity().orElse(Quantity.ofBytes(0));
    var volume = bound.volume().capacity();
    if (claim.growth().onNode()) {
      var asked = claim.growth().allocated().orElse(volume);
      boolean refused = size.refused().filter(asked::equals).isPresent(); // RSZ-73
      return capacity.compareTo(volume) >= 0 || refused
          ? Optional.empty()
          : Optional.of(new Grow(want.name(), asked, Telling.THE_CLAIM, new Seen<>(want)));
    }
    // NEXP-01: its controller names no stages, or the volume had another claim when it grew.
    boolean behind =
        claim.growth().equals(ClaimGrowth.NONE)
            && claim.capacity().isPresent()
            && capacity.compareTo(volume) < 0;
    if (behind)
      return size.refused().filter(volume::equals).isPresent()
          ? Optional.empty()
          : Optional.of(new Grow(want.name(), volume, Telling.THE_CLAIM, new Seen<>(want)));
    boolean elsewhere =
        claim.growth().stage() == Stage.NONE
            && capacity.compareTo(volume) >= 0
            && size.isBelow(volume)
            && size.refused().filter(volume::equals).isEmpty()
            && everyNodeHasToFollow(claim);
    return elsewhere
        ? Optional.of(new Grow(want.name(), volume, Telling.NOBODY, new Seen<>(want)))
        : Optional.empty();
  }

  /// RSZ-75: a volume that several nodes have is grown on each.
  private static boolean everyNodeHasToFollow(Claim claim) {
    return claim.accessModes().contains(AccessMode.READ_WRITE_MANY)
        && !claim.meta().hasAnnotation(Annotations.NODE_EXPANSION_NOT_REQUIRED);
  }

  private static Notice readOnly(Want want) {
    return Notice.warning(
        want.pod().ref(),
        Reasons.FILE_SYSTEM_RESIZE_FAILED,
        "MountVolume.NodeExpandVolume failed for volume \"%s\" requested read-only file system"
            .formatted(want.spec()));
  }
}
