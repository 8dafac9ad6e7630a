package dev.berth.node.volume.state;

import dev.berth.kube.value.Quantity;
import java.util.Optional;

/// What this node knows of how large a volume that is mounted here is.
///
/// @param here what its claim had when it came here, or what it has been made large since; empty:
///   not known
/// @param refused size to which the driver does not make it grow while it is in use; it is not
///   asked for that again as long as the volume is mounted here (RSZ-73); empty: none
public record Size(Optional<Quantity> here, Optional<Quantity> refused) {
  public static final Size UNKNOWN = new Size(Optional.empty(), Optional.empty());

  /// The volume came here so large, unless that is known better.
  public Size came(Quantity size) {
    return here.isPresent() ? this : new Size(Optional.of(size), refused);
  }

  /// It has been made so large.
  public Size grown(Quantity size) {
    return new Size(Optional.of(size), Optional.empty());
  }

  public Size refuse(Quantity size) {
    return new Size(here, Optional.of(size));
  }

  /// It is not mounted here any more: whoever mounts it next may ask for what was refused.
  public Size unmounted() {
    return new Size(here, Optional.empty());
  }

  /// Whether it has not followed yet.
  public boolean isBelow(Quantity size) {
    return here.filter(it -> it.compareTo(size) < 0).isPresent();
  }
}
