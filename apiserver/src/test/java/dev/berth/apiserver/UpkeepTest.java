package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Written;
import dev.berth.apiserver.store.FullableStore;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A large namespace goes by itself, while others write (API-89).
class UpkeepTest {
  private static final int OBJECTS = 1_500;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ObjectKey MINE = ObjectKey.cluster("mine");

  private final Disk disk = new Disk();
  private EmbeddedApiServer server;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(disk);
    ask(new Request.Create(Resources.NAMESPACES, "", World.yaml("{metadata: {name: mine}}")));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void itIsEmptiedInPieces() throws Exception {
    for (int i = 0; i < OBJECTS; i++) createMap(i);
    disk.largest.set(0);
    delete();
    await().atMost(PATIENCE).until(this::isGone);
    assertThat(disk.largest).hasValueBetween(100, 300);
  }

  @Test
  void itIsEmptiedThoughTheDiskWasFullMeanwhile() throws Exception {
    for (int i = 0; i < OBJECTS; i++) createMap(i);
    disk.fullAfter.set(3);
    delete();
    await().atMost(PATIENCE).until(() -> server.trouble().isPresent());
    assertThat(isGone()).isFalse();
    disk.store.makeRoom();
    await().atMost(PATIENCE).until(this::isGone);
  }

  @Test
  void aServerThatStartsAnewGoesOn() throws Exception {
    for (int i = 0; i < OBJECTS; i++) createMap(i);
    disk.fullAfter.set(2);
    delete();
    await().atMost(PATIENCE).until(() -> server.trouble().isPresent());
    server.close();
    disk.store.makeRoom();
    server = EmbeddedApiServer.start(disk);
    await().atMost(PATIENCE).until(this::isGone);
  }

  @Test
  void itSaysWhatIsLeftAsItGoes() throws Exception {
    for (var name : List.of("one", "two")) {
      var claim = World.claim(name);
      claim.withObject("metadata").put("namespace", "mine");
      ask(new Request.Create(Resources.CLAIMS, "mine", claim));
    }
    delete();
    assertThat(said()).contains("has 2 resource instances");
    ask(
        new Request.Change(
            Resources.CLAIMS,
            ObjectKey.of("mine", "one"),
            Request.Part.MAIN,
            Patch.merge(World.yaml("{metadata: {finalizers: null}}"))));
    await().atMost(PATIENCE).until(() -> said().contains("has 1 resource instances"));
  }

  private void createMap(int i) throws InterruptedException {
    var map = World.yaml("{metadata: {name: map-%d}}".formatted(i));
    ask(new Request.Create(Resources.CONFIG_MAPS, "mine", map));
  }

  private void delete() throws InterruptedException {
    ask(new Request.Delete(Resources.NAMESPACES, MINE, DeleteOptions.DEFAULT));
  }

  private void ask(Request request) throws InterruptedException {
    assertThat(server.handle(request)).isNotInstanceOf(Answer.Refused.class);
  }

  private boolean isGone() throws InterruptedException {
    return server.handle(new Request.Get(Resources.NAMESPACES, MINE, "")) instanceof Answer.Refused;
  }

  private String said() throws InterruptedException {
    return server.handle(new Request.Get(Resources.NAMESPACES, MINE, ""))
            instanceof Answer.Single(var namespace)
        ? namespace.object().path("status").path("conditions").toString()
        : "";
  }

  /// Knows how large commits are, and can be full after some.
  private static final class Disk implements Store {
    private final FullableStore store = new FullableStore();
    private final AtomicInteger largest = new AtomicInteger();
    private final AtomicInteger fullAfter = new AtomicInteger(-1);

    @Override
    public State load() {
      return store.load();
    }

    @Override
    public void commit(long revision, List<Written> written) throws StoreException {
      if (fullAfter.getAndDecrement() == 0) store.fill();
      store.commit(revision, written);
      largest.accumulateAndGet(written.size(), Math::max);
    }

    @Override
    public void close() {}
  }
}
