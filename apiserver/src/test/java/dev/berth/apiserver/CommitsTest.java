package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.store.FullableStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What happens when the disk fails (STORE-03), and at the end.
class CommitsTest {
  private final FullableStore disk = new FullableStore();
  private EmbeddedApiServer server;

  @BeforeEach
  void start() throws StoreException {
    server = EmbeddedApiServer.start(disk);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aWriteThatIsNotStoredHasNotHappened() throws Exception {
    create("a");
    long before = server.revision();
    var watch =
        (WatchAnswer.Streaming)
            server.watch(
                new WatchRequest(
                    Resources.CONFIG_MAPS, "", ListOptions.ALL.from(Long.toString(before))));
    disk.fill();
    var refusal = ((Answer.Refused) create("b")).refusal();
    assertThat(refusal.code()).isEqualTo(503);
    assertThat(refusal.message()).isEqualTo("the write was not stored: the disk is full");
    assertThat(server.trouble()).contains("the disk is full");
    assertThat(server.revision()).isEqualTo(before);
    assertThat(get("b")).isInstanceOf(Answer.Refused.class);
    assertThat(get("a")).as("reads go on").isInstanceOf(Answer.Single.class);
    assertThat(watch.stream().poll()).isEmpty();
  }

  @Test
  void theFirstWriteThatIsStoredEndsIt() throws Exception {
    disk.fill();
    create("a");
    disk.makeRoom();
    assertThat(create("a")).isInstanceOf(Answer.Created.class);
    assertThat(server.trouble()).isEmpty();
  }

  @Test
  void afterTheEndNothingIsTaken() throws Exception {
    server.close();
    assertThat(((Answer.Refused) create("a")).refusal().message())
        .isEqualTo("the write was not stored: the server is stopping");
  }

  private Answer create(String name) throws InterruptedException {
    var map = World.yaml("{metadata: {name: %s}}".formatted(name));
    return server.handle(new Request.Create(Resources.CONFIG_MAPS, "default", map));
  }

  private Answer get(String name) throws InterruptedException {
    return server.handle(new Request.Get(Resources.CONFIG_MAPS, ObjectKey.of("default", name), ""));
  }
}
