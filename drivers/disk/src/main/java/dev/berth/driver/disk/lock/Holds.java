package dev.berth.driver.disk.lock;

import dev.berth.driver.disk.lock.PoolLocks.Hold;
import dev.berth.driver.model.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// What somebody may have for himself in a pool, among all services and processes that use it: each
/// is a lock with a name.
public final class Holds implements AutoCloseable {
  /// In the pool's folder.
  public static final String FILE = "lock";

  static final String CONTROL = "control";

  /// A pool is made in no time; whoever takes longer has been stopped.
  private static final Duration MAKING = Duration.ofSeconds(10);

  /// To set them, or to unmount.
  private static final Duration LIMITING = Duration.ofSeconds(10);

  /// To copy what a volume holds, where the file system of the pool cannot share it.
  private static final Duration CUTTING = Duration.ofMinutes(2);

  private final PoolLocks locks;

  public Holds(Path pool) throws IOException {
    locks = new PoolLocks(pool.resolve(FILE));
  }

  /// Control over the pool; empty: another process has it.
  public Optional<Hold> tryControl() {
    return locks.tryHold(CONTROL);
  }

  /// The making of the pool's id; empty: somebody else takes too long for it.
  public Optional<Hold> awaitMaking() {
    return locks.await("the pool's id", MAKING);
  }

  /// A node, for its agent; empty: another process is it.
  public Optional<Hold> tryNode(String nodeId) {
    return locks.tryHold("node " + nodeId);
  }

  /// A volume or a snapshot.
  ///
  /// @throws Refusal BUSY
  public Hold volume(String volumeId) {
    return locks.hold(volumeLock(volumeId));
  }

  /// [#volume]; empty: somebody else has it.
  public Optional<Hold> tryVolume(String volumeId) {
    return locks.tryHold(volumeLock(volumeId));
  }

  /// Keeps a volume as it is: none begins to use it, none ends, none removes it. Beside others who
  /// do so too (CON-01).
  ///
  /// @throws Refusal BUSY if somebody has it for himself
  public Hold shareVolume(String volumeId) {
    return locks.share(volumeLock(volumeId));
  }

  /// A name, so that two services do not each make something of it.
  ///
  /// @param kind what has the name, such as `volume`
  /// @throws Refusal BUSY
  public Hold name(String kind, String name) {
    return locks.hold("%s named %s".formatted(kind, name));
  }

  /// The stopping of a volume's file system. Waits for who has it: a cut ends.
  ///
  /// @throws Refusal BUSY if it does not soon enough
  public Hold frozen(String volumeId) {
    return locks
        .await(frozenLock(volumeId), CUTTING)
        .orElseThrow(
            () -> Refusal.busy("volume %s is just being copied; ask again".formatted(volumeId)));
  }

  /// [#frozen] at once; empty: somebody else has it.
  public Optional<Hold> tryFrozen(String volumeId) {
    return locks.tryHold(frozenLock(volumeId));
  }

  /// Keeps a volume published on a node, or keeps it away from there. Other nodes go on with it.
  ///
  /// @throws Refusal BUSY
  public Hold attachment(String volumeId, String nodeId) {
    return locks.hold("volume %s on node %s".formatted(volumeId, nodeId));
  }

  /// A volume on its device and its limits as they are, for whoever sets them there. Waits, as that
  /// is done soon.
  ///
  /// @throws Refusal BUSY if it is not
  public Hold limits(String volumeId) {
    return awaitLimits(volumeId)
        .orElseThrow(() ->
            Refusal.busy("volume %s is just leaving its device; ask again".formatted(volumeId)));
  }

  /// [#limits]; empty: somebody else still has them.
  public Optional<Hold> awaitLimits(String volumeId) {
    return locks.await(limitsLock(volumeId), LIMITING);
  }

  /// [#limits] at once; empty: somebody else has them.
  public Optional<Hold> tryLimits(String volumeId) {
    return locks.tryHold(limitsLock(volumeId));
  }

  static String volumeLock(String id) {
    return "volume " + id;
  }

  static String frozenLock(String id) {
    return volumeLock("frozen " + id);
  }

  private static String limitsLock(String id) {
    return "limits of volume " + id;
  }

  @Override
  public void close() throws IOException {
    locks.close();
  }
}
