package dev.berth.apiserver.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.sqlite.SQLiteConfig;

/// The database's file: made whole or not at all, opened only if it is one of ours and not damaged.
final class Database {
  /// Version 2 added a checksum to each row; rows of version 1 have none until they change.
  private static final int SCHEMA = 2;

  /// `BRTH`. Files of version 1 have none.
  private static final int OURS = 0x42525448;

  /// The write-ahead log is written back at this many pages: seldom enough that its fsyncs do not
  /// count, and small enough that a start reads it at once.
  private static final int CHECKPOINT_PAGES = 2000;

  /// And has room for so many, since a commit may come on top.
  static final int LOG_PAGES = 2 * CHECKPOINT_PAGES;

  /// In this order: the lock for one process first, or SQLite makes a file to share with others,
  /// for which a full disk has no room. Nor is there to be one for temporary things.
  private static final List<String> SETTINGS =
      List.of(
          "locking_mode = EXCLUSIVE",
          "journal_mode = WAL",
          "synchronous = FULL",
          "temp_store = MEMORY",
          "wal_autocheckpoint = " + CHECKPOINT_PAGES);

  private Database() {}

  /// Opens the database, which is made if there is no such file.
  ///
  /// @throws StoreException if it is another's, damaged, or in use
  static Connection open(Path file) throws StoreException {
    try {
      if (!Files.exists(file)) create(file);
      if (Files.size(file) == 0) throw Damage.of(file, "the file is empty");
      return connect(file);
    } catch (IOException e) {
      throw new StoreException("cannot open " + file + ": " + e, e);
    } catch (SQLException e) {
      throw Damage.failure("open", file, e);
    }
  }

  /// Under another name first: a database without its tables is then always a damaged one, and
  /// never one that was about to be made. The log of one that is gone goes too.
  private static void create(Path file) throws IOException, SQLException {
    var draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite:" + draft);
        var statement = connection.createStatement()) {
      statement.executeUpdate("BEGIN IMMEDIATE");
      statement.executeUpdate(
          "CREATE TABLE object (id INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
              + " namespace TEXT NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL,"
              + " json BLOB NOT NULL, checksum INTEGER)");
      statement.executeUpdate("CREATE TABLE head (revision INTEGER NOT NULL)");
      statement.executeUpdate("INSERT INTO head (revision) VALUES (0)");
      statement.executeUpdate("PRAGMA application_id = " + OURS);
      statement.executeUpdate("PRAGMA user_version = " + SCHEMA);
      statement.executeUpdate("COMMIT");
    }
    Files.deleteIfExists(file.resolveSibling(file.getFileName() + "-wal"));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    sync(file.toAbsolutePath().resolveSibling(""));
  }

  /// Makes what was renamed in a folder survive a loss of power.
  private static void sync(Path folder) throws IOException {
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Connection connect(Path file) throws SQLException, StoreException {
    var config = new SQLiteConfig();
    config.setBusyTimeout(0);
    var connection = config.createConnection("jdbc:sqlite:" + file);
    try {
      for (var setting : SETTINGS) set(connection, setting);
      checkSchema(file, connection);
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

  private static void checkSchema(Path file, Connection connection)
      throws SQLException, StoreException {
    long owner = pragma(connection, "application_id");
    long schema = pragma(connection, "user_version");
    if (owner != OURS && (owner != 0 || schema != 1 || !hasTables(connection)))
      throw new StoreException(
          "%s is a database, but not a store of Berth's; move it away, or choose another folder"
              .formatted(file));
    if (schema > SCHEMA)
      throw new StoreException(
          "%s was written by a newer Berth (schema %d, this one knows %d); start that one"
              .formatted(file, schema, SCHEMA));
    if (schema < SCHEMA) addChecksums(connection);
  }

  private static boolean hasTables(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "SELECT count(*) FROM sqlite_schema WHERE name IN ('object', 'head')")) {
      return rows.getInt(1) == 2;
    }
  }

  private static void addChecksums(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.executeUpdate("BEGIN IMMEDIATE");
      statement.executeUpdate("ALTER TABLE object ADD COLUMN checksum INTEGER");
      statement.executeUpdate("PRAGMA application_id = " + OURS);
      statement.executeUpdate("PRAGMA user_version = " + SCHEMA);
      statement.executeUpdate("COMMIT");
    }
  }

  static long pragma(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery("PRAGMA " + name)) {
      return rows.getLong(1);
    }
  }
}
