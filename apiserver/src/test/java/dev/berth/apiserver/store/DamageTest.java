package dev.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.kube.object.Resources;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A store that is not what was stored is never served: the start says what is wrong with it, and
/// what to do (STORE-02).
class DamageTest {
  private static final int PAGE = 4096;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void storeSomething() throws StoreException {
    file = folder.resolve("objects.db");
    var world = new World();
    for (int i = 0; i < 200; i++)
      world.ask(
          new Request.Create(
              Resources.STORAGE_CLASSES,
              "",
              World.yaml(
                  "{metadata: {name: class-%d}, provisioner: disk.berth.dev}".formatted(i))));
    try (var store = SqliteStore.open(folder)) {
      store.commit(world.state().revision(), List.copyOf(world.written()));
    }
  }

  @Test
  void aWholeStoreIsRead() throws StoreException {
    try (var store = SqliteStore.open(folder)) {
      store.check();
      assertThat(store.load().list(Resources.STORAGE_CLASSES)).hasSize(200);
    }
  }

  @Test
  void aPageThatIsNoPage() throws Exception {
    try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(3 * PAGE);
      bytes.write(new byte[PAGE]);
    }
    isRefused("is damaged: its pages are not what they were");
  }

  @Test
  void aLetterThatHasChanged() throws Exception {
    var text = Files.readString(file, StandardCharsets.ISO_8859_1);
    int at = text.indexOf("disk.berth.dev", text.indexOf("class-77"));
    try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(at);
      bytes.write('r'); // it is still a text, of another driver
    }
    isRefused("storageclasses.storage.k8s.io class-", "is not what was stored");
  }

  @Test
  void aFileThatIsCutOff() throws Exception {
    cut(5 * PAGE);
    isRefused("is damaged: its pages are not what they were, or some are missing");
  }

  @Test
  void anEmptyFile() throws Exception {
    cut(0);
    isRefused("is damaged: the file is empty");
  }

  @Test
  void aHeadThatIsGone() throws Exception {
    cut(0);
    Files.write(file, new byte[2 * PAGE]);
    isRefused("is damaged: it does not begin as a database does");
  }

  @Test
  void aRevisionThatWentBack() throws Exception {
    change(file, "UPDATE head SET revision = 7");
    isRefused("is damaged: it knows of writes up to 7 and has one of ");
  }

  @Test
  void anotherProgramsDatabase() throws Exception {
    Files.delete(file);
    change(file, "CREATE TABLE object (id INTEGER PRIMARY KEY)");
    assertThatThrownBy(this::start)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is a database, but not a store of Berth's");
  }

  @Test
  void aStoreOfALaterBerth() throws Exception {
    change(file, "PRAGMA user_version = 9");
    assertThatThrownBy(this::start)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("was written by a newer Berth (schema 9");
  }

  /// Its rows are as good as ever, and have a checksum once they change.
  @Test
  void aStoreOfTheFirstVersionIsTakenOver() throws Exception {
    change(
        file,
        "ALTER TABLE object DROP COLUMN checksum; PRAGMA application_id = 0; PRAGMA user_version ="
            + " 1");
    aWholeStoreIsRead();
  }

  @Test
  void oneThatIsMovedAwayIsFollowedByAnEmptyOne() throws Exception {
    Files.delete(file);
    try (var store = SqliteStore.open(folder)) {
      assertThat(store.load().revision()).isZero();
    }
  }

  private void start() throws StoreException {
    try (var store = SqliteStore.open(folder)) {
      store.load();
    }
  }

  private void isRefused(String... words) {
    assertThatThrownBy(this::start)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContainingAll(words)
        .hasMessageContaining("put a backup in its place with `berth restore --replace`");
  }

  private void cut(long length) throws IOException {
    try (var bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(length);
    }
  }

  private static void change(Path database, String commands) throws SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database);
        var statement = connection.createStatement()) {
      for (var command : commands.split("; ", -1)) statement.executeUpdate(command);
    }
  }
}
