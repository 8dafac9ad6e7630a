package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.Core;
import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What a server does whose heap is full (API-145): it refuses what grows, and lives.
class HeapRoomTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  private long used;
  private long kept;
  private long spare;
  private int collections;

  private final HeapRoom room =
      new HeapRoom(
          new HeapRoom.Heap() {
            @Override
            public long used() {
              return used;
            }

            @Override
            public long most() {
              return 1_000;
            }

            @Override
            public void collect() {
              collections++;
              used = kept;
            }

            @Override
            public void letGo() {
              kept -= spare;
              spare = 0;
            }
          });

  @Test
  void garbageIsNoReasonToRefuse() {
    used = 900;
    kept = 400;
    assertThat(room.full(NOON)).isEmpty();
    assertThat(collections).isEqualTo(1);
  }

  @Test
  void whatIsKeptIs() {
    used = kept = 900;
    assertThat(room.full(NOON)).get().asString().contains("memory is full");
    assertThat(room.full(NOON)).isPresent();
    assertThat(collections).as("not at every write").isEqualTo(2);
    kept = 100;
    assertThat(room.full(NOON.plusSeconds(3))).isEmpty();
  }

  /// States of which somebody may want another page refuse nobody's write.
  @Test
  void whatCanBeHadAgainGoesFirst() {
    used = kept = 900;
    spare = 300;
    assertThat(room.full(NOON)).isEmpty();
    assertThat(collections).isEqualTo(2);
  }

  @Test
  void onlyWhatNeedsNoRoomIsStored() throws Exception {
    var ids = new Ids(new Random(1));
    var store = new MemoryStore();
    var publication =
        new Publication(Core.prepare(store.load(), NOON, ids).state(), Optional.empty());
    var commits = new Commits(store, room, publication, () -> NOON, ids);
    assertThat(answer(commits, create("a"))).isInstanceOf(Answer.Created.class);
    used = kept = 900;
    var refused = (Answer.Refused) answer(commits, create("b"));
    assertThat(refused.refusal().code()).isEqualTo(507);
    assertThat(refused.refusal().message()).contains("memory is full", "-Xmx");
    assertThat(commits.trouble()).isPresent();
    kept = 100;
    var key = ObjectKey.of("default", "a");
    var gone =
        answer(commits, new Request.Delete(Resources.CONFIG_MAPS, key, DeleteOptions.DEFAULT));
    assertThat(gone).isNotInstanceOf(Answer.Refused.class);
    used = 100;
    assertThat(answer(commits, create("b"))).isInstanceOf(Answer.Created.class);
    assertThat(commits.trouble()).isEmpty();
  }

  /// API-137: what fills the heap may be events, and those that are old go though it is full:
  /// behind more young ones than a piece looks at, too.
  @Test
  void oldEventsGoThoughItIsFull() throws Exception {
    var ids = new Ids(new Random(1));
    var store = new MemoryStore();
    var publication =
        new Publication(Core.prepare(store.load(), NOON, ids).state(), Optional.empty());
    var clock = new AtomicReference<>(NOON);
    var commits = new Commits(store, room, publication, clock::get, ids);
    answer(commits, event("z-old"));
    clock.set(NOON.plus(Duration.ofMinutes(59)));
    for (int i = 0; i < 600; i++) answer(commits, event("a-young-" + i));
    used = kept = 900;
    clock.set(NOON.plus(Duration.ofMinutes(62)));
    assertThat(answer(commits, create("a"))).isInstanceOf(Answer.Refused.class);
    assertThat(publication.state().list(Resources.EVENTS))
        .hasSize(600)
        .noneMatch(event -> event.key().name().equals("z-old"));
  }

  private static Request.Write event(String name) {
    var event =
        World.yaml("{metadata: {name: %s}, involvedObject: {namespace: default}}".formatted(name));
    return new Request.Create(Resources.EVENTS, "default", event);
  }

  private static Request.Write create(String name) {
    var map = World.yaml("{metadata: {name: %s}}".formatted(name));
    return new Request.Create(Resources.CONFIG_MAPS, "default", map);
  }

  private static Answer answer(Commits commits, Request.Write write) throws Exception {
    var pending = new Pending(write, "");
    commits.commit(List.of(pending));
    return pending.await();
  }
}
