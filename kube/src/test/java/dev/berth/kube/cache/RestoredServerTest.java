package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.testing.MemoryServer;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A server that was restored from a backup, and lets watches go on in the future that is lost: a
/// kube-apiserver does.
class RestoredServerTest extends Watching {
  private MemoryServer.Backup backup = server.backup();

  /// What is in the backup is one red thing; what came afterwards is a blue one, and that the first
  /// has become green.
  @BeforeEach
  void loseAFuture() {
    server.trustFutures();
    server.create(KIND.resource(), thing("a", "red"));
    backup = server.backup();
    start();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("green")));
    for (int i = 0; i < 5; i++) {
      server.create(KIND.resource(), thing("b", "blue"));
      server.delete(KIND.resource(), key("b"), DeleteOptions.DEFAULT);
    }
    server.create(KIND.resource(), thing("b", "blue"));
    assertThat(shown("b")).isEqualTo("blue");
  }

  private void assertTruth() {
    time.advance(Duration.ofSeconds(1));
    assertThat(shown("a")).isEqualTo("red");
    assertThat(shown("b")).isEqualTo("none");
    server.create(KIND.resource(), thing("c", "red"));
    time.settle();
    assertThat(shown("c")).as("what comes now").isEqualTo("red");
  }

  @Test
  void aWatchIsNotResumedInALostFuture() {
    server.restore(backup);
    server.cut();
    assertTruth();
  }

  @Test
  void anAnswerThatIsOlderThanWhatIsKnownTells() {
    server.restore(backup);
    caches.api().get(KIND.resource(), key("a"));
    assertTruth();
  }

  @Test
  void anOwnObjectThatIsOlderThanWhatWasShownTells() {
    server.restore(backup);
    caches.api().create(KIND.resource(), thing("d", "red"));
    assertTruth();
    assertThat(shown("d")).isEqualTo("red");
  }

  @Test
  void itTellsBetweenTwoWatchesToo() {
    server.restore(backup);
    server.cut();
    caches.api().get(KIND.resource(), key("a"));
    // By the time that the watch is resumed the server is past where the last one ended.
    for (int i = 0; i < 20; i++) server.create(KIND.resource(), thing("new-" + i, "red"));
    assertTruth();
    assertThat(shown("new-0")).isEqualTo("red");
  }

  @Test
  void aBookmarkOfThePastTells() {
    server.restore(backup);
    server.bookmark();
    assertTruth();
  }

  @Test
  void whoeverMayNotListAnyMoreWatchesOn() {
    server.refuseLists(KIND.resource());
    server.cut();
    server.create(KIND.resource(), thing("c", "red"));
    time.advance(Duration.ofSeconds(1));
    assertThat(shown("c")).isEqualTo("red");
  }

  @Test
  void aServerThatGoesOnIsListedOnce() {
    server.cut();
    time.advance(Duration.ofSeconds(1));
    caches.api().patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    server.bookmark();
    time.advance(Duration.ofSeconds(1));
    assertThat(server.lists).isEqualTo(1);
    assertThat(shown("a")).isEqualTo("blue");
  }
}
