package dev.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.apiserver.core.state.Written;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  @Test
  void onlyItsOwnerReadsIt() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("api"))))
        .isEqualTo("rwx------");
  }
}
