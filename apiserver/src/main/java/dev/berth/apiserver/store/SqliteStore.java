package dev.berth.apiserver.store;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resource;
import dev.berth.kube.model.Resources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;

/// Keeps objects in an SQLite database: one row an object, found by the revision at which it was
/// created, so that new rows come last and no second index is needed (STORE-01).
///
/// Only one process at a time has the database open. A commit that failed is rolled back and leaves
/// the connection as it was.
public final class SqliteStore implements Store {
  private static final Logger log = LoggerFactory.getLogger(SqliteStore.class);
  private static final int SCHEMA = 1;

  /// The write-ahead log is written back at this many pages: seldom enough that its fsyncs do not
  /// count, and small enough that a start reads it at once.
  private static final int CHECKPOINT_PAGES = 2000;

  /// And has room for so many, since a commit may come on top.
  private static final int LOG_PAGES = 2 * CHECKPOINT_PAGES;

  /// A disk that was full has room again when it has this much.
  private static final long ENOUGH = 4 << 20;

  /// In this order: the lock for one process first, or SQLite makes a file to share with others,
  /// for which a full disk has no room. Nor is there to be one for temporary things.
  private static final List<String> SETTINGS =
      List.of(
          "locking_mode = EXCLUSIVE",
          "journal_mode = WAL",
          "synchronous = FULL",
          "temp_store = MEMORY",
          "wal_autocheckpoint = " + CHECKPOINT_PAGES);

  private final Path file;
  private final Connection connection;
  private final long pageSize;
  private final Reserve reserve;
  private @Nullable Transaction transaction;

  private SqliteStore(Path file, Connection connection) throws SQLException, IOException {
    this.file = file;
    this.connection = connection;
    this.pageSize = pragma(connection, "page_size");
    this.reserve = Reserve.of(file, pageSize, LOG_PAGES);
    keepSlack();
  }

  /// Opens the store in `folder`, which is created if need be and readable only by its owner, since
  /// Secrets are in it.
  public static SqliteStore open(Path folder) throws StoreException {
    var file = folder.resolve("objects.db");
    try {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new StoreException("cannot create " + folder + ": " + e, e);
    }
    NativeLibrary.unpack(folder.resolve("native"));
    try {
      return open(file, connect(file));
    } catch (SQLException e) {
      throw failure("open", file, e);
    }
  }

  private static SqliteStore open(Path file, Connection connection)
      throws SQLException, StoreException {
    try {
      return new SqliteStore(file, connection);
    } catch (IOException e) {
      connection.close();
      throw new StoreException("cannot open " + file + ": " + e, e);
    }
  }

  private static Connection connect(Path file) throws SQLException, StoreException {
    var config = new SQLiteConfig();
    config.setBusyTimeout(0);
    var connection = config.createConnection("jdbc:sqlite:" + file);
    try {
      for (var setting : SETTINGS) set(connection, setting);
      createSchema(file, connection);
      return connection;
    } catch (SQLException | StoreException e) {
      connection.close();
      throw e;
    }
  }

  private static void set(Connection connection, String setting) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("PRAGMA " + setting);
    }
  }

  private static void createSchema(Path file, Connection connection)
      throws SQLException, StoreException {
    try (var statement = connection.createStatement()) {
      int schema = statement.executeQuery("PRAGMA user_version").getInt(1);
      if (schema > SCHEMA)
        throw new StoreException(
            "%s was written by a newer Berth (schema %d, this one knows %d); start that one"
                .formatted(file, schema, SCHEMA));
      if (schema == SCHEMA) return;
      statement.executeUpdate("BEGIN IMMEDIATE");
      statement.executeUpdate(
          "CREATE TABLE object (id INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
              + " namespace TEXT NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL,"
              + " json BLOB NOT NULL)");
      statement.executeUpdate("CREATE TABLE head (revision INTEGER NOT NULL)");
      statement.executeUpdate("INSERT INTO head (revision) VALUES (0)");
      statement.executeUpdate("PRAGMA user_version = " + SCHEMA);
      statement.executeUpdate("COMMIT");
    }
  }

  @Override
  public State load() throws StoreException {
    try (var statement = connection.createStatement()) {
      long revision = statement.executeQuery("SELECT revision FROM head").getLong(1);
      return State.of(revision, resolved(readAll()));
    } catch (SQLException e) {
      throw failure("read", file, e);
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

  private Map<String, SortedMap<ObjectKey, Stored>> readAll() throws SQLException {
    var objects = new HashMap<String, SortedMap<ObjectKey, Stored>>();
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT id, kind, namespace, name, revision, json FROM object")) {
      while (rows.next()) {
        var key = ObjectKey.of(rows.getString(3), rows.getString(4));
        objects
            .computeIfAbsent(rows.getString(2), _ -> new TreeMap<>())
            .put(key, Stored.ofJson(key, rows.getLong(1), rows.getLong(5), rows.getBytes(6)));
      }
    }
    return objects;
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
      reserve.take(used(), growth);
      return Optional.empty();
    } catch (IOException full) {
      return Optional.of(full(full));
    } catch (SQLException e) {
      return Optional.of(String.valueOf(failure("look into", file, e).getMessage()));
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
    return pageSize * pragma(connection, "page_count");
  }

  private static long pragma(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("PRAGMA " + name)) {
      return rows.getLong(1);
    }
  }

  @Override
  public void commit(long revision, List<Written> written) throws StoreException {
    try {
      if (transaction == null) transaction = new Transaction(connection);
      transaction.commit(revision, written);
      keepSlack();
    } catch (SQLException e) {
      transaction = null; // the driver's statements do not survive a failure
      throw failure("write to", file, e);
    }
  }

  /// Reads the whole database (STORE-02).
  ///
  /// @throws StoreException if it is damaged
  public void check() throws StoreException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("PRAGMA integrity_check")) {
      var finding = rows.getString(1);
      if (!finding.equals("ok")) throw damaged(file, finding, null);
    } catch (SQLException e) {
      throw failure("check", file, e);
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
    try {
      connection.close();
    } catch (SQLException e) {
      log.warn("{} did not close; the next start reads its log", file, e);
    }
    reserve.close();
  }

  /// `volumeattachments.storage.k8s.io`: an object stays the same in another version of its group.
  static String kind(Resource resource) {
    return resource.group().isEmpty()
        ? resource.plural()
        : resource.plural() + "." + resource.group();
  }

  private static StoreException failure(String what, Path file, SQLException e) {
    return switch (e.getErrorCode() & 0xff) {
      case 5 -> new StoreException(file + " is in use by another process; stop that one first", e);
      case 11, 26 -> damaged(file, String.valueOf(e.getMessage()), e);
      case 13 ->
          new StoreException("cannot " + what + " " + file + ": the disk is full; make room", e);
      default -> new StoreException("cannot " + what + " " + file + ": " + e.getMessage(), e);
    };
  }

  private static StoreException damaged(Path file, String finding, @Nullable SQLException e) {
    var message =
        "%s is damaged (%s); put a backup in its place, or move it away to start empty"
            .formatted(file, finding);
    return e == null ? new StoreException(message) : new StoreException(message, e);
  }
}
