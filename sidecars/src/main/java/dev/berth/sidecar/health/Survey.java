package dev.berth.sidecar.health;

import dev.berth.kube.fact.Topic;
import dev.berth.kube.loop.Shards;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.health.Report;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// What is known of a driver's volumes, and what of it has been told. Of this process and
/// connection alone: whoever begins anew learns it anew.
///
/// @param volumes by handle
/// @param walked when the last walk through all volumes ended, well or not; empty: none has
/// @param walks how many have ended well
/// @param failedWalk when the last walk failed, if no walk has ended well since
/// @param recalled whether the events of those before us have been looked up
/// @param told of which claims, by uid, it has been told that they are abnormal, and how; without
///   words: by those before us
/// @param unknown of which claims, by uid, it has been told what was not understood
/// @param nodes of which nodes it has been told that they failed, by name, and to which claims
/// @param unready since when nodes have been seen not to be ready, by name (HM-05)
/// @param dropped when the server dropped what was written (VH-16); empty: it never did
record Survey(
    Shards<Sighting> volumes,
    Optional<Instant> walked,
    int walks,
    Optional<Instant> failedWalk,
    boolean recalled,
    Map<String, Optional<String>> told,
    Map<String, List<String>> unknown,
    Map<String, Set<ObjectKey>> nodes,
    Map<String, Instant> unready,
    Optional<Instant> dropped) {
  static final Survey BEGUN =
      new Survey(
          Shards.empty(),
          Optional.empty(),
          0,
          Optional.empty(),
          false,
          Map.of(),
          Map.of(),
          Map.of(),
          Map.of(),
          Optional.empty());

  static final Topic<Survey> TOPIC = new Topic<>("volume health", BEGUN);

  Survey {
    told = Map.copyOf(told);
    unknown = Map.copyOf(unknown);
    nodes = Map.copyOf(nodes);
    unready = Map.copyOf(unready);
  }

  Sighting of(String handle) {
    return volumes.get(handle).orElse(Sighting.NONE);
  }

  /// @param uids of claims with an event that may be told of as over
  Survey recalling(Set<String> uids) {
    return new Survey(
        volumes,
        walked,
        walks,
        failedWalk,
        true,
        uids.stream().collect(Collectors.toMap(uid -> uid, _ -> Optional.empty())),
        unknown,
        nodes,
        unready,
        dropped);
  }

  /// After a walk that showed all volumes. Those that it did not show stay as they were: whether
  /// they are well is in doubt (VH-12).
  Survey walked(Map<String, Report> seen, Instant now) {
    return walked(seen, now, walks + 1, Optional.empty());
  }

  /// After a walk that did not come to its end: what it showed holds.
  Survey failed(Map<String, Report> seen, Instant now) {
    return walked(seen, now, walks, Optional.of(now));
  }

  private Survey walked(
      Map<String, Report> seen, Instant now, int walksNow, Optional<Instant> failedNow) {
    var after = volumes;
    for (var each : seen.entrySet())
      after =
          after.with(
              each.getKey(),
              new Sighting(Optional.of(each.getValue()), of(each.getKey()).asked(), walksNow));
    return new Survey(
        after,
        Optional.of(now),
        walksNow,
        failedNow,
        recalled,
        told,
        unknown,
        nodes,
        unready,
        dropped);
  }

  /// @param report empty: the driver did not answer, which says nothing
  Survey asked(String handle, Optional<Report> report, Instant now) {
    var before = of(handle);
    var after =
        new Sighting(
            report.or(before::report),
            Optional.of(now),
            report.isPresent() ? walks : before.shownIn());
    return new Survey(
        volumes.with(handle, after),
        walked,
        walks,
        failedWalk,
        recalled,
        told,
        unknown,
        nodes,
        unready,
        dropped);
  }

  /// @param message empty: it has been told that the claim is well again
  Survey telling(String uid, Optional<String> message) {
    var now = new HashMap<>(told);
    message.ifPresentOrElse(_ -> now.put(uid, message), () -> now.remove(uid));
    return new Survey(
        volumes, walked, walks, failedWalk, recalled, now, unknown, nodes, unready, dropped);
  }

  Survey tellingUnknown(String uid, List<String> conditions) {
    var now = new HashMap<>(unknown);
    now.put(uid, conditions);
    return new Survey(
        volumes, walked, walks, failedWalk, recalled, told, now, nodes, unready, dropped);
  }

  /// @param claims empty: the node is well again
  Survey tellingOfNode(String node, Set<ObjectKey> claims) {
    var now = new HashMap<>(nodes);
    if (claims.isEmpty()) now.remove(node);
    else now.put(node, Set.copyOf(claims));
    return new Survey(
        volumes, walked, walks, failedWalk, recalled, told, unknown, now, unready, dropped);
  }

  /// @param since empty: it is ready
  Survey unready(String node, Optional<Instant> since) {
    var now = new HashMap<>(unready);
    since.ifPresentOrElse(it -> now.put(node, it), () -> now.remove(node));
    return new Survey(
        volumes, walked, walks, failedWalk, recalled, told, unknown, nodes, now, dropped);
  }

  Survey dropping(Optional<Instant> when) {
    return new Survey(
        volumes, walked, walks, failedWalk, recalled, told, unknown, nodes, unready, when);
  }
}
