package dev.berth.apiserver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every store does. A subclass says how to open one, and to open it again.
abstract class StoreContract {
  static final Resource CLASSES = Resources.STORAGE_CLASSES;
  static final ObjectKey FAST = ObjectKey.cluster("fast");

  final World world = new World();
  Store store;

  /// Opens the test's store; what an earlier one has kept is in it.
  abstract Store open() throws StoreException;

  @BeforeEach
  void openFirst() throws StoreException {
    store = open();
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aNewStoreIsEmpty() throws StoreException {
    var state = store.load();
    assertThat(state.revision()).isZero();
    assertThat(state.list(CLASSES)).isEmpty();
  }

  @Test
  void whatWasCommittedIsThereAgain() throws StoreException {
    create("fast");
    create("slow");
    commit();
    var state = reopened();
    assertThat(state.list(CLASSES)).hasSize(2);
    var before = world.state().get(CLASSES, FAST).orElseThrow();
    var after = state.get(CLASSES, FAST).orElseThrow();
    assertThat(after.object()).isEqualTo(before.object());
    assertThat(after.revision()).isEqualTo(before.revision());
    assertThat(after.created()).isEqualTo(before.created());
    assertThat(state.revision()).isEqualTo(world.state().revision());
  }

  @Test
  void aChangedObjectIsThereOnceAndAsItIs() throws StoreException {
    create("fast");
    commit();
    world.ask(
        new Request.Change(
            CLASSES,
            FAST,
            Request.Part.MAIN,
            Patch.merge(World.yaml("{allowVolumeExpansion: true}"))));
    commit();
    var state = reopened();
    assertThat(state.list(CLASSES)).hasSize(1);
    assertThat(state.get(CLASSES, FAST).orElseThrow().object().path("allowVolumeExpansion"))
        .hasToString("true");
  }

  @Test
  void aRemovedObjectIsGoneButItsRevisionIsNotUsedAgain() throws StoreException {
    create("fast");
    commit();
    delete("fast");
    commit();
    var state = reopened();
    assertThat(state.list(CLASSES)).isEmpty();
    assertThat(state.revision()).isEqualTo(world.state().revision());
  }

  @Test
  void anObjectThatCameAndWentAndCameInOneCommitIsThere() throws StoreException {
    create("fast");
    delete("fast");
    create("fast");
    commit();
    var state = reopened();
    assertThat(state.list(CLASSES)).hasSize(1);
    assertThat(state.get(CLASSES, FAST).orElseThrow().uid())
        .isEqualTo(world.state().get(CLASSES, FAST).orElseThrow().uid());
  }

  final void create(String name) {
    world.ask(
        new Request.Create(
            CLASSES,
            "",
            World.yaml("{metadata: {name: %s}, provisioner: disk.berth.dev}".formatted(name))));
  }

  private void delete(String name) {
    world.ask(new Request.Delete(CLASSES, ObjectKey.cluster(name), DeleteOptions.DEFAULT));
  }

  /// Commits all that the world has written since the last time.
  final void commit() throws StoreException {
    var written = List.<Written>copyOf(world.written());
    world.written().clear();
    store.commit(world.state().revision(), written);
  }

  final State reopened() throws StoreException {
    store.close();
    store = open();
    return store.load();
  }
}
