package dev.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;

class SqliteStoreTest extends StoreContract {
  @TempDir private Path folder;

  @Override
  SqliteStore open() throws StoreException {
    return SqliteStore.open(folder.resolve("api"));
  }

  @Test
  void aCommitThatFailsKeepsNothingAndTheNextOneMaySucceed() throws Exception {
    create("first");
    commit();
    ((SqliteStore) store).limit(1);
    for (int i = 0; i < 6_000; i++) create("class-" + i); // more than the slack in the file
    assertThatThrownBy(this::commit)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("the disk is full; make room");
    ((SqliteStore) store).limit(1 << 20);
    create("last");
    commit();
    assertThat(reopened().list(CLASSES))
        .extracting(stored -> stored.key().name())
        .containsExactly("first", "last");
  }

  @Test
  void aCommitThatMeetsADefectEndsItsTransaction() throws Exception {
    create("fast");
    var broken = new ArrayList<@Nullable Written>(world.written());
    broken.add(null);
    assertThatThrownBy(() -> store.commit(world.state().revision(), broken))
        .isInstanceOf(RuntimeException.class);
    commit();
    assertThat(reopened().list(CLASSES)).hasSize(1);
  }

  @Test
  void anObjectIsOneRowWhereItWasCreatedHoweverOftenItChanges() throws Exception { // STORE-01
    create("fast");
    create("slow");
    commit();
    for (var growth : List.of("true", "false")) {
      world.ask(
          new Request.Change(
              CLASSES,
              FAST,
              Request.Part.MAIN,
              Patch.merge(World.yaml("{allowVolumeExpansion: %s}".formatted(growth)))));
      commit();
    }
    var ids =
        Stream.of("fast", "slow")
            .map(name -> world.state().get(CLASSES, ObjectKey.cluster(name)).orElseThrow())
            .map(Stored::created)
            .toList();
    store.close();
    try (var connection =
            new SQLiteConfig()
                .createConnection("jdbc:sqlite:" + SqliteStore.file(folder.resolve("api")));
        var statement = connection.createStatement()) {
      var rows = new ArrayList<Long>();
      try (var all = statement.executeQuery("SELECT id FROM object ORDER BY rowid")) {
        while (all.next()) rows.add(all.getLong(1));
      }
      assertThat(rows).isEqualTo(ids);
      try (var indexes =
          statement.executeQuery("SELECT name FROM sqlite_master WHERE type = 'index'")) {
        assertThat(indexes.next()).as("a second index").isFalse();
      }
    }
  }

  /// Of whichever store this process has opened first (STORE-06).
  @Test
  void theNativeLibraryIsUnpackedOnceAndNotIntoTheTemporaryFolderAtEachStart() throws Exception {
    var home = System.getProperty("org.sqlite.lib.path");
    assertThat(home).matches(".*/native/[^/]+");
    SqliteStore.open(folder.resolve("other")).close();
    assertThat(System.getProperty("org.sqlite.lib.path")).isEqualTo(home);
    assertThat(folder.resolve("other/native")).as("unpacked once more").doesNotExist();
  }

  @Test
  void onlyOneProcessHasIt() {
    assertThatThrownBy(this::open)
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("in use by another process");
  }

  @Test
  void aWholeFileIsFoundWhole() throws Exception {
    create("fast");
    commit();
    ((SqliteStore) store).check();
  }

  /// API-143: what a checkpoint has to write back is bounded, and so is how long it holds a commit
  /// up; the log is as long at the end as it was at first, with the room that it has for deletions.
  @Test
  void theLogDoesNotGrowWithWhatIsWritten() throws Exception {
    var log = folder.resolve("api/objects.db-wal");
    long reserved = Files.size(log);
    for (int i = 0; i < 300; i++) {
      for (int n = 0; n < 20; n++) create("class-" + i + "-" + n);
      commit();
    }
    assertThat(Files.size(folder.resolve("api/objects.db"))).isGreaterThan(1 << 20);
    assertThat(Files.size(log)).isEqualTo(reserved);
    assertThat(reopened().list(CLASSES)).hasSize(6_000);
  }

  @Test
  void onlyItsOwnerReadsIt() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("api"))))
        .isEqualTo("rwx------");
  }
}
