package dev.berth.sidecar.provisioner;

import dev.berth.kube.model.Claim;
import dev.berth.kube.time.Time;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Claims that this node has taken and given back for want of room: other nodes come first, and
/// each time for longer (PROV-152). Whoever has given a claim back would be the first to see that
/// it is free.
final class GivenBack {
  private final Time time;
  private final Optional<Taking> taking;
  private final Map<String, Back> byUid = new ConcurrentHashMap<>();

  /// @param again when this node may take it again
  /// @param times how often it has been given back
  private record Back(Instant again, int times) {}

  GivenBack(Time time, Optional<Taking> taking) {
    this.time = time;
    this.taking = taking;
  }

  void note(Claim claim) {
    if (taking.isEmpty()) return;
    var now = time.now();
    var max = taking.get().max();
    byUid.values().removeIf(back -> back.again().plus(max).isBefore(now));
    byUid.compute(
        claim.meta().uid(),
        (_, before) -> {
          int times = before == null ? 0 : before.times();
          return new Back(now.plus(taking.get().after(times)), times + 1);
        });
  }

  /// @throws LeftToOthers if it is not this node's turn
  void check(Claim claim, String node) {
    var back = byUid.get(claim.meta().uid());
    if (back != null && time.now().isBefore(back.again()))
      throw new LeftToOthers(
          "node %s had no room for claim %s: others may take it first, until %s"
              .formatted(node, claim.meta().key(), back.again()));
  }

  /// A claim that is free is not taken here for now.
  static final class LeftToOthers extends RuntimeException {
    private static final long serialVersionUID = 1;

    LeftToOthers(String why) {
      super(why);
    }
  }
}
