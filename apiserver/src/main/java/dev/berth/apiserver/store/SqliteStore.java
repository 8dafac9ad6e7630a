package dev.berth.apiserver.store;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps objects in an SQLite database: one row an object, found by the revision at which it was
/// created, so that new rows come last and no second index is needed (STORE-01).
///
/// Only one process at a time has the database open. A commit that failed is rolled back and leaves
/// the connection as it was.
public final class SqliteStore implements Store {
  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);

  /// A disk that was full has room again when it has this much.
  private static final long ENOUGH = 4 << 20;

  private final Path file;
  private final Connection connection;
  private final long pageSize;
  private final Reserve reserve;
  private @Nullable Transaction transaction;

  private SqliteStore(Path file, Connection connection) throws SQLException, IOException {
    this.file = file;
    this.connection = connection;
    this.pageSize = Database.pragma(connection, "page_size");
    this.reserve = Reserve.of(file, pageSize, Database.LOG_PAGES);
    keepSlack();
  }

  /// Opens the store in `folder`, which is created if need be and readable only by its owner, since
  /// Secrets are in it.
  public static SqliteStore open(Path folder) throws StoreException {
    var file = file(folder);
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new StoreException("cannot create " + folder + ": " + e, e);
    }
    NativeLibrary.unpack(folder.resolve("native"));
    return open(file, Database.open(file));
  }

  /// The database of the store in `folder`.
  public static Path file(Path folder) {
    return folder.resolve("objects.db");
  }

  private static SqliteStore open(Path file, Connection connection) throws StoreException {
    try {
      return new SqliteStore(file, connection);
    } catch (IOException e) {
      close(file, connection);
      throw new StoreException("cannot open " + file + ": " + e, e);
    } catch (SQLException e) {
      close(file, connection);
      throw Damage.failure("open", file, e);
    }
  }

  private static void close(Path file, Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      log.warn("{} did not close; the next start reads its log", file, e);
    }
  }

  @Override
  public State load() throws StoreException {
    long revision = revision();
    return State.of(revision, resolved(readAll(revision)));
  }

  /// Of the last commit.
  public long revision() throws StoreException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("SELECT revision FROM head")) {
      if (rows.next()) return rows.getLong(1);
      throw Damage.of(file, "it does not know its last write");
    } catch (SQLException e) {
      throw Damage.failure("read", file, e);
    }
  }

  /// The definitions among them say what the custom ones are.
  private Map<Resource, SortedMap<ObjectKey, Stored>> resolved(
      Map<String, SortedMap<ObjectKey, Stored>> read) {
    var definitions = read.getOrDefault(kind(Resources.DEFINITIONS), new TreeMap<>());
    var objects = new HashMap<Resource, SortedMap<ObjectKey, Stored>>();
    var known = new HashSet<String>();
    for (var resource : Kinds.of(definitions.values()).stored()) {
      known.add(kind(resource));
      if (read.containsKey(kind(resource))) objects.put(resource, read.get(kind(resource)));
    }
    for (var name : read.keySet())
      if (!known.contains(name))
        log.warn("{} has objects of an unknown kind, {}; they stay", file, name);
    return objects;
  }

  private Map<String, SortedMap<ObjectKey, Stored>> readAll(long revision) throws StoreException {
    var objects = new HashMap<String, SortedMap<ObjectKey, Stored>>();
    var latest = new LongSummaryStatistics();
    forEach((kind, object) -> {
      latest.accept(object.revision());
      objects.computeIfAbsent(kind, _ -> new TreeMap<>()).put(object.key(), object);
    });
    if (latest.getMax() > revision)
      throw Damage.of(
          file,
          "it knows of writes up to %d and has one of %d".formatted(revision, latest.getMax()));
    return objects;
  }

  /// Hands out every object, with the name of its kind as [#kind] makes it, in the order in which
  /// they were created.
  ///
  /// @throws StoreException if one is not what was stored
  public void forEach(BiConsumer<String, Stored> each) throws StoreException {
    var checksum = new Checksum();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT id, kind, namespace, name, revision, json, checksum FROM object"
                    + " ORDER BY id")) {
      while (rows.next()) {
        var kind = rows.getString(2);
        var key = ObjectKey.of(rows.getString(3), rows.getString(4));
        var object = Stored.ofJson(key, rows.getLong(1), rows.getLong(5), rows.getBytes(6));
        long expected = rows.getLong(7);
        if (!rows.wasNull() && checksum.of(kind, object) != expected)
          throw Damage.of(file, "%s %s is not what was stored".formatted(kind, key));
        each.accept(kind, object);
      }
    } catch (SQLException e) {
      throw Damage.failure("read", file, e);
    }
  }

  @Override
  public Optional<Path> folder() {
    return Optional.of(file.toAbsolutePath().resolveSibling(""));
  }

  @Override
  public Optional<String> makeRoomFor(List<Written> written) {
    long growth = Growth.of(written);
    return growth == 0 ? Optional.empty() : makeRoom(growth);
  }

  @Override
  public Optional<String> full() {
    return makeRoom(ENOUGH);
  }

  private Optional<String> makeRoom(long growth) {
    try {
      return takeOrFree(growth);
    } catch (SQLException e) {
      return Optional.of(String.valueOf(Damage.failure("look into", file, e).getMessage()));
    }
  }

  /// On a full disk what deletions left free is filled: the file does not grow by that.
  private Optional<String> takeOrFree(long growth) throws SQLException {
    try {
      reserve.take(used(), growth);
      return Optional.empty();
    } catch (IOException full) {
      long free = pageSize * Database.pragma(connection, "freelist_count");
      return growth + Reserve.SLACK <= free ? Optional.empty() : Optional.of(full(full));
    }
  }

  private String full(IOException why) {
    return "the disk that holds %s gives no more room (%s). Deletions are still carried out: delete objects that nobody needs, or make room on that disk"
        .formatted(file, why.getMessage());
  }

  /// A checkpoint may have cut it off. What cannot be had now is asked for again.
  private void keepSlack() throws SQLException {
    try {
      reserve.take(used(), 0);
    } catch (IOException full) {
      log.debug("{} has no slack", file, full);
    }
  }

  private long used() throws SQLException {
    return pageSize * Database.pragma(connection, "page_count");
  }

  @Override
  public void commit(long revision, List<Written> written) throws StoreException {
    try {
      if (transaction == null) transaction = new Transaction(connection);
      transaction.commit(revision, written);
      keepSlack();
    } catch (SQLException e) {
      transaction = null; // the driver's statements do not survive a failure
      throw Damage.failure("write to", file, e);
    }
  }

  /// Reads the whole database (STORE-02).
  ///
  /// @throws StoreException if it is damaged
  public void check() throws StoreException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("PRAGMA integrity_check")) {
      var finding = rows.getString(1);
      if (!finding.equals("ok")) throw Damage.of(file, finding);
    } catch (SQLException e) {
      throw Damage.failure("check", file, e);
    }
  }

  /// For tests: lets the database grow to no more than `pages`.
  void limit(long pages) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("PRAGMA max_page_count = " + pages);
    }
  }

  @Override
  public void close() {
    reserve.holdLog();
    close(file, connection);
    reserve.close();
  }

  /// `volumeattachments.storage.k8s.io`: an object stays the same in another version of its group.
  public static String kind(Resource resource) {
    return resource.group().isEmpty()
        ? resource.plural()
        : resource.plural() + "." + resource.group();
  }
}
