package dev.berth.apiserver.store;

import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.object.Resource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The statements of a commit, prepared once for many.
final class Transaction {
  private static final Logger log = LoggerFactory.getLogger(Transaction.class);

  private final Connection connection;
  private final PreparedStatement put;
  private final PreparedStatement remove;
  private final PreparedStatement head;
  private final Checksum checksum = new Checksum();

  Transaction(Connection connection) throws SQLException {
    this.connection = connection;
    this.put =
        connection.prepareStatement(
            "INSERT OR REPLACE INTO object (id, kind, namespace, name, revision, json, checksum)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.remove = connection.prepareStatement("DELETE FROM object WHERE id = ?");
    this.head = connection.prepareStatement("UPDATE head SET revision = ?");
  }

  /// Writes everything or nothing. However it ends, the transaction has ended too: one that stayed
  /// open would refuse all that come after it.
  void commit(long revision, List<Written> written) throws SQLException {
    boolean committed = false;
    try {
      execute("BEGIN IMMEDIATE");
      for (var each : written) write(each);
      head.setLong(1, revision);
      head.executeUpdate();
      execute("COMMIT");
      committed = true;
    } finally {
      if (!committed) rollBack();
    }
  }

  /// Where the disk failed, SQLite has already rolled back by itself.
  private void rollBack() {
    try {
      execute("ROLLBACK");
    } catch (SQLException noTransaction) {
      log.debug("nothing to roll back", noTransaction);
    }
  }

  /// The driver's own transactions are switched off: they lose count when SQLite rolls back.
  private void execute(String command) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(command);
    }
  }

  private void write(Written each) throws SQLException {
    switch (each) {
      case Written.Put(var resource, _, var object) -> put(resource, object);
      case Written.Removed(_, var before, _) -> remove(before);
    }
  }

  private void put(Resource resource, Stored object) throws SQLException {
    var kind = SqliteStore.kind(resource);
    put.setLong(1, object.created());
    put.setString(2, kind);
    put.setString(3, object.key().namespace());
    put.setString(4, object.key().name());
    put.setLong(5, object.revision());
    put.setBytes(6, object.json());
    put.setLong(7, checksum.of(kind, object));
    put.executeUpdate();
  }

  private void remove(Stored object) throws SQLException {
    remove.setLong(1, object.created());
    remove.executeUpdate();
  }
}
