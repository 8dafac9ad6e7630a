package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.NodeVolume.Target;
import dev.berth.driver.model.Refusal;
import java.util.List;

/// Whether a volume may come to one more path of a node (NOD-03, NOD-13 to NOD-15).
final class PublishRules {
  /// @param present where the volume is already
  /// @return whether it is there already, as wanted
  /// @throws Refusal if it must not come there
  static boolean isDone(List<Target> present, Target wanted) {
    for (var target : present)
      if (target.path().equals(wanted.path())) {
        if (target.usage().isSameAs(wanted.usage()) && target.readOnly() == wanted.readOnly())
          return true;
        throw Refusal.existsDifferently(
            "%s shows the volume as %s, readonly %s; unpublish it first"
                .formatted(target.path(), target.usage(), target.readOnly()));
      }
    for (var target : present) checkBeside(target, wanted);
    return false;
  }

  private static void checkBeside(Target other, Target wanted) {
    if (!wanted.usage().mode().severalPaths())
      throw Refusal.wrongState(
          "the volume is published at %s and %s allows one path; unpublish it there first"
              .formatted(other.path(), wanted.usage().mode()));
    if (!other.usage().isSameAs(wanted.usage()))
      throw Refusal.wrongState(
          "the volume is published at %s as %s; here it can only be the same"
              .formatted(other.path(), other.usage()));
    if (wanted.usage().block() && other.readOnly() != wanted.readOnly())
      throw Refusal.wrongState(
          "the device is %s at %s; both paths show one device"
              .formatted(other.readOnly() ? "read-only" : "writable", other.path()));
  }

  private PublishRules() {}
}
