package dev.berth.apiserver.backup;

import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.object.Resource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Makes a store of a backup (API-145), of which every step can be the last: until the new store is
/// whole and was read back the old one stays in its place, then it is replaced at once.
public final class Restore {
  /// The server of the backup went on after it was taken. More writes a second than these it cannot
  /// have carried out, and this many more stand for clocks that differ.
  private static final long WRITES_A_SECOND = 10_000;

  private static final long AT_LEAST = 1_000_000_000;

  /// Objects in one commit.
  private static final int TOGETHER = 1_000;

  private final BackupFile backup;
  private final Path folder;
  private final Instant now;

  /// @param folder of the store, in which nobody has it open
  public Restore(BackupFile backup, Path folder, Instant now) {
    this.backup = backup;
    this.folder = folder;
    this.now = now;
  }

  /// What came of it.
  ///
  /// @param objects how many there are now
  /// @param revision from which the server goes on; none above the backup's was ever given out
  /// @param replaced where the store is now that was there before; empty: there was none
  public record Result(long objects, long revision, Optional<Path> replaced) {}

  /// Whether there is a store that would be replaced.
  public boolean replaces() {
    return Files.exists(SqliteStore.file(folder));
  }

  /// Checks the backup, makes a store of it, and puts that in the place of what is there.
  ///
  /// @throws BackupException if it is no whole backup; nothing has changed
  /// @throws StoreException if the store cannot be made; what was there is there
  public Result run() throws BackupException, StoreException {
    var summary = backup.check();
    long revision = Math.max(summary.revision(), revisionBefore()) + leap(summary);
    var draft = folder.resolve("restored");
    try {
      clear(draft);
      var written = fill(draft, revision, summary.objects());
      readBack(draft, written);
      return new Result(summary.objects(), revision, swap(draft));
    } catch (IOException e) {
      throw new StoreException("cannot restore into " + folder + ": " + e, e);
    }
  }

  private long leap(BackupFile.Summary summary) {
    long since = Math.max(0, Duration.between(summary.taken(), now).toSeconds());
    return AT_LEAST + WRITES_A_SECOND * since;
  }

  /// Of the store that is replaced; 0 if it is damaged or there is none.
  private long revisionBefore() {
    if (!replaces()) return 0;
    try (var store = SqliteStore.open(folder)) {
      return store.revision();
    } catch (StoreException damaged) {
      return 0; // the leap has to do
    }
  }

  private byte[] fill(Path draft, long revision, long objects)
      throws StoreException, BackupException {
    var digest = new Contents();
    try (var store = SqliteStore.open(draft)) {
      var batch = new ArrayList<Written>();
      backup.read((kind, object) -> {
        digest.add(kind, object);
        batch.add(new Written.Put(resource(kind), Optional.empty(), object));
        if (batch.size() == TOGETHER) commit(store, revision, batch);
      });
      commit(store, revision, batch);
    } catch (Unstored e) {
      throw e.why;
    }
    if (digest.objects.size() < objects)
      throw new BackupException(backup.path() + " is no backup: it has an object twice");
    return digest.sum();
  }

  private static void commit(SqliteStore store, long revision, List<Written> batch) {
    try {
      store.commit(revision, batch);
      batch.clear();
    } catch (StoreException e) {
      throw new Unstored(e);
    }
  }

  /// Takes a failure of the store through the reader of the backup.
  private static final class Unstored extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient StoreException why;

    Unstored(StoreException why) {
      super(why);
      this.why = why;
    }
  }

  /// All that a store needs to know of a kind is its name.
  private static Resource resource(String kind) {
    int dot = kind.indexOf('.');
    var plural = dot < 0 ? kind : kind.substring(0, dot);
    return new Resource(dot < 0 ? "" : kind.substring(dot + 1), "v1", plural, plural, true);
  }

  /// Opens what was written as a start does, and compares it whole.
  private static void readBack(Path draft, byte[] written) throws StoreException {
    var read = new Contents();
    try (var store = SqliteStore.open(draft)) {
      store.check();
      store.forEach(read::add);
      store.load();
    }
    if (!MessageDigest.isEqual(read.sum(), written))
      throw new StoreException(
          draft + " does not give back what was written to it; look for a failing disk");
  }

  /// The digest of all objects in the order in which they were created, which is the store's.
  private static final class Contents {
    private final SortedMap<Long, byte[]> objects = new TreeMap<>();

    void add(String kind, Stored object) {
      var digest = Digests.sha256();
      digest.update((kind + "\0" + object.key() + "\0").getBytes(StandardCharsets.UTF_8));
      digest.update(ByteBuffer.allocate(8).putLong(object.revision()).flip());
      digest.update(object.json());
      objects.put(object.created(), digest.digest());
    }

    byte[] sum() {
      var digest = Digests.sha256();
      objects.values().forEach(digest::update);
      return digest.digest();
    }
  }

  /// The old database gets another name first, with its log, which would otherwise be taken for the
  /// new one's.
  private Optional<Path> swap(Path draft) throws IOException {
    var file = SqliteStore.file(folder);
    Optional<Path> replaced = Optional.empty();
    if (replaces()) {
      var kept = file.resolveSibling("objects.before-" + now.toEpochMilli() + ".db");
      var log = log(file);
      if (Files.exists(log)) Files.createLink(log(kept), log);
      Files.createLink(kept, file);
      sync(folder);
      Files.deleteIfExists(log);
      replaced = Optional.of(kept);
    }
    Files.move(SqliteStore.file(draft), file, StandardCopyOption.ATOMIC_MOVE);
    sync(folder);
    clear(draft);
    return replaced;
  }

  private static Path log(Path database) {
    return database.resolveSibling(database.getFileName() + "-wal");
  }

  private static void sync(Path folder) throws IOException {
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /// Removes what an attempt before has left.
  private static void clear(Path draft) throws IOException {
    if (!Files.exists(draft)) return;
    try (var files = Files.walk(draft)) {
      for (var each : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(each);
    }
  }
}
