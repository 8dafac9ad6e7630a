package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A rule of a specification that code names is one that a test names: who looks for what holds a
/// rule finds it by the rule's id, and who names a rule in code without a test is told here.
///
/// `ids-without-a-test.txt` lists the rules for which nobody has written a test yet. It only
/// shrinks: an id that a test names by now, or that no code names any more, has to leave it.
class SpecIdsTest {
  private static final Path UNTESTED = Path.of("checks/src/test/resources/ids-without-a-test.txt");

  /// In code a range names all that is in it; a test names what it holds one by one.
  private static Set<String> inCode;

  private static Set<String> inTests;

  @BeforeAll
  static void read() throws IOException {
    var code = new TreeSet<String>();
    var tests = new TreeSet<String>();
    for (var file : SourceTree.files()) {
      if (isTest(file)) addIds(tests, file, SpecIds::in);
      else if (isCode(file)) addIds(code, file, SpecIds::withRanges);
    }
    inCode = code;
    inTests = tests;
  }

  @Test
  void whatCodeNamesATestNames() throws IOException {
    var missing = new TreeSet<>(inCode);
    missing.removeAll(inTests);
    missing.removeAll(untested());
    assertThat(missing)
        .as("ids that code names and no test: name each in the test that holds it, or write one")
        .isEmpty();
  }

  @Test
  void whatATestNamesIsNotListedAsUntested() throws IOException {
    var tested = untested();
    tested.retainAll(inTests);
    assertThat(tested).as("ids that a test names: take them out of " + UNTESTED).isEmpty();
  }

  @Test
  void whatNoCodeNamesIsNotListedAsUntested() throws IOException {
    var gone = untested();
    gone.removeAll(inCode);
    assertThat(gone).as("ids that no code names: take them out of " + UNTESTED).isEmpty();
  }

  @Test
  void aTextNamesItsIds() {
    assertThat(SpecIds.in("/// XYZ-01, XYZ-12b: as Q07 (K8X-104); with SHA-256 and UTF-8, X509"))
        .containsExactly("K8X-104", "Q07", "XYZ-01", "XYZ-12b");
    assertThat(SpecIds.withRanges("/// (XYZ-08 to\n  /// XYZ-10; Q98 to Q99)"))
        .containsExactly("Q98", "Q99", "XYZ-08", "XYZ-09", "XYZ-10");
    assertThat(SpecIds.in("XYZ-08 to XYZ-10")).containsExactly("XYZ-08", "XYZ-10");
  }

  private static void addIds(Set<String> ids, Path file, Function<String, Set<String>> ofText)
      throws IOException {
    ids.addAll(ofText.apply(Files.readString(file)));
  }

  private static Set<String> untested() throws IOException {
    return new TreeSet<>(Files.readAllLines(SourceTree.root().resolve(UNTESTED)));
  }

  /// Tests, the worlds that they read, the checks of `conform`, which are tests of drivers, and
  /// those against programs that were not written here. Not this one, whose ids are made up.
  private static boolean isTest(Path file) {
    var name = SourceTree.root().relativize(file).toString();
    if (name.endsWith("SpecIdsTest.java")) return false;
    return (name.contains("/src/test/") && (name.endsWith(".java") || name.endsWith(".yaml")))
        || name.startsWith("conform/src/main/java/dev/berth/conform/subject/")
        || name.startsWith("interop/");
  }

  private static boolean isCode(Path file) {
    var name = file.toString();
    return name.contains("/src/main/") && (name.endsWith(".java") || name.endsWith(".proto"));
  }
}
