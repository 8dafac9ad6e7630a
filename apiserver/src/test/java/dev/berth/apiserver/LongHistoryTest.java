package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A kind that writes more than is kept of it in memory (API-63): who was away for less than five
/// minutes hears of all that it has missed.
class LongHistoryTest {
  private static final int WRITERS = 64;
  private static final int WRITES = 60;

  /// More than three times what is kept in memory, and more than may wait to be moved.
  private static final String FILLING = "x".repeat(8 * 1024);

  @TempDir private Path folder;

  private EmbeddedApiServer server;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(SqliteStore.open(folder.resolve("store")));
    for (int i = 0; i < WRITERS; i++) create("map-" + i);
    create("gone");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aWatchGoesOnFromWhereItWas() throws Exception {
    long then = server.revision();
    writeMuch();
    remove("gone");
    var stream = watch(ListOptions.ALL.from(Long.toString(then)));
    long seen = then;
    for (int i = 0; i < WRITERS * WRITES; i++) {
      var event = (WatchEvent.Modified) stream.next(Duration.ofSeconds(30)).orElseThrow();
      assertThat(event.object().revision()).isEqualTo(++seen);
    }
    var last = (WatchEvent.Deleted) stream.next(Duration.ofSeconds(30)).orElseThrow();
    assertThat(last.last().key().name()).isEqualTo("gone");
    assertThat(last.last().revision()).isEqualTo(server.revision());
    create("new");
    assertThat(stream.next(Duration.ofSeconds(30))).containsInstanceOf(WatchEvent.Added.class);
    stream.close();
  }

  /// Also one that is looked for in all that was written.
  @Test
  void aWatchOfOneObjectFindsIt() throws Exception {
    long then = server.revision();
    writeMuch();
    remove("gone");
    var options = ListOptions.ALL.selecting("", "metadata.name=gone").from(Long.toString(then));
    var stream = watch(options);
    assertThat(stream.next(Duration.ofSeconds(30))).containsInstanceOf(WatchEvent.Deleted.class);
    assertThat(stream.next(Duration.ofMillis(1))).isEmpty();
    assertThat(stream.bookmark().revision()).isEqualTo(server.revision());
    stream.close();
  }

  @Test
  void aListAtAnExactVersionIsWhatWasThere() throws Exception { // API-50
    long then = server.revision();
    writeMuch();
    remove("gone");
    var page = list(exactly(then));
    assertThat(page.revision()).isEqualTo(then);
    assertThat(page.items()).hasSize(WRITERS + 1);
    assertThat(page.items()).noneMatch(item -> item.object().path("data").has("filling"));
    var now = list(exactly(server.revision()));
    assertThat(now.items()).hasSize(WRITERS);
  }

  /// API-52: also one that begins in the past has pages of the past.
  @Test
  void pagesOfAnExactVersionAreAllOfIt() throws Exception {
    long then = server.revision();
    writeMuch();
    var names = new ArrayList<String>();
    var options = exactly(then).page(10, "");
    while (true) {
      var page = list(options);
      assertThat(page.revision()).isEqualTo(then);
      page.items().forEach(item -> names.add(item.key().name()));
      if (page.continueToken().isEmpty()) break;
      options = ListOptions.ALL.page(10, page.continueToken());
      remove("map-" + names.size());
    }
    assertThat(names).hasSize(WRITERS + 1).doesNotHaveDuplicates();
  }

  private void writeMuch() throws Exception {
    try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < WRITERS; i++) {
        var name = "map-" + i;
        writers.submit(() -> {
          for (int n = 0; n < WRITES; n++)
            merge(name, "{data: {filling: %s, n: '%d'}}".formatted(FILLING, n));
          return name;
        });
      }
    }
  }

  private WatchStream watch(ListOptions options) throws Exception {
    var answer =
        server.watch(new WatchRequest(Resources.CONFIG_MAPS, "default", options), () -> {});
    return ((WatchAnswer.Streaming) answer).stream();
  }

  private static ListOptions exactly(long revision) {
    var version = Long.toString(revision);
    return new ListOptions("", "", version, "Exact", 0, "", Optional.empty(), false);
  }

  private Answer.Page list(ListOptions options) throws Exception {
    var answer = server.handle(new Request.List(Resources.CONFIG_MAPS, "default", options));
    assertThat(answer).isInstanceOf(Answer.Page.class);
    return (Answer.Page) answer;
  }

  private void create(String name) throws Exception {
    var map = World.yaml("{metadata: {name: %s}}".formatted(name));
    server.handle(new Request.Create(Resources.CONFIG_MAPS, "default", map));
  }

  private void merge(String name, String patch) throws Exception {
    var change =
        new Request.Change(
            Resources.CONFIG_MAPS,
            ObjectKey.of("default", name),
            Request.Part.MAIN,
            new Patch(Patch.Type.MERGE, World.yaml(patch)));
    assertThat(server.handle(change)).isInstanceOf(Answer.Single.class);
  }

  private void remove(String name) throws Exception {
    server.handle(
        new Request.Delete(
            Resources.CONFIG_MAPS, ObjectKey.of("default", name), DeleteOptions.DEFAULT));
  }
}
