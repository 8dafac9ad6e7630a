package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.file.FolderSync;
import dev.berth.driver.disk.file.Folders;
import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.driver.disk.file.StateFile;
import dev.berth.driver.disk.file.StateFile.Survives;
import dev.berth.driver.disk.image.Freeing;
import dev.berth.driver.disk.image.Images;
import dev.berth.driver.disk.ledger.Ledger;
import dev.berth.driver.disk.lock.Holds;
import dev.berth.driver.disk.lock.PoolLocks.Hold;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A folder with volumes. All drivers of a process that use one folder share one object, as they
/// share its locks.
public final class Pool implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Pool.class);
  static final String KIND = "pool 1";

  static final String ID = "pool";
  static final String LEDGER = "ledger";
  static final String NODES = "nodes";

  /// For files that no entry tells of, though one may have been lost.
  static final String LOST = "lost";

  static final List<String> FOLDERS = List.of("volumes", "snapshots", NODES, "frozen");
  private static final List<String> PARTS =
      Stream.concat(FOLDERS.stream(), Stream.of(ID, Holds.FILE, LEDGER, LEDGER + ".end", LOST))
          .toList();

  /// The pools that this process has open, by their true paths.
  private static final Map<Path, Pool> OPEN = new HashMap<>();

  private final Path folder;
  private final String id;
  private final Holds holds;

  /// Device and inode of the lock file that is open.
  private final Object identity;

  private final Ledger ledger;
  private final Freeing freeing = new Freeing();
  private final VolumeStore volumes;
  private final SnapshotStore snapshots;
  private final Attachments attachments;
  private final Nodes nodes;
  private final Promises promises = new Promises();
  private @Nullable Hold control;
  private @Nullable Boolean copiesAtOnce;
  private volatile Optional<String> damage = Optional.empty();
  private int users;

  private Pool(Path folder) throws IOException {
    this.folder = folder;
    OwnerOnly.close(folder, PARTS);
    for (var part : FOLDERS) OwnerOnly.makeFolder(folder.resolve(part));
    holds = new Holds(folder);
    identity = lockFile().orElseThrow(() -> new IOException("pool %s is gone".formatted(folder)));
    id = readOrMakeId();
    ledger = new Ledger(folder.resolve(LEDGER), new FolderSync(folder), this::holdsFiles);
    volumes = new VolumeStore(folder.resolve("volumes"), ledger, freeing);
    snapshots = new SnapshotStore(folder.resolve("snapshots"), ledger, freeing);
    attachments = new Attachments(ledger);
    nodes = new Nodes(folder.resolve(NODES), holds);
    damage = findDamage();
    damage.ifPresent(log::error);
  }

  /// Opens a pool, and makes it if the folder is new. Close it as often as it was opened.
  ///
  /// @throws IOException if the folder can be no pool ([PoolPlace]), or cannot be written to
  public static Pool open(Path folder) throws IOException {
    var why = PoolPlace.whyNot(folder);
    if (why.isPresent()) throw new IOException(why.get());
    PoolPlace.make(folder);
    var path = folder.toRealPath();
    synchronized (OPEN) {
      var pool = OPEN.get(path);
      if (pool == null) {
        pool = new Pool(path);
        OPEN.put(path, pool);
      }
      pool.users++;
      return pool;
    }
  }

  @Override
  public void close() {
    synchronized (OPEN) {
      if (--users > 0) return;
      OPEN.remove(folder);
      freeing.await();
      try {
        ledger.close();
        holds.close();
      } catch (IOException e) {
        log.warn("cannot close {}: {}", folder, e.getMessage());
      }
    }
  }

  /// The nodes of a new pool begin at the same time, and one of them makes it.
  private String readOrMakeId() throws IOException {
    var file = folder.resolve(ID);
    var known = readId(file);
    if (known.isPresent()) return known.get();
    try (var _ =
        holds
            .awaitMaking()
            .orElseThrow(
                () -> new IOException("another process is just making the pool " + folder))) {
      var made = readId(file);
      return made.isPresent() ? made.get() : makeId(file);
    }
  }

  private static Optional<String> readId(Path file) {
    return StateFile.read(file, KIND).map(values -> values.getOrDefault("id", ""));
  }

  private String makeId(Path file) {
    var fresh = UUID.randomUUID().toString();
    StateFile.write(file, KIND, Map.of("id", fresh), Survives.POWER);
    new FolderSync(folder).sync();
    return fresh;
  }

  public Path folder() {
    return folder;
  }

  public String id() {
    return id;
  }

  /// The zone of a node that names none: all nodes with the same first pool are in one.
  public String zone() {
    return "pool-" + id.substring(0, 8);
  }

  public VolumeStore volumes() {
    return volumes;
  }

  public SnapshotStore snapshots() {
    return snapshots;
  }

  public Attachments attachments() {
    return attachments;
  }

  public Nodes nodes() {
    return nodes;
  }

  /// Whether its folder still shows what was opened: not when its disk has been unmounted, or
  /// another one mounted over it. Backing files are found by their paths, the ledger and the locks
  /// are open files: with one on this disk and the other on that, volumes would belong to nobody.
  /// Nodes go on regardless: what they have mounted they can take down.
  public boolean isThere() {
    return lockFile().filter(identity::equals).isPresent();
  }

  private Optional<Object> lockFile() {
    try {
      return Optional.ofNullable(
          Files.readAttributes(
                  folder.resolve(Holds.FILE), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  /// @throws Refusal WRONG_STATE if it is not
  private void requireThere() {
    if (!isThere())
      throw Refusal.wrongState(
          "pool %s is not what it was when this driver started: its disk was unmounted, or another"
                  .formatted(folder)
              + " one mounted over it; mount what belongs there and start the driver anew");
  }

  /// What somebody may have for himself in it.
  public Holds holds() {
    return holds;
  }

  /// Makes this process the one that may change volumes. What an earlier one left unfinished is
  /// cleaned up by that.
  ///
  /// @throws Refusal ASK_AGAIN while another process is; WRONG_STATE if the pool is not there
  public synchronized void control() {
    requireThere();
    if (control != null) return;
    control =
        holds
            .tryControl()
            .orElseThrow(() ->
                new Refusal(
                    Refusal.Reason.ASK_AGAIN,
                    "another process controls pool %s; it has to end first".formatted(folder)));
    try {
      ledger.open();
      sweep();
      if (!ledger.isVouchedFor()) ledger.vouch();
      volumes.endGrowth();
      promises.begin(volumes.after("").mapToLong(VolumeRecord::capacityBytes).sum());
    } catch (IOException e) {
      letGo(control);
      throw new UncheckedIOException("cannot control pool " + folder + ": " + e.getMessage(), e);
    } catch (StateFile.DamagedException e) {
      letGo(control);
      damage = Optional.of(String.valueOf(e.getMessage()));
      throw e.refusal();
    } catch (RuntimeException e) {
      letGo(control);
      throw e;
    }
  }

  private void letGo(Hold taken) {
    try (taken) {
      control = null;
      ledger.close();
    } catch (IOException e) {
      log.warn("cannot close the ledger of {}: {}", folder, e.getMessage());
    }
  }

  /// What is wrong with the pool's ledger, and the mend; empty: nothing, or it has been mended.
  public Optional<String> findDamage() {
    try {
      ledger.check();
      return Optional.empty();
    } catch (StateFile.DamagedException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return Optional.of("cannot read the ledger of %s: %s".formatted(folder, e.getMessage()));
    }
  }

  /// [#findDamage] of a pool that was damaged when somebody looked last.
  public Optional<String> damage() {
    if (damage.isPresent()) damage = findDamage();
    return damage;
  }

  /// Without its ledger everything in it would look like nobody's, and be swept away.
  private boolean holdsFiles() {
    return Stream.of("volumes", "snapshots")
        .anyMatch(part -> !Folders.names(folder.resolve(part)).isEmpty());
  }

  /// Who takes away what belongs to nobody has to know that nothing of the ledger is lost.
  private void sweep() throws IOException {
    var unknown =
        ledger.isVouchedFor() ? Optional.<Path>empty() : Optional.of(folder.resolve(LOST));
    var swept = new HashSet<>(volumes.sweep(unknown));
    swept.addAll(snapshots.sweep(unknown));
    if (unknown.isPresent() && !swept.isEmpty())
      log.warn(
          "pool {}: no entry of the ledger tells of {}; they are in {} now: look what they hold,"
              + " then remove them",
          folder,
          swept,
          unknown.get());
    else if (!swept.isEmpty()) log.info("pool {}: removed unfinished {}", folder, swept);
    try (var files = Files.newDirectoryStream(folder, "{*.tmp,reflink-probe*}")) {
      for (var file : files) Files.deleteIfExists(file);
    }
  }

  /// Whether copies of backing files are of one moment, also while they are written to.
  public synchronized boolean copiesAtOnce() {
    if (copiesAtOnce == null) copiesAtOnce = Images.copiesAtOnce(folder);
    return copiesAtOnce;
  }

  public Promises promises() {
    return promises;
  }

  /// How full the file system is on which the pool stands. What was removed takes no room in it.
  public Usage usage() {
    return usage(Long.MAX_VALUE);
  }

  /// [#usage], sooner if nobody cares for more than `enough` bytes available: then what was removed
  /// may take room yet.
  public Usage usage(long enough) {
    var freed = freeing.isDone();
    var now = Usage.onThisThread(folder);
    if (freed || now.available() >= enough) return now;
    freeing.await();
    return Usage.onThisThread(folder);
  }
}
