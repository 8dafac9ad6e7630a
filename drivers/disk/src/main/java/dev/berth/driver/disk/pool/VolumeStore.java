package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.file.FolderSync;
import dev.berth.driver.disk.file.Folders;
import dev.berth.driver.disk.file.Ids;
import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.driver.disk.image.Freeing;
import dev.berth.driver.disk.ledger.Ledger;
import dev.berth.driver.disk.ledger.Parsed;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.Space;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The volumes of a pool: a record and a backing file each.
public final class VolumeStore {
  private static final Logger log = LoggerFactory.getLogger(VolumeStore.class);

  static final String KEY = "volume/";
  private static final String IMAGE = ".img";

  /// More threads at once in one folder only wait for each other, some of them by spinning.
  private static final int MAKERS = 4;

  /// Volumes share locks, which are held while a record is written: it is read for that before.
  private static final int CHANGES = 256;

  /// Their journals bring changes to disk in the order in which they were made, whatever is synced.
  private static final Set<String> KEEP_ORDER = Set.of("ext4", "xfs");

  private final Path folder;
  private final Ledger ledger;
  private final Freeing freeing;
  private final FolderSync sync;
  private final boolean keepsOrder;
  private final Parsed<VolumeRecord> records = new Parsed<>("id", VolumeRecord::of);
  private final Semaphore makers = new Semaphore(MAKERS);
  private final List<Lock> changing =
      Stream.<Lock>generate(ReentrantLock::new).limit(CHANGES).toList();

  VolumeStore(Path folder, Ledger ledger, Freeing freeing) {
    this.folder = folder;
    this.ledger = ledger;
    this.freeing = freeing;
    this.sync = new FolderSync(folder);
    this.keepsOrder = KEEP_ORDER.contains(typeOf(folder));
  }

  private static String typeOf(Path folder) {
    try {
      return Files.getFileStore(folder).type();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look at " + folder + ": " + e.getMessage(), e);
    }
  }

  public Optional<VolumeRecord> named(String name) {
    return read(Ids.hash(name)).filter(record -> record.recipe().name().equals(name));
  }

  public Optional<VolumeRecord> find(String id) {
    return Ids.hashIn(id).flatMap(this::read).filter(record -> record.id().equals(id));
  }

  /// In the order of the ids, which is that of the hashes in them.
  ///
  /// @param after only those with a greater id
  public Stream<VolumeRecord> after(String after) {
    var hash = Ids.hashIn(after).orElse("");
    return StreamSupport.stream(ledger.after(KEY, KEY + hash).spliterator(), false)
        .map(records::of);
  }

  /// The backing file.
  public Path image(String id) {
    return folder.resolve(Ids.fileName(id) + IMAGE);
  }

  /// Where the backing file is formatted, before it takes the place of the one without a file
  /// system.
  public static Path formatting(Path image) {
    return image.resolveSibling(image.getFileName() + ".new");
  }

  /// An id for a volume of this name that does not exist yet.
  public String freshId(String name) {
    return Ids.fresh("vol", name);
  }

  /// Makes the backing file, one large hole. It is on disk once a record that is put later is.
  public void makeImage(String id, long bytes) {
    makers.acquireUninterruptibly();
    try {
      OwnerOnly.makeFile(image(id));
      setLength(image(id), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + image(id) + ": " + e.getMessage(), e);
    } finally {
      makers.release();
    }
  }

  /// Makes the backing file larger; never smaller.
  public void growImage(String id, long bytes) {
    var image = image(id);
    if (image.toFile().length() < bytes) setLength(image, bytes);
  }

  private void setLength(Path image, long bytes) {
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(bytes);
      if (!keepsOrder) file.getChannel().force(true);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot set the size of " + image + ": " + e.getMessage(), e);
    }
  }

  /// Puts the record on disk, and with it the volume into being. The caller has its name
  /// ([Pools#holdName]).
  public void add(VolumeRecord record) {
    var changing = changing(record.id());
    changing.lock();
    try {
      put(record);
    } finally {
      changing.unlock();
    }
  }

  /// Puts a record in the place of the one that is there: what others have changed in it stays.
  ///
  /// @throws Refusal NOT_FOUND if there is none any more
  public VolumeRecord change(String id, UnaryOperator<VolumeRecord> change) {
    var changing = changing(id);
    changing.lock();
    try {
      var before = find(id).orElseThrow(() -> Refusal.noSuchVolume(id));
      var after = change.apply(before);
      if (!after.equals(before)) put(after);
      return after;
    } finally {
      changing.unlock();
    }
  }

  private void put(VolumeRecord record) {
    var entry = Map.copyOf(record.values());
    ledger.put(key(record.id()), entry);
    records.keep(entry, record);
  }

  /// Removes first the record, so that what is left of a call that was cut off belongs to nobody.
  ///
  /// @return what the record was; empty: there was none
  public Optional<VolumeRecord> remove(String id) {
    var changing = changing(id);
    Optional<VolumeRecord> gone;
    changing.lock();
    try {
      // After a failed write only the ledger knows. There may be another one of this name.
      gone = ledger.known(key(id)).map(records::of).filter(record -> record.id().equals(id));
      if (gone.isPresent()) ledger.remove(key(id));
    } finally {
      changing.unlock();
    }
    freeing.remove(image(id));
    freeing.remove(formatting(image(id)));
    return gone;
  }

  private static String key(String id) {
    return KEY + Ids.hashIn(id).orElseThrow();
  }

  private Lock changing(String id) {
    return changing.get(Math.floorMod(id.hashCode(), CHANGES));
  }

  /// Puts names of files that were made or replaced on disk.
  public void sync() {
    sync.sync();
  }

  /// Removes what no record knows. Only for the one process that controls the pool, while no volume
  /// is being made.
  ///
  /// @param keep where it goes instead; empty: the ledger is whole, and it belongs to nobody
  Set<String> sweep(Optional<Path> keep) {
    var known = new HashSet<String>();
    after("").forEach(record -> known.add(record.id()));
    return Folders.sweep(folder, known, keep);
  }

  /// Ends growth that was cut off between backing file and record, as nobody may ask for it again:
  /// a device is as large as its file, and no snapshot would tell of what is written behind the
  /// recorded size (SMD-02). Only for the one process that controls the pool.
  void endGrowth() {
    for (var record : after("").toList()) {
      var size = image(record.id()).toFile().length();
      if (size <= record.capacityBytes()) continue;
      try {
        if (record.allocation() == Allocation.THICK) Space.reserve(image(record.id()), size);
        change(record.id(), it -> it.withCapacity(size));
      } catch (RuntimeException e) {
        log.warn("volume {} stays smaller than its file: {}", record.id(), e.getMessage());
      }
    }
  }

  private Optional<VolumeRecord> read(String hash) {
    return ledger.get(KEY + hash).map(records::of);
  }
}
