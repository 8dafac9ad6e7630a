package dev.berth.kube.cache;

import static dev.berth.kube.object.Resources.DEFINITIONS;
import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.OTHER;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.testing.Thing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Kinds that are missing, forbidden or unwanted, and objects that cannot be read.
class KindsInCachesTest extends Watching {
  @Test
  void aKindThatMayNotBeListedKeepsThoseWaitingWhoFollowItAndTellsThem() { // ONE-23
    server.refuseLists(OTHER.resource());
    var both = Caches.of(server, time, List.of(KIND, OTHER));
    both.follow(List.of(KIND), new Seen());
    var waiting = new ArrayList<String>();
    var follower = new Hindered(waiting);
    both.follow(List.of(KIND, OTHER), follower);
    both.start();
    time.advance(Duration.ofMinutes(5));
    assertThat(seen()).containsExactly("filled with 0");
    assertThat(waiting).containsExactly("may not list Other: others are forbidden");
    assertThat(both.refused()).containsExactly(Map.entry(OTHER, "others are forbidden"));
    var late = new ArrayList<String>();
    both.follow(List.of(OTHER), new Hindered(late));
    time.settle();
    assertThat(late).containsExactly("may not list Other: others are forbidden");
    server.allowLists();
    time.advance(Duration.ofSeconds(30));
    assertThat(waiting).last().isEqualTo("filled");
    assertThat(late).last().isEqualTo("filled");
    assertThat(both.refused()).isEmpty();
  }

  private record Hindered(List<String> told) implements Follower {
    @Override
    public void refused(Kind<?> kind, String why) {
      told.add("may not list " + kind + ": " + why);
    }

    @Override
    public void filled(Snapshot first) {
      told.add("filled");
    }

    @Override
    public <T extends KubeObject> void changed(Kind<T> kind, Change<T> change, Snapshot with) {}
  }

  /// As upstream's ClusterRoles have it of snapshots.
  @Test
  void aKindThatMayBeListedButNotWatchedIsListedAgain() { // PROV-189
    server.refuseWatches(KIND.resource());
    start();
    server.create(KIND.resource(), thing("a", "red"));
    time.advance(Duration.ofSeconds(31));
    assertThat(seen()).containsExactly("filled with 0", "a red");
    server.allowWatches();
    time.advance(Duration.ofSeconds(31));
    server.create(KIND.resource(), thing("b", "red"));
    assertThat(seen()).last().isEqualTo("b red");
  }

  @Test
  void aKindThatNobodyWantsIsNotAskedFor() { // ONE-13
    try (var both = Caches.of(server, time, List.of(KIND, OTHER))) {
      both.want(List.of(OTHER));
      time.settle();
      assertThat(server.lists).isEqualTo(1);
      assertThat(both.unfilled()).isEmpty();
      both.want(List.of(OTHER, KIND));
      time.settle();
      assertThat(server.lists).isEqualTo(2);
    }
  }

  /// A kind whose records cannot be made of some objects.
  private static final Kind<Thing> CHOOSY =
      new Kind<>(
          KIND.resource(),
          tree -> {
            var thing = KIND.read().apply(tree);
            if (thing.color().equals("?")) throw new IllegalArgumentException("no color");
            return thing;
          });

  private Caches choosy() {
    var some = Caches.of(server, time, List.of(CHOOSY));
    some.follow(List.of(CHOOSY), new Seen());
    some.start();
    time.settle();
    return some;
  }

  @Test
  void anObjectThatCannotBeReadHoldsUpNoWatch() {
    var some = choosy();
    server.create(KIND.resource(), thing("a", "?"));
    server.cut();
    time.advance(Duration.ofSeconds(1));
    assertThat(server.watchedFrom).as("the next watch begins after it").containsExactly(9L, 10L);
    server.create(KIND.resource(), thing("b", "red"));
    assertThat(seen()).containsExactly("filled with 0", "b red");
    assertThat(some.snapshot().unknown(KIND, key("a"))).isPresent();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    assertThat(some.snapshot().unknown(KIND, key("a"))).isEmpty();
    some.close();
  }

  @Test
  void anObjectThatCanNoLongerBeReadIsNotGone() {
    server.create(KIND.resource(), thing("a", "red"));
    var some = choosy();
    server.patch(KIND.resource(), key("a"), Patch.merge(color("?")));
    server.forget();
    server.lag();
    server.create(KIND.resource(), thing("b", "red"));
    server.forget();
    server.cut();
    server.catchUp();
    time.advance(Duration.ofSeconds(1));
    assertThat(server.lists).isEqualTo(2);
    assertThat(seen())
        .as("it is shown again as it was when it could not be read")
        .containsExactly("filled with 1", "a red", "b red", "a red");
    assertThat(some.snapshot().unknown(KIND, key("a")).orElseThrow())
        .startsWith("cannot be read at version 11: ")
        .endsWith("no color");
    server.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    assertThat(seen()).as("that it went needs no reading").endsWith("a gone");
    assertThat(some.snapshot().unknown(KIND)).isEmpty();
    some.close();
  }

  @Test
  void aKindThatIsNotInstalledIsEmptyAndComesAliveWithItsDefinition() {
    server.install(DEFINITIONS);
    server.uninstall(KIND.resource());
    start();
    assertThat(seen()).containsExactly("filled with 0");
    assertThat(caches.unfilled()).isEmpty();
    time.advance(Duration.ofHours(1));
    assertThat(server.lists).as("of the kind and of its definition, once each").isEqualTo(2);
    server.install(KIND.resource());
    server.create(KIND.resource(), thing("a", "red"));
    server.create(DEFINITIONS, definition("False"));
    time.advance(Duration.ofHours(1));
    assertThat(seen()).as("its definition is not in force yet").hasSize(1);
    server.patch(DEFINITIONS, ObjectKey.cluster("things.test"), Patch.merge(definition("True")));
    time.advance(Duration.ofSeconds(1));
    assertThat(seen()).containsExactly("filled with 0", "a red");
    server.create(KIND.resource(), thing("b", "red"));
    assertThat(seen()).endsWith("b red");
    assertThat(time.pending()).isZero();
  }

  private static ObjectNode definition(String established) {
    var definition = JsonNodeFactory.instance.objectNode();
    definition.putObject("metadata").put("name", "things.test");
    definition
        .putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Established")
        .put("status", established);
    return definition;
  }

  @Test
  void whereDefinitionsAreNotShownAMissingKindIsAskedForOnceAMinute() {
    server.uninstall(KIND.resource());
    server.uninstall(DEFINITIONS);
    start();
    time.advance(Duration.ofHours(1));
    assertThat(server.lists).isBetween(2 * 55, 2 * 62);
    server.install(KIND.resource());
    server.create(KIND.resource(), thing("a", "red"));
    time.advance(Duration.ofMinutes(1));
    assertThat(seen()).containsExactly("filled with 0", "a red");
  }

  @Test
  void aKindThatWasThereIsGoneOnlyWhenItsAbsenceLasts() {
    server.create(KIND.resource(), thing("a", "red"));
    start();
    server.uninstall(KIND.resource());
    server.cut();
    time.advance(Duration.ofSeconds(10));
    assertThat(shown("a")).as("a server that starts may not know it yet").isEqualTo("red");
    time.advance(Duration.ofMinutes(2));
    assertThat(seen()).containsExactly("filled with 1", "a gone");
  }
}
