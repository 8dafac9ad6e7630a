package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.ledger.Ledger;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// Which volumes are published on which nodes.
public final class Attachments {
  static final String KEY = "attachment/";

  /// Volumes share locks: there is no telling when one is not needed any more.
  private static final int DECISIONS = 256;

  private final Ledger ledger;
  private final Map<String, Lock> counting = new ConcurrentHashMap<>();
  private final List<Lock> deciding =
      Stream.<Lock>generate(ReentrantLock::new).limit(DECISIONS).toList();

  Attachments(Ledger ledger) {
    this.ledger = ledger;
  }

  public List<Publication> of(String volumeId) {
    return StreamSupport.stream(ledger.after(KEY + volumeId + "/", "").spliterator(), false)
        .map(Attachments::publication)
        .toList();
  }

  public Optional<Publication> of(String volumeId, String nodeId) {
    return ledger.get(key(volumeId, nodeId)).map(Attachments::publication);
  }

  /// How many volumes a node has.
  public long count(String nodeId) {
    return StreamSupport.stream(ledger.after(KEY, "").spliterator(), false)
        .filter(values -> nodeId.equals(values.get("node")))
        .count();
  }

  /// Held by who counts a node's volumes and adds one. It keeps out the threads of this process; no
  /// other one changes attachments while this controls the pool.
  public Lock counting(String nodeId) {
    return counting.computeIfAbsent(nodeId, _ -> new ReentrantLock());
  }

  /// Held by who decides whether a volume may come to a node, or go for good, and writes that down.
  /// Several services of this process may control the pool together, each with order only among its
  /// own calls. Taken before [#counting].
  public Lock deciding(String volumeId) {
    return deciding.get(Math.floorMod(volumeId.hashCode(), DECISIONS));
  }

  public void put(String volumeId, Publication publication) {
    ledger.put(key(volumeId, publication.nodeId()), values(publication));
  }

  public void remove(String volumeId, String nodeId) {
    var key = key(volumeId, nodeId);
    if (ledger.get(key).isPresent()) ledger.remove(key);
  }

  private static String key(String volumeId, String nodeId) {
    return KEY + volumeId + "/" + nodeId;
  }

  private static Map<String, String> values(Publication publication) {
    return Map.of(
        "node", publication.nodeId(),
        "usage", UsageText.of(publication.usage()),
        "readonly", Boolean.toString(publication.readOnly()));
  }

  private static Publication publication(Map<String, String> values) {
    return new Publication(
        values.getOrDefault("node", ""),
        usage(values),
        Boolean.parseBoolean(values.get("readonly")),
        Map.of());
  }

  private static Usage usage(Map<String, String> values) {
    return UsageText.parse(values.getOrDefault("usage", ""));
  }
}
