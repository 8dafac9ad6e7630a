package dev.berth.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a package always and never does is held by a test, which its `package-info` names beside
/// the promise: `Always: … (`ThatTest`). Never: … (`OtherTest`).`
///
/// `promises-without-a-test.txt` lists the promises that nobody holds yet. It only shrinks.
class PromisesTest {
  private static final Path UNHELD =
      Path.of("checks/src/test/resources/promises-without-a-test.txt");

  private static final Pattern PROMISE =
      Pattern.compile("\\b(Always|Never)[:,].*?(?=\\b(?:Always|Never)[:,]|$)");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");

  @Test
  void everyPromiseNamesTheTestThatHoldsIt() throws IOException {
    var unheld = unheld();
    unheld.removeAll(listed());
    assertThat(unheld)
        .as("promises of packages that name no test: name the one that holds it, or write it")
        .isEmpty();
  }

  @Test
  void whatIsHeldIsNotListed() throws IOException {
    var listed = new TreeSet<>(listed());
    listed.removeAll(unheld());
    assertThat(listed).as("promises that are held, or gone: take them out of " + UNHELD).isEmpty();
  }

  @Test
  void theTestsThatArePromisedExist() throws IOException {
    var tests = new HashSet<String>();
    for (var file : SourceTree.javaFiles())
      if (file.toString().contains("/src/test/")) tests.add(simpleName(file));
    var absent = new ArrayList<String>();
    for (var info : packageInfos())
      TEST.matcher(text(Files.readString(info)))
          .results()
          .map(name -> name.group(1))
          .filter(name -> !tests.contains(name))
          .forEach(name -> absent.add(packageOf(info) + " names " + name));
    assertThat(absent).as("tests that packages name and nobody has written").isEmpty();
  }

  @Test
  void aPromiseEndsWhereTheNextBegins() {
    var text =
        """
        /// A room. Always: it is swept
        /// (`SweepTest`). Never: shut.
        ///
        /// Always, on Sundays: open.
        @NullMarked
        """;
    assertThat(promises(text))
        .containsExactly(
            new Promise("Always", "Always: it is swept (`SweepTest`). "),
            new Promise("Never", "Never: shut."),
            new Promise("Always", "Always, on Sundays: open."));
    assertThat(promises(text)).filteredOn(Promise::isHeld).hasSize(1);
  }

  private record Promise(String kind, String text) {
    boolean isHeld() {
      return TEST.matcher(text).find();
    }
  }

  /// As the list names them: `dev.berth.room Never`.
  private static TreeSet<String> unheld() throws IOException {
    var unheld = new TreeSet<String>();
    for (var info : packageInfos())
      for (var promise : promises(Files.readString(info)))
        if (!promise.isHeld()) unheld.add(packageOf(info) + " " + promise.kind());
    return unheld;
  }

  private static List<Promise> promises(String source) {
    return Stream.of(text(source).split("\n"))
        .flatMap(paragraph -> PROMISE.matcher(paragraph).results())
        .map((MatchResult found) -> new Promise(found.group(1), found.group()))
        .toList();
  }

  /// The comment of a `package-info`: a line a paragraph.
  private static String text(String source) {
    var text = new StringBuilder();
    for (var line : source.lines().filter(line -> line.startsWith("///")).toList()) {
      var words = line.substring(3).strip();
      if (words.isEmpty()) text.append('\n');
      else if (text.isEmpty() || text.charAt(text.length() - 1) == '\n') text.append(words);
      else text.append(' ').append(words);
    }
    return text.toString();
  }

  private static List<Path> packageInfos() throws IOException {
    return SourceTree.javaFiles().stream()
        .filter(file -> file.endsWith("package-info.java"))
        .filter(file -> file.toString().contains("/src/main/"))
        .toList();
  }

  private static String packageOf(Path info) {
    var name = info.toString();
    return name.substring(name.indexOf("/java/") + "/java/".length(), name.lastIndexOf('/'))
        .replace('/', '.');
  }

  private static String simpleName(Path file) {
    var name = file.toString();
    return name.substring(name.lastIndexOf('/') + 1).replace(".java", "");
  }

  private static List<String> listed() throws IOException {
    return Files.readAllLines(SourceTree.root().resolve(UNHELD));
  }
}
