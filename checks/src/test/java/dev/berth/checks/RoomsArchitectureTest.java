package dev.berth.checks;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Rooms depend downwards only (ARCHITECTURE.md).
class RoomsArchitectureTest {
  /// Which rooms each room may use besides itself.
  private static final Map<String, List<String>> MAY_USE =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("linux", List.of()),
              Map.entry("csi", List.of()),
              Map.entry("driver", List.of("csi")),
              Map.entry("driver.disk", List.of("driver", "csi", "linux")),
              Map.entry("driver.baremetal", List.of("driver", "csi", "linux", "kube")),
              Map.entry("example", List.of("driver", "csi", "linux")),
              Map.entry("conform", List.of("csi", "linux")),
              Map.entry("kube", List.of()),
              Map.entry("apiserver", List.of("kube")),
              Map.entry("volume", List.of("kube", "csi")),
              Map.entry("controller", List.of("kube", "volume")),
              Map.entry("sidecar", List.of("kube", "csi", "volume")),
              Map.entry("node", List.of("kube", "csi", "volume", "linux")),
              Map.entry(
                  "explain",
                  List.of(
                      "kube",
                      "volume",
                      "controller",
                      "sidecar",
                      "node",
                      "csi",
                      "driver.baremetal")),
              Map.entry(
                  "cli",
                  List.of(
                      "linux",
                      "csi",
                      "driver",
                      "driver.disk",
                      "driver.baremetal",
                      "conform",
                      "kube",
                      "volume",
                      "apiserver",
                      "controller",
                      "sidecar",
                      "node",
                      "explain"))));

  private static final Pattern TABLE =
      Pattern.compile(
          "(?m)^\\| `(?<module>[\\w/]+)` \\| `dev\\.berth\\.(?<room>[\\w.]+)` \\|[^|]*\\|"
              + " (?<use>[^|]*)\\|$");

  private static final Pattern NAME = Pattern.compile("`([^`]+)`");

  private static JavaClasses berth;

  @BeforeAll
  static void read() {
    berth = BerthClasses.all();
  }

  @Test
  void roomsDependDownwardsOnly() {
    var wrong = new ArrayList<String>();
    for (Entry<String, List<String>> room : MAY_USE.entrySet()) {
      var allowed = new ArrayList<String>();
      allowed.add(room.getKey());
      allowed.addAll(room.getValue());
      var result =
          noClasses()
              .that(in(room.getKey()))
              .should()
              .dependOnClassesThat(ofOtherRooms(allowed))
              .because(room.getKey() + " may use only " + room.getValue())
              .allowEmptyShould(true)
              .evaluate(berth);
      wrong.addAll(result.getFailureReport().getDetails());
    }
    assertThat(wrong).isEmpty();
  }

  /// The table in ARCHITECTURE.md says the same as the rule above.
  @Test
  void theTableOfRoomsIsTrue() throws IOException {
    var rows =
        TABLE
            .matcher(Files.readString(SourceTree.root().resolve("ARCHITECTURE.md")))
            .results()
            .toList();
    var rooms =
        rows.stream()
            .collect(Collectors.toMap(row -> row.group("module"), row -> row.group("room")));
    var told = new TreeMap<String, Set<String>>();
    for (var row : rows) {
      var others =
          NAME.matcher(row.group("use"))
              .results()
              .map(name -> rooms.getOrDefault(name.group(1), name.group(1)))
              .collect(Collectors.toSet());
      if (!row.group("use").startsWith("all")) told.put(row.group("room"), others);
    }
    var rules = new TreeMap<String, Set<String>>();
    MAY_USE.forEach((room, others) -> rules.put(room, Set.copyOf(others)));
    rules.remove("cli"); // all but the example
    assertThat(told).isEqualTo(rules);
    assertThat(MAY_USE.get("cli")).hasSize(MAY_USE.size() - 2);
  }

  @Test
  void everyClassIsInARoom() {
    classes()
        .should()
        .resideInAnyPackage(
            MAY_USE.keySet().stream()
                .map(room -> "dev.berth." + room + "..")
                .toArray(String[]::new))
        .check(berth);
  }

  @Test
  void packagesDependOnEachOtherInNoCircle() {
    for (var room : MAY_USE.keySet())
      slices()
          .matching("dev.berth." + room + ".(**)")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .check(berth.that(in(room)));
  }

  @Test
  void everyPackageSaysThatItIsNullMarked() {
    var unmarked =
        berth.stream()
            .filter(type -> !type.getPackageName().contains(".v1"))
            .filter(type -> !type.getPackage().isAnnotatedWith(NullMarked.class))
            .map(JavaClass::getPackageName)
            .distinct()
            .toList();
    assertThat(unmarked).as("packages without @NullMarked in their package-info").isEmpty();
  }

  /// The room's own classes; those of a room below its package, such as `driver.disk`, are not its
  /// own.
  private static DescribedPredicate<JavaClass> in(String room) {
    var inside = resideInAPackage("dev.berth." + room + "..");
    for (var other : MAY_USE.keySet())
      if (other.startsWith(room + "."))
        inside = inside.and(DescribedPredicate.not(resideInAPackage("dev.berth." + other + "..")));
    return inside.as("in room " + room);
  }

  private static DescribedPredicate<JavaClass> ofOtherRooms(List<String> allowed) {
    var other = resideInAPackage("dev.berth..");
    for (var room : allowed) other = other.and(DescribedPredicate.not(in(room)));
    return other.as("of other rooms");
  }
}
