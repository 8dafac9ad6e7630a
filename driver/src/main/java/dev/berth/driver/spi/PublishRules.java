package dev.berth.driver.spi;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.NodePublishing.Place;
import dev.berth.driver.spi.NodePublishing.Publish;
import java.util.List;

/// Whether a volume may come to one more path of a node (NOD-03, NOD-13 to NOD-15).
final class PublishRules {
  static boolean isDone(Publish wanted, List<Place> places) {
    for (var place : places)
      if (place.target().equals(wanted.target())) {
        if (sameUsage(place, wanted) && place.readOnly() == wanted.readOnly()) return true;
        throw Refusal.existsDifferently(
            "%s shows the volume as %s; unpublish it first"
                .formatted(place.target(), place.words()));
      }
    for (var place : places) checkBeside(place, wanted);
    return false;
  }

  private static void checkBeside(Place other, Publish wanted) {
    if (!wanted.usage().mode().severalPaths())
      throw Refusal.wrongState(
          "the volume is published at %s and %s allows one path; unpublish it there first"
              .formatted(other.target(), wanted.usage().mode()));
    if (!sameUsage(other, wanted))
      throw Refusal.wrongState(
          "the volume is published at %s as %s; here it can only be the same"
              .formatted(other.target(), other.words()));
    if (wanted.usage().block() && other.readOnly() != wanted.readOnly())
      throw Refusal.wrongState(
          "the device is %s at %s; both paths show one device"
              .formatted(other.readOnly() ? "read-only" : "writable", other.target()));
  }

  private static boolean sameUsage(Place place, Publish wanted) {
    return place.usage().map(usage -> usage.isSameAs(wanted.usage())).orElse(true);
  }

  private PublishRules() {}
}
