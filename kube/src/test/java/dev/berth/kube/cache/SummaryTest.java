package dev.berth.kube.cache;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.OTHER;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Summary.Rank;
import dev.berth.kube.object.Kind;
import dev.berth.kube.testing.MemoryServer;
import dev.berth.kube.testing.Thing;
import dev.berth.kube.testing.VirtualTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class SummaryTest {
  /// How many things of one kind and of the other have a color.
  private record Both(int things, int others) {}

  private static final Summary<Both> BY_COLOR =
      new Summary<>(
          "things of both kinds, by color",
          new Both(0, 0),
          List.of(part(KIND, 1, 0), part(OTHER, 0, 1)));

  private final VirtualTime time = new VirtualTime(1);
  private final MemoryServer server = new MemoryServer();
  @AutoClose private final Caches caches = Caches.of(server, time, List.of(KIND, OTHER));

  private static Summary.Part<Thing, Both> part(Kind<Thing> kind, int things, int others) {
    return new Summary.Part<>(
        kind,
        thing -> List.of(thing.color()),
        (both, _) -> new Both(both.things + things, both.others + others),
        (both, _) -> new Both(both.things - things, both.others - others));
  }

  private Both seen(String color) {
    return caches.snapshot().summary(BY_COLOR, color);
  }

  @Test
  void itFollowsTheObjectsOfAllItsKinds() {
    server.create(KIND.resource(), thing("a", "red"));
    server.create(KIND.resource(), thing("b", "red"));
    server.create(OTHER.resource(), thing("a", "red"));
    caches.start();
    time.settle();
    var before = caches.snapshot();
    assertThat(before.summary(BY_COLOR, "red")).isEqualTo(new Both(2, 1));

    server.patch(KIND.resource(), key("b"), Patch.merge(color("blue")));
    server.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    server.create(OTHER.resource(), thing("c", "blue"));

    assertThat(seen("red")).isEqualTo(new Both(0, 1));
    assertThat(seen("blue")).isEqualTo(new Both(1, 1));
    assertThat(caches.snapshot().all(BY_COLOR))
        .as("in order of the values")
        .containsExactly(new Both(1, 1), new Both(0, 1));
    assertThat(before.summary(BY_COLOR, "red"))
        .as("an old snapshot stays as it was")
        .isEqualTo(new Both(2, 1));
  }

  @Test
  void whatNothingHoldsIsGone() {
    server.create(KIND.resource(), thing("a", "red"));
    caches.start();
    time.settle();
    assertThat(caches.snapshot().all(BY_COLOR)).hasSize(1);
    server.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    assertThat(caches.snapshot().all(BY_COLOR)).isEmpty();
    assertThat(seen("red")).isEqualTo(new Both(0, 0));
  }

  /// It was asked for before there were kinds at all, and is not kept past the first of them.
  @Test
  void itKnowsWhatCameBeforeAllItsKindsHad() {
    var none = Snapshots.empty();
    assertThat(none.summary(BY_COLOR, "red")).isEqualTo(new Both(0, 0));
    var both = none.read(KIND, List.of(thing("a", "red"))).read(OTHER, List.of(thing("b", "red")));
    assertThat(both.summary(BY_COLOR, "red")).isEqualTo(new Both(1, 1));
  }

  /// By how many there are of a color, in a ring of first letters.
  @Test
  void rankedRowsComeByGroupEachGroupOnceRound() {
    var ranked =
        new Summary<List<String>>(
            new Object(),
            "names by color",
            List.of(),
            List.of(
                new Summary.Part<>(
                    KIND,
                    thing -> List.of(thing.color()),
                    (names, thing) ->
                        Stream.concat(names.stream(), Stream.of(thing.meta().name())).toList(),
                    (names, thing) ->
                        names.stream().filter(it -> !it.equals(thing.meta().name())).toList())),
            names ->
                Optional.of(names)
                    .filter(it -> !it.contains("hidden"))
                    .map(it -> new Rank(it.size(), it.getFirst().charAt(0))));
    var objects =
        Snapshots.empty()
            .read(
                KIND,
                List.of(
                    thing("a", "red"),
                    thing("c", "blue"),
                    thing("e", "green"),
                    thing("b", "white"),
                    thing("d", "white"),
                    thing("hidden", "black")));

    assertThat(objects.ranked(ranked, 'c'))
        .containsExactly(List.of("c"), List.of("e"), List.of("a"), List.of("b", "d"));
    assertThat(objects.ranked(ranked, 'a')).first().isEqualTo(List.of("a"));
    assertThat(objects.ranked(ranked, 'z'))
        .containsExactly(List.of("a"), List.of("c"), List.of("e"), List.of("b", "d"));
    var _ = objects.all(ranked);
    assertThat(objects.read(KIND, List.of(thing("f", "red"))).ranked(ranked, 'c'))
        .as("a row that changes has its new rank only")
        .containsExactly(List.of("c"), List.of("e"), List.of("a", "f"), List.of("b", "d"));
  }

  @Test
  void aKindThatIsNotCachedIsSaid() {
    try (var fewer = Caches.of(server, time, List.of(KIND))) {
      assertThatThrownBy(() -> fewer.snapshot().summary(BY_COLOR, "red"))
          .hasMessageContaining("Other");
    }
    assertThat(Snapshots.empty().summary(BY_COLOR, "red")).isEqualTo(new Both(0, 0));
  }
}
