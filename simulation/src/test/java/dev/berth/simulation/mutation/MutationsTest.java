package dev.berth.simulation.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.simulation.Times;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The simulation finds the mistakes of `simulation/mutations` (README.md there). One that can no
/// longer be made in the source as it is, or is no longer found, fails.
class MutationsTest {
  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> COMPONENTS =
      List.of(
          "attachdetach",
          "attacher",
          "binder",
          "health",
          "node",
          "nodelife",
          "podgc",
          "provisioner",
          "resizer",
          "scheduler",
          "snapshotgroups",
          "snapshots",
          "snapshotter",
          "statefulset");

  /// `-Dberth.mutations.search=1-100`: which of these seeds is the first to find each, to write it
  /// down.
  private static final @Nullable String SEARCH = System.getProperty("berth.mutations.search");

  private static final int AFTER = 40;

  private static final Logger OURS = Logger.getLogger("dev.berth");

  @BeforeAll
  static void quiet() {
    OURS.setLevel(Level.OFF);
  }

  static List<Mutation> mutations() throws IOException {
    return Mutation.in(PROJECT.resolve("simulation/mutations"));
  }

  @Execution(ExecutionMode.CONCURRENT)
  @ParameterizedTest
  @MethodSource("mutations")
  void theSimulationFinds(Mutation mutation) throws Exception {
    if (SEARCH != null) search(mutation, SEARCH);
    else
      assertThat(found(mutation))
          .as("seed %d and up to %d after it", mutation.seed(), AFTER)
          .anySatisfy(it -> assertThat(it).contains(mutation.caught()));
  }

  /// What its seed finds, and if that is not what was found before, the next ones: histories shift
  /// with each change.
  private static List<String> found(Mutation mutation) throws Exception {
    var mutant = mutant(mutation);
    var found = new ArrayList<String>();
    for (long seed = mutation.seed(); seed <= mutation.seed() + AFTER; seed++) {
      trouble(mutant, seed).ifPresent(found::add);
      if (!found.isEmpty() && found.getLast().contains(mutation.caught())) break;
    }
    return found;
  }

  private static Mutant mutant(Mutation mutation) throws IOException {
    var text = mutation.applyTo(Files.readString(PROJECT.resolve(mutation.source())));
    return Mutant.of(className(mutation.source()), text);
  }

  private static Optional<String> trouble(Mutant mutant, long seed) throws Exception {
    try {
      mutant.times(Times.class.getName()).accept(seed);
      return Optional.empty();
    } catch (RuntimeException | AssertionError found) {
      return Optional.of(String.valueOf(found.getMessage()));
    }
  }

  private static String className(Path source) {
    return source
        .toString()
        .replaceFirst("^.*/src/main/java/", "")
        .replaceFirst("[.]java$", "")
        .replace('/', '.');
  }

  private static void search(Mutation mutation, String range) throws Exception {
    var ends = range.split("-", 2);
    var mutant = mutant(mutation);
    for (long seed = Long.parseLong(ends[0]); seed <= Long.parseLong(ends[1]); seed++) {
      var trouble = trouble(mutant, seed);
      if (trouble.isEmpty()) continue;
      System.out.printf(
          "%s: seed %d: %s%n", mutation, seed, trouble.get().lines().findFirst().orElse(""));
      return;
    }
  }

  @Test
  void withoutAMistakeTheSameSeedFindsNone() throws Exception {
    var first = mutations().getFirst();
    assertThat(trouble(Mutant.none(), first.seed())).isEmpty();
  }

  @Test
  void eachComponentHasSome() throws Exception {
    assertThat(mutations().stream().map(Mutation::component).collect(Collectors.toSet()))
        .containsExactlyInAnyOrderElementsOf(COMPONENTS);
  }

  @Test
  void oneThatNoLongerAppliesIsSaid() throws Exception {
    var mutation = mutations().getFirst();
    assertThatThrownBy(() -> mutation.applyTo("class Other {}"))
        .hasMessageContaining("write it anew");
  }
}
