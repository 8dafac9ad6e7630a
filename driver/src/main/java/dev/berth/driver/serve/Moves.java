package dev.berth.driver.serve;

import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.serve.InFlight.Hold;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which volumes are coming to nodes and leaving them just now, so that calls for several nodes can
/// run at the same time and yet never two of them decide that one volume is theirs (CON-01,
/// CTL-03).
///
/// A wish is noted first and the storage is read afterwards, without a lock over both: whatever
/// stands in the wish's way either is noted here, or has ended and is in what is read.
final class Moves {
  private sealed interface Move {
    /// It comes to a node, in a way that may exclude others.
    record Coming(Publication wish) implements Move {}

    /// It leaves a node. How it was there only the storage knows.
    record Leaving() implements Move {}
  }

  /// By volume, then by node. Of one volume on one node there is one call at a time (InFlight).
  private final Map<String, Map<String, Move>> moves = new HashMap<>();

  /// Notes that a volume is coming.
  ///
  /// @throws Refusal BUSY if it is coming to another node in a way that excludes this one
  synchronized Hold come(String volumeId, Publication wish) {
    for (var move : moves.getOrDefault(volumeId, Map.of()).values())
      if (move instanceof Move.Coming(var other) && other.objection(volumeId, wish).isPresent())
        throw Refusal.busy(
            "volume %s is being published on %s; ask again when that has ended"
                .formatted(volumeId, other.nodeId()));
    return note(volumeId, wish.nodeId(), new Move.Coming(wish));
  }

  /// Notes that a volume is leaving.
  synchronized Hold leave(String volumeId, String nodeId) {
    return note(volumeId, nodeId, new Move.Leaving());
  }

  private Hold note(String volumeId, String nodeId, Move move) {
    moves.computeIfAbsent(volumeId, _ -> new HashMap<>()).put(nodeId, move);
    return () -> forget(volumeId, nodeId);
  }

  private synchronized void forget(String volumeId, String nodeId) {
    moves.computeIfPresent(
        volumeId,
        (_, nodes) -> {
          nodes.remove(nodeId);
          return nodes.isEmpty() ? null : nodes;
        });
  }

  /// Whether a noted wish can come true beside what the storage says.
  ///
  /// @param there read after the wish was noted
  /// @throws Refusal WRONG_STATE if the volume is elsewhere in a way that excludes this one; BUSY
  ///   if it is leaving a node, and nobody knows any more how it was there
  synchronized void checkBeside(String volumeId, List<Publication> there, Publication wish) {
    for (var other : there) {
      if (other.nodeId().equals(wish.nodeId())) continue;
      var objection = other.objection(volumeId, wish);
      if (objection.isPresent()) throw Refusal.wrongState(objection.get());
    }
    for (var move : moves.getOrDefault(volumeId, Map.of()).entrySet())
      if (move.getValue() instanceof Move.Leaving
          && there.stream().noneMatch(it -> it.nodeId().equals(move.getKey())))
        throw Refusal.busy(
            "volume %s is just leaving %s; ask again when it has"
                .formatted(volumeId, move.getKey()));
  }
}
