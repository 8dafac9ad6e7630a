package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.Ids;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.ListOptions;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.core.message.Request.Part;
import dev.berth.apiserver.core.message.WatchEvent;
import dev.berth.apiserver.core.message.WatchRequest;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Watches (spec/apiserver.md, section 7), on a server in one thread.
class WatchTest {
  private static final String CURRENT = "0";

  private final MemoryStore store = new MemoryStore();
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private EmbeddedApiServer server;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.inOneThread(store, () -> now, new Ids(new Random(1)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /// API-143: nobody polls for it, and no time has to pass: a commit tells its watchers.
  @Test
  void aWriteWakesWhoWatchesItsKind() throws Exception {
    var woken = new AtomicInteger();
    var request = new WatchRequest(Resources.CONFIG_MAPS, "default", ListOptions.ALL);
    var stream = stream(server.watch(request, woken::incrementAndGet));
    assertThat(stream.poll()).isEmpty();
    create("a");
    assertThat(woken).hasValue(1);
    assertThat(shown(stream)).containsExactly("added a");
    assertThat(woken).as("nothing came since").hasValue(1);
  }

  @Test
  void aWatchFromARevisionShowsWhatCameAfterIt() throws Exception { // API-58
    create("a");
    long revision = server.revision();
    create("b");
    label("a", "x");
    delete("b");
    var stream = watch(ListOptions.ALL.from(Long.toString(revision)));
    assertThat(shown(stream)).containsExactly("added b", "modified a", "deleted b");
    create("c");
    assertThat(shown(stream)).containsExactly("added c");
  }

  @Test
  void aWatchWithoutRevisionBeginsWithWhatIsThere() throws Exception { // API-58
    create("a");
    create("b");
    var stream = watch(ListOptions.ALL);
    delete("a");
    assertThat(shown(stream)).containsExactly("added a", "added b", "deleted a");
    assertThat(shown(watch(ListOptions.ALL.from(CURRENT)))).containsExactly("added b");
  }

  /// API-64: what every informer of a new client-go starts with.
  @Test
  void initialEventsEndWithABookmark() throws Exception {
    create("a");
    var stream = watch(initialEvents(true));
    create("b");
    assertThat(stream.poll()).containsInstanceOf(WatchEvent.Added.class);
    assertThat(stream.poll()).contains(new WatchEvent.Bookmark(server.revision() - 1, true));
    assertThat(shown(stream)).containsExactly("added b");
  }

  @Test
  void withoutBookmarksInitialEventsHaveNoEnd() throws Exception {
    create("a");
    assertThat(shown(watch(initialEvents(false)))).containsExactly("added a");
  }

  @Test
  void aDeletionCarriesItsOwnRevision() throws Exception {
    create("a");
    var stream = watch(ListOptions.ALL.from(Long.toString(server.revision())));
    delete("a");
    var event = (WatchEvent.Deleted) stream.poll().orElseThrow();
    assertThat(event.last().revision()).isEqualTo(server.revision());
    assertThat(event.last().object().path("metadata").path("resourceVersion").asText())
        .isEqualTo(Long.toString(server.revision()));
  }

  /// API-60: to a selector, an object comes and goes with its labels.
  @Test
  void anObjectThatCeasesToMatchIsDeletedAsItWas() throws Exception {
    create("a");
    var stream = watch(ListOptions.ALL.selecting("state=on", ""));
    label("a", "on");
    label("a", "off");
    assertThat(stream.poll()).containsInstanceOf(WatchEvent.Added.class);
    var event = (WatchEvent.Deleted) stream.poll().orElseThrow();
    assertThat(event.last().object().path("metadata").path("labels").path("state").asText())
        .isEqualTo("on");
    assertThat(event.last().revision()).isEqualTo(server.revision());
    assertThat(stream.poll()).isEmpty();
  }

  @Test
  void aWatchOfOneObjectShowsNoOther() throws Exception {
    var stream = watch(ListOptions.ALL.selecting("", "metadata.name=a"));
    create("a");
    create("b");
    assertThat(shown(stream)).containsExactly("added a");
  }

  @Test
  void aWatchOfANamespaceShowsNoOther() throws Exception {
    var stream =
        stream(server.watch(new WatchRequest(Resources.CONFIG_MAPS, "other", ListOptions.ALL)));
    create("a");
    assertThat(stream.poll()).isEmpty();
  }

  /// API-62: whoever saw nothing can still say up to where.
  @Test
  void aQuietWatchKeepsUp() throws Exception {
    var stream = watch(ListOptions.ALL.selecting("", "metadata.name=a"));
    create("b");
    assertThat(stream.poll()).isEmpty();
    assertThat(stream.bookmark().revision()).isEqualTo(server.revision());
    server.handle(
        new Request.Create(
            Resources.STORAGE_CLASSES,
            "",
            World.yaml("{metadata: {name: fast}, provisioner: a.b}")));
    assertThat(stream.poll()).isEmpty();
    assertThat(stream.bookmark().revision()).isEqualTo(server.revision());
  }

  @Test
  void aRevisionThatIsStillToComeIsAnError() throws Exception {
    var stream = watch(ListOptions.ALL.from("1000"));
    var failed = (WatchEvent.Failed) stream.poll().orElseThrow();
    assertThat(failed.refusal().code()).isEqualTo(504);
    assertThat(stream.closed()).isTrue();
    assertThat(stream.poll()).isEmpty();
  }

  @Test
  void aRevisionOfBeforeTheStartIsTooOld() throws Exception {
    create("a");
    long seen = server.revision();
    create("b");
    server.close();
    start();
    var failed = (WatchEvent.Failed) watch(from(seen)).poll().orElseThrow();
    assertThat(failed.refusal().code()).isEqualTo(410);
    assertThat(failed.refusal().reason()).isEqualTo("Expired");
    assertThat(failed.refusal().message())
        .isEqualTo("too old resource version: %d (%d)".formatted(seen, seen + 1));
    assertThat(watch(from(seen + 1)).poll()).as("the last revision is not too old").isEmpty();
  }

  @Test
  void aReaderThatFallsBehindIsTold() throws Exception { // API-63
    create("a");
    var slow = watch(ListOptions.ALL);
    var fast = watch(ListOptions.ALL);
    for (int i = 0; i < 10_001; i++) {
      label("a", Integer.toString(i));
      shown(fast);
    }
    assertThat(shown(slow)).containsExactly("added a", "failed 410");
    assertThat(slow.closed()).isTrue();
    label("a", "end");
    assertThat(shown(fast)).containsExactly("modified a");
  }

  @Test
  void oldEventsOfABusyKindAreForgotten() throws Exception { // API-63
    create("a");
    long early = server.revision();
    for (int i = 0; i < 150; i++) label("a", Integer.toString(i));
    assertThat(shown(watch(from(early)))).hasSize(150);
    now = now.plus(Duration.ofMinutes(6));
    label("a", "late");
    assertThat(shown(watch(from(early)))).containsExactly("failed 410");
  }

  @Test
  void aWatchIsWokenOnceForAllThatWaits() throws Exception {
    var wakes = new AtomicInteger();
    var stream =
        stream(
            server.watch(
                new WatchRequest(Resources.CONFIG_MAPS, "", ListOptions.ALL),
                wakes::incrementAndGet));
    create("a");
    create("b");
    assertThat(wakes).hasValue(1);
    assertThat(shown(stream)).containsExactly("added a", "added b");
    create("c");
    assertThat(wakes).hasValue(2);
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() throws Exception { // API-65
    var options = new ListOptions("", "", "", "", 0, "", Optional.of(true), true);
    var refused =
        (WatchAnswer.Refused) server.watch(new WatchRequest(Resources.CONFIG_MAPS, "", options));
    assertThat(refused.refusal().code()).isEqualTo(422);
    assertThat(refused.refusal().message())
        .endsWith("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  }

  private static ListOptions from(long revision) {
    return ListOptions.ALL.from(Long.toString(revision));
  }

  private static ListOptions initialEvents(boolean bookmarks) {
    return new ListOptions("", "", "", "NotOlderThan", 0, "", Optional.of(true), bookmarks);
  }

  private WatchStream watch(ListOptions options) throws InterruptedException {
    return stream(server.watch(new WatchRequest(Resources.CONFIG_MAPS, "", options)));
  }

  private static WatchStream stream(WatchAnswer answer) {
    return ((WatchAnswer.Streaming) answer).stream();
  }

  private static List<String> shown(WatchStream stream) {
    var shown = new ArrayList<String>();
    for (var event = stream.poll(); event.isPresent(); event = stream.poll())
      shown.add(
          switch (event.get()) {
            case WatchEvent.Added(var object) -> "added " + name(object);
            case WatchEvent.Modified(var object) -> "modified " + name(object);
            case WatchEvent.Deleted(var object) -> "deleted " + name(object);
            case WatchEvent.Bookmark(var revision, var end) -> "bookmark " + revision + " " + end;
            case WatchEvent.Failed(var refusal) -> "failed " + refusal.code();
          });
    return shown;
  }

  private static String name(Stored stored) {
    return stored.key().name();
  }

  private void create(String name) throws InterruptedException {
    var map = World.yaml("{metadata: {name: %s}}".formatted(name));
    check(new Request.Create(Resources.CONFIG_MAPS, "default", map));
  }

  private void label(String name, String value) throws InterruptedException {
    var patch = World.yaml("{metadata: {labels: {state: '%s'}}}".formatted(value));
    check(new Request.Change(Resources.CONFIG_MAPS, key(name), Part.MAIN, Patch.merge(patch)));
  }

  private void delete(String name) throws InterruptedException {
    check(new Request.Delete(Resources.CONFIG_MAPS, key(name), DeleteOptions.DEFAULT));
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of("default", name);
  }

  private void check(Request request) throws InterruptedException {
    assertThat(server.handle(request)).isNotInstanceOf(Answer.Refused.class);
  }
}
